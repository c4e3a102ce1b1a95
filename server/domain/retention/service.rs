//! The daily cleanup.

use shop_base::context::Context;
use shop_base::db::purge::{Over, purge as purge_rows};
use shop_base::db::{Db, DbError};
use shop_platform::jobs;
use shop_platform::jobs::model::{HOUR, is_clock_right};

use super::jobs::Clean;
use super::model::{Kept, TABLES};
use crate::sales::records::draft_orders;
use crate::{analytics, sales};

/// A daily cleanup is later than this if no node was up for days, or if the clock was set ahead.
const LATE_MS: i64 = 3 * 24 * HOUR;

/// Does the daily cleanup. One that comes so late that the clock may be wrong is left to the next day: by then it is right again.
pub async fn clean_daily(cx: &Context) -> Result<(), DbError> {
    // That of the job that is running.
    let due = jobs::service::find_next_run(&mut cx.db.read().await?.conn(), &Clean {}).await?;
    let late = due.map_or(0, |due| cx.clock.now_ms() - due);
    if late > LATE_MS {
        tracing::warn!(
            hours = late / HOUR,
            "the daily cleaning is late, as if this node’s clock were ahead: it is done a day later"
        );
        return Ok(());
    }
    clean(cx).await
}

/// Deletes expired rows, in batches. What is deleted by a wrong clock never comes back, so a node whose clock is wrong leaves it to others.
pub async fn clean(cx: &Context) -> Result<(), DbError> {
    if !is_clock_right(cx.db.clock_ahead().await?) {
        return Err(DbError::Inconsistent("this node's clock differs from the database's by more than a minute"));
    }
    let now = cx.clock.now_ms();
    let mut failed = None;
    for (table, _) in TABLES {
        match purge(&cx.db, table, now).await {
            Ok(0) => {}
            Ok(deleted) => tracing::info!(table, deleted, "rows were deleted whose time is over"),
            Err(error) => {
                tracing::error!(table, %error, "rows could not be deleted whose time is over");
                failed.get_or_insert(error);
            }
        }
    }
    // None of them waits for another to succeed.
    let others = [
        draft_orders::service::purge(cx).await,
        sales::records::orders::service::hash_tokens(cx).await,
        sales::privacy::purge_unpaid(cx).await,
        sales::privacy::erase_closed(cx).await,
        sales::privacy::forget_payers(cx).await,
        analytics::visits::service::purge(cx).await,
    ];
    failed.into_iter().map(Err).chain(others).collect()
}

/// Deletes the expired rows of a table by its rules in [`TABLES`]; returns their number.
pub async fn purge(db: &Db, table: &str, now: i64) -> Result<u64, DbError> {
    let mut deleted = 0;
    for (table, kept) in TABLES.iter().filter(|(name, _)| *name == table) {
        let Kept::Until(rules) = kept else { continue };
        for rule in *rules {
            let over = Over { table, key: rule.key, condition: rule.condition };
            deleted += purge_rows(db, over, now - rule.after).await?;
        }
    }
    Ok(deleted)
}
