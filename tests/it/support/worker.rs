//! The workers of a node, and waiting for their results.

use std::time::Duration;

use shop::app::App;
use shop_platform::jobs::model::Pace;
use shop_platform::jobs::worker::run;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// As fast as tests need it; even on a busy machine such a worker loses no lease.
pub const QUICK: Pace = Pace {
    lease: Duration::from_secs(4),
    beat: Duration::from_millis(250),
    look_again: Duration::from_millis(100),
    silent_after: Duration::from_secs(4),
};

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
