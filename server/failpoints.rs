//! Lets a test kill this very process at a named point and let its time pass, by lines on the standard input. Part of builds with the
//! feature `failpoints` only, and listens only when `SHOP_CLOCK_SHIFT` is set.
//!
//! - `kill NAME N`: SIGKILL at the N-th time from now that the point is reached, after saying `killed at NAME`
//! - `panic NAME N`: panics the next N times that the point is reached
//! - `pass MS`: moves the clock on and does every job that is due
//!
//! Each is answered with `done`.

use std::io::Write;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use shop::app::App;
use shop_base::clock::{Clock, SystemClock};
use shop_base::config::Config;
use shop_platform::jobs::worker::run_due;
use tokio::io::{AsyncBufReadExt, BufReader, stdin};

/// Milliseconds by which this process is ahead of the machine.
const SHIFT: &str = "SHOP_CLOCK_SHIFT";

static AHEAD: AtomicI64 = AtomicI64::new(0);

#[derive(Debug)]
struct ShiftedClock;

impl Clock for ShiftedClock {
    fn now_ms(&self) -> i64 {
        SystemClock.now_ms() + AHEAD.load(Ordering::SeqCst)
    }
}

/// The machine's clock, as far ahead as the environment says.
pub fn clock() -> Arc<dyn Clock> {
    AHEAD.store(shift().unwrap_or(0), Ordering::SeqCst);
    Arc::new(ShiftedClock)
}

fn shift() -> Option<i64> {
    std::env::var(SHIFT).ok()?.parse().ok()
}

/// Settings of a process that a test drives: it is killed before a warm-up would pay.
pub fn configure(config: &mut Config) {
    if shift().is_some() {
        config.rendering.warm_up_rounds = 1;
    }
}

/// Obeys the standard input from now on, if a test wants that.
pub fn obey(app: &App) {
    if shift().is_some() {
        tokio::spawn(listen(app.clone()));
    }
}

async fn listen(app: App) {
    let mut lines = BufReader::new(stdin()).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["kill", name, times] => arm(name, times.parse().unwrap_or(1)),
            ["panic", name, times] => {
                if let Err(error) = fail::cfg(name, &format!("{times}*panic")) {
                    tracing::error!(name, error, "the point could not be armed");
                }
            }
            ["pass", ms] => {
                AHEAD.fetch_add(ms.parse().unwrap_or(0), Ordering::SeqCst);
                while run_due(&app.worker()).await.is_ok_and(|done| done > 0) {}
            }
            _ => tracing::error!(line, "not understood"),
        }
        say("done");
    }
}

fn arm(name: &str, times: u64) {
    let left = AtomicU64::new(times);
    let point = name.to_owned();
    let armed = fail::cfg_callback(name, move || {
        if left.fetch_sub(1, Ordering::SeqCst) == 1 {
            say(&format!("killed at {point}"));
            // Nothing of this process runs after that, and this thread goes no further.
            let _ = Command::new("kill").args(["-KILL", &std::process::id().to_string()]).status();
            loop {
                std::thread::park();
            }
        }
    });
    if let Err(error) = armed {
        tracing::error!(name, error, "the point could not be armed");
    }
}

fn say(line: &str) {
    // Nobody listens any more when it fails.
    let _ = writeln!(std::io::stdout(), "{line}");
}
