//! Tasks that last as long as the node.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::sleep;

/// Before a task that has panicked is begun again.
const PAUSE: Duration = Duration::from_secs(1);

/// Runs a task until it ends by itself. If it panics, it is restarted; `begin` is told whether this is so.
pub async fn supervise<Task>(name: &str, begin: impl Fn(bool) -> Task)
where
    Task: Future<Output = ()> + Send + 'static,
{
    let mut again = false;
    loop {
        // Dropping it aborts the task.
        let mut task = JoinSet::new();
        task.spawn(begin(again));
        match task.join_next().await {
            Some(Err(error)) if error.is_panic() => {
                tracing::error!(name, %error, "a task has panicked; it is begun again");
                sleep(PAUSE).await;
                again = true;
            }
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::supervise;

    #[tokio::test]
    async fn a_task_that_panics_is_begun_again() {
        let begun = AtomicUsize::new(0);
        supervise("test", |again| {
            begun.fetch_add(1, Ordering::Relaxed);
            async move { assert!(again, "it panics once") }
        })
        .await;
        assert_eq!(begun.into_inner(), 2);
    }
}
