//! Keeping the roll-ups up to date.

use std::sync::Arc;
use std::time::Duration;

use shop_base::context::Context;
use shop_base::db::DbError;
use shop_base::trace;
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::{sales, visits};

/// Maximum age of figures shown to a reader, in milliseconds.
const FRESH_MS: i64 = 5_000;
/// How long a reader waits for fresh figures: half of a page's time budget.
const PATIENCE: Duration = Duration::from_millis(50);

/// When this node last updated the roll-ups, UTC milliseconds. The holder of the lock updates them.
#[derive(Debug, Default)]
pub struct Freshness(Mutex<Option<i64>>);

/// Updates the roll-ups for a reader, unless that was done a moment ago. If it takes longer than a page may, the reader gets the figures
/// that the job left some seconds ago, and the update continues in the background. The same while the database takes no writes.
pub async fn refresh_for_reader(cx: &Context, last: &Arc<Freshness>) -> Result<(), DbError> {
    let (cx, last) = (cx.clone(), Arc::clone(last));
    let task = trace::spawn(async move { refresh_if_old(&cx, &last).await });
    match timeout(PATIENCE, task).await {
        Err(_) => Ok(()),
        Ok(Ok(Err(error))) if error.is_passing() => {
            tracing::warn!(%error, "the roll-ups could not be brought up to date yet");
            Ok(())
        }
        Ok(Ok(outcome)) => outcome,
        Ok(Err(crash)) => {
            tracing::error!(%crash, "the roll-ups could not be brought up to date");
            Ok(())
        }
    }
}

async fn refresh_if_old(cx: &Context, last: &Freshness) -> Result<(), DbError> {
    let mut last = last.0.lock().await;
    let now = cx.clock.now_ms();
    if last.is_some_and(|last| (0..FRESH_MS).contains(&(now - last))) {
        return Ok(());
    }
    refresh(cx).await?;
    *last = Some(now);
    Ok(())
}

/// Counts what has happened since the last run.
pub async fn refresh(cx: &Context) -> Result<(), DbError> {
    sales::service::refresh(cx).await?;
    visits::service::refresh(cx).await
}
