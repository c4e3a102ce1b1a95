//! Keeping the roll-ups right.

use std::sync::Arc;
use std::time::Duration;

use shop_base::context::Context;
use shop_base::db::DbError;
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::{sales, visits};

/// How old figures may be that somebody looks at, in milliseconds.
const FRESH_MS: i64 = 5_000;
/// How long they wait for fresh ones: half of what a page may take.
const PATIENCE: Duration = Duration::from_millis(50);

/// When this node last brought the roll-ups up to date, UTC milliseconds. Who holds it does.
#[derive(Debug, Default)]
pub struct Freshness(Mutex<Option<i64>>);

/// Brings the roll-ups up to date unless that was done a moment ago: for who looks at them. Where that takes longer than a page may, they
/// are shown as they are, which is as the job left them some seconds ago; they are brought up to date all the same.
pub async fn refresh_for_reader(cx: &Context, last: &Arc<Freshness>) -> Result<(), DbError> {
    let (cx, last) = (cx.clone(), Arc::clone(last));
    let task = tokio::spawn(async move { refresh_if_old(&cx, &last).await });
    match timeout(PATIENCE, task).await {
        Err(_) => Ok(()),
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

/// Counts what has happened since the last time.
pub async fn refresh(cx: &Context) -> Result<(), DbError> {
    sales::service::refresh(cx).await?;
    visits::service::refresh(cx).await
}
