//! Lets a test kill this process at a named point, make it stand still and advance its clock, by commands on standard input. Only active in
//! builds with the feature `failpoints` when `SHOP_CLOCK_SHIFT` is set; in others the compiler removes it.
//!
//! - `kill NAME N`: SIGKILL when the point is reached for the N-th time from now, after printing `killed at NAME`
//! - `panic NAME N`: panics the next N times the point is reached
//! - `hang`: lets all threads of the runtime stand still
//! - `pass MS`: advances the clock and runs every job that is due
//!
//! Each command is answered with `done`.

use std::io::Write;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use shop::app::App;
use shop::serve::add_jobs;
use shop_base::clock::{Clock, SystemClock};
use shop_base::config::Config;
use shop_platform::jobs::model::Lane;
use shop_platform::jobs::state::Worker;
use shop_platform::jobs::worker::run_due;
use tokio::io::{AsyncBufReadExt, BufReader, stdin};
use tokio::runtime::Handle;
use tokio::time::sleep;

use crate::commands::env_file::Failure;

/// Milliseconds by which this process is ahead of the system clock.
const SHIFT: &str = "SHOP_CLOCK_SHIFT";
/// Before the next look at jobs that run.
const SOON: Duration = Duration::from_millis(1);

static AHEAD: AtomicI64 = AtomicI64::new(0);

#[derive(Debug)]
struct ShiftedClock;

impl Clock for ShiftedClock {
    fn now_ms(&self) -> i64 {
        SystemClock.now_ms() + AHEAD.load(Ordering::SeqCst)
    }
}

/// The system clock, shifted by the value in the environment.
pub fn clock() -> Arc<dyn Clock> {
    let Some(shift) = shift() else { return Arc::new(SystemClock) };
    AHEAD.store(shift, Ordering::SeqCst);
    Arc::new(ShiftedClock)
}

fn shift() -> Option<i64> {
    if !fail::has_failpoints() {
        return None;
    }
    std::env::var(SHIFT).ok()?.parse().ok()
}

/// Settings, changed for a process that a test controls: it does not live long enough for a warm-up to pay off, and pays at the stand-in that
/// `SHOP_SQUARE_STAND_IN` names.
pub fn configured(mut config: Config) -> Result<Config, Failure> {
    if shift().is_some() {
        config.rendering.warm_up_rounds = 1;
        if let Ok(stand_in) = std::env::var("SHOP_SQUARE_STAND_IN") {
            config.square = Some(shop_demo::square_config(&stand_in.parse()?, &config.http.origin)?);
        }
    }
    Ok(config)
}

/// Starts reading commands from standard input, if enabled.
pub fn obey(app: &App) {
    if shift().is_some() {
        tokio::spawn(listen(app.clone()));
    }
}

async fn listen(app: App) {
    let mut lines = BufReader::new(stdin()).lines();
    let mut has_jobs = false;
    while let Ok(Some(line)) = lines.next_line().await {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["kill", name, times] => arm(name, times.parse().unwrap_or(1)),
            ["panic", name, times] => {
                if let Err(error) = fail::cfg(name, &format!("{times}*panic")) {
                    tracing::error!(name, error, "the point could not be armed");
                }
            }
            ["hang"] => hang(),
            ["pass", ms] => {
                // A start adds them a moment later, which may be after the last command.
                has_jobs = has_jobs || add_jobs(&app).await.is_ok();
                AHEAD.fetch_add(ms.parse().unwrap_or(0), Ordering::SeqCst);
                finish_due(&app.worker()).await;
            }
            _ => tracing::error!(line, "not understood"),
        }
        say("done");
    }
}

/// Runs every job that is due, and waits for those that the process took by itself.
async fn finish_due(worker: &Worker) {
    let is_running = || Lane::ALL.iter().any(|lane| worker.state.running(*lane) > 0);
    while run_due(worker).await.is_ok_and(|done| done > 0) || is_running() {
        sleep(SOON).await;
    }
}

/// The thread that calls this can still answer.
fn hang() {
    // Each thread takes one, and may put another one aside.
    for _ in 0..2 * Handle::current().metrics().num_workers() {
        tokio::spawn(stand_still());
    }
}

async fn stand_still() {
    loop {
        std::thread::park();
    }
}

fn arm(name: &str, times: u64) {
    let left = AtomicU64::new(times);
    let point = name.to_owned();
    let armed = fail::cfg_callback(name, move || {
        if left.fetch_sub(1, Ordering::SeqCst) == 1 {
            say(&format!("killed at {point}"));
            // The signal ends the whole process; this thread must not continue until then.
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
    // If this fails, nobody is reading any more.
    let _ = writeln!(std::io::stdout(), "{line}");
}
