//! The workers of a node, and waiting for their results.

use std::time::{Duration, Instant};

use shop::app::App;
use shop_platform::jobs::model::{Lane, Pace};
use shop_platform::jobs::worker::run;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// As fast as tests need it; even on a busy machine such a worker loses no lease.
pub const QUICK: Pace = Pace {
    lease: Duration::from_secs(10),
    beat: Duration::from_millis(250),
    look_again: Duration::from_millis(100),
    silent_after: Duration::from_secs(4),
};

/// How long after its start a worker looks for jobs.
const FIRST_LOOK: Duration = Duration::from_millis(200);

/// Works until it is stopped, or dropped, which kills it.
pub struct Worker {
    task: JoinHandle<()>,
    stop: watch::Sender<bool>,
}

impl Worker {
    pub fn start(app: &App, pace: Pace) -> Self {
        let (stop, stops) = watch::channel(false);
        Self { task: tokio::spawn(run(app.worker(), pace, stops)), stop }
    }

    /// Returns when each of its lanes has looked for jobs: what is added later it finds because it is woken, or looks again.
    pub async fn looking(app: &App, pace: Pace) -> Self {
        let begun = Instant::now();
        let worker = Self::start(app, pace);
        // That it has started counts as a look, too, before the first one.
        let looked = |lane: &Lane| {
            let last = app.parts.jobs.last_look(*lane);
            last.is_some_and(|since| begun.elapsed() >= since + FIRST_LOOK)
        };
        until("each lane has looked for jobs", async || Lane::ALL.iter().all(looked)).await;
        worker
    }

    /// Returns when all that it has begun is done. A dropped one may still be in the middle of a transaction.
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        timeout(Duration::from_secs(60), &mut self.task).await.expect("its jobs end").unwrap();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Waits until the condition holds, for a minute at most.
pub async fn until(what: &str, is_so: impl AsyncFn() -> bool) {
    let waiting = async {
        while !is_so().await {
            sleep(Duration::from_millis(10)).await;
        }
    };
    assert!(timeout(Duration::from_secs(60), waiting).await.is_ok(), "not within a minute: {what}");
}
