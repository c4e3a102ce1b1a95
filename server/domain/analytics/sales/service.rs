//! Recomputes the figures of days from their orders, payments and refunds.

use std::collections::BTreeSet;

use jiff::civil::Date;
use shop_base::context::Context;
use shop_base::db::DbError;

use super::model::ProductSales;
use super::store;
use crate::analytics::days::{QUARTER_MS, bounds, day_of};
use crate::analytics::store::{State, advance, state};

const NAME: &str = "sales";
/// Rows carry the time at which they were written but only become visible when their transaction commits, so each run looks this far back
/// before the previous one. Milliseconds; longer than any transaction and any clock difference between nodes.
const LOOK_BACK_MS: i64 = 10 * 60 * 1000;
/// A day before all others, as text.
const BEFORE_ALL: &str = "0000-01-01";

/// Recomputes the days that have changed since the last run. If all days have to be recounted, it goes on after the last one that a run has
/// reached: runs end early when their node stops, or when another one, or a reader, updates the figures in between.
pub async fn refresh(cx: &Context) -> Result<(), DbError> {
    let now = cx.clock.now_ms();
    let zone_name = cx.zone().iana_name().unwrap_or_default();
    let mut state = state(&cx.db, NAME).await?;
    if state.zone != zone_name && !start_recount(cx, zone_name, &mut state).await? {
        return Ok(());
    }
    // A clock that was ahead may have stored a time that is yet to come.
    let mut days = touched(cx, state.seen_until.min(now) - LOOK_BACK_MS).await?;
    let is_recount = !state.first_day.is_empty();
    if is_recount {
        days.extend(touched(cx, 0).await?.into_iter().filter(|day| day.to_string() > state.first_day));
    } else if days.is_empty() && (now - state.seen_until).abs() < LOOK_BACK_MS {
        return Ok(());
    }
    for day in days {
        // They are in order.
        if is_recount && day.to_string() > state.first_day {
            state.first_day = day.to_string();
        }
        if !make(cx, day, &mut state).await? {
            // Another node is running and will see the same changes.
            return Ok(());
        }
    }
    state.first_day.clear();
    state.seen_until = now;
    let mut tx = cx.db.begin().await?;
    advance(&mut tx.conn(), NAME, &mut state).await?;
    tx.commit().await
}

/// Deletes all figures, since days are different in another time zone; false if another node wrote meanwhile. What is written from now on
/// counts as not seen until the recount is complete.
async fn start_recount(cx: &Context, zone_name: &str, state: &mut State) -> Result<bool, DbError> {
    zone_name.clone_into(&mut state.zone);
    state.seen_until = cx.clock.now_ms();
    BEFORE_ALL.clone_into(&mut state.first_day);
    let mut tx = cx.db.begin().await?;
    let is_ours = advance(&mut tx.conn(), NAME, state).await?;
    if is_ours {
        store::delete_all(&mut tx.conn()).await?;
        tx.commit().await?;
    }
    Ok(is_ours)
}

/// The days affected by rows written since then.
async fn touched(cx: &Context, since: i64) -> Result<BTreeSet<Date>, DbError> {
    let zone = cx.zone();
    let quarters = store::list_touched(&mut cx.db.read().await?.conn(), since).await?;
    Ok(quarters.into_iter().map(|quarter| day_of(quarter * QUARTER_MS, zone)).collect())
}

/// Recomputes a day's figures; false if another node wrote since this run began.
async fn make(cx: &Context, day: Date, state: &mut State) -> Result<bool, DbError> {
    let (from, until) = bounds(day, cx.zone());
    let day = day.to_string();
    let mut reader = cx.db.read().await?;
    let (figures, counted) = store::count(&mut reader.conn(), from, until).await?;
    // If `advance` succeeds, nobody has written since, and these are still stored.
    let stored = store::list_day_products(&mut reader.conn(), &day).await?;
    drop(reader);
    let old: Vec<&ProductSales> = stored.difference(&counted).collect();
    let new: Vec<&ProductSales> = counted.difference(&stored).collect();
    let mut tx = cx.db.begin().await?;
    let is_ours = advance(&mut tx.conn(), NAME, state).await?;
    if is_ours {
        store::replace_day(&mut tx.conn(), &day, &figures).await?;
        store::delete_products(&mut tx.conn(), &day, &old).await?;
        store::insert_products(&mut tx.conn(), &day, &new).await?;
        tx.commit().await?;
    }
    Ok(is_ours)
}
