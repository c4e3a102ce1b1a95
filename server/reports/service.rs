//! Keeping the roll-ups right.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::civil::Date;
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::days::{QUARTER_MS, after, bounds, day_of};
use super::store::{self, State};
use super::visits::count::{CART_MS, count};
use super::{sales, visits};
use crate::activity::service::RETENTION_MS;
use crate::app::App;
use crate::db::{Conn, DbError};

/// Rows carry the time at which they were made, and are seen when their transaction ends: so long before the last look we look again.
/// Milliseconds; no transaction lasts longer, and no two nodes' clocks are further apart.
const LOOK_BACK_MS: i64 = 10 * 60 * 1000;
/// How old figures may be that somebody looks at, in milliseconds.
const FRESH_MS: i64 = 5_000;
/// How long they wait for fresh ones: half of what a page may take.
const PATIENCE: Duration = Duration::from_millis(50);

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// When this node last brought the roll-ups up to date, UTC milliseconds. Who holds it does.
#[derive(Debug, Default)]
pub struct Freshness(Mutex<Option<i64>>);

/// Which figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Sales,
    Visits,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Sales => "sales",
            Self::Visits => "visits",
        }
    }
}

/// Brings the roll-ups up to date unless that was done a moment ago: for who looks at them. Where that takes longer than a page may, they
/// are shown as they are, which is as the job left them some seconds ago; they are brought up to date all the same.
pub async fn refresh_for_reader(app: &App) -> Result<(), DbError> {
    let app = app.clone();
    let task = tokio::spawn(async move { refresh_if_old(&app).await });
    match timeout(PATIENCE, task).await {
        Err(_) => Ok(()),
        Ok(Ok(outcome)) => outcome,
        Ok(Err(crash)) => {
            tracing::error!(%crash, "the roll-ups could not be brought up to date");
            Ok(())
        }
    }
}

async fn refresh_if_old(app: &App) -> Result<(), DbError> {
    let mut last = app.reports.0.lock().await;
    let now = app.clock.now_ms();
    if last.is_some_and(|last| (0..FRESH_MS).contains(&(now - last))) {
        return Ok(());
    }
    refresh(app).await?;
    *last = Some(now);
    Ok(())
}

/// Makes the days anew that something has happened to since the last time.
pub async fn refresh(app: &App) -> Result<(), DbError> {
    for kind in [Kind::Sales, Kind::Visits] {
        refresh_kind(app, kind).await?;
    }
    Ok(())
}

async fn refresh_kind(app: &App, kind: Kind) -> Result<(), DbError> {
    let now = app.clock.now_ms();
    let zone = &app.config.company.time_zone;
    let zone_name = zone.iana_name().unwrap_or_default();
    let mut state = state_of(app, kind).await?;
    let starts_over = state.zone != zone_name;
    let since = if starts_over { 0 } else { state.seen_until - LOOK_BACK_MS };
    let days = touched(app, kind, since, oldest(app, kind)).await?;
    if days.is_empty() && !starts_over && now - state.seen_until < LOOK_BACK_MS {
        return Ok(());
    }
    if starts_over {
        // Days of another zone are other days.
        let mut tx = app.db.begin().await?;
        if !write_in_turn(&mut tx.conn(), kind, &mut state).await? {
            return Ok(());
        }
        let from = oldest(app, kind).to_string();
        match kind {
            Kind::Sales => sales::store::delete_from(&mut tx.conn(), &from).await?,
            Kind::Visits => visits::store::delete_from(&mut tx.conn(), &from).await?,
        }
        tx.commit().await?;
    }
    for day in days {
        if !make(app, kind, day, &mut state).await? {
            // Another node is at it and will see what we have seen.
            return Ok(());
        }
    }
    let mut tx = app.db.begin().await?;
    let done = State { zone: zone_name.to_owned(), seen_until: now, version: state.version };
    store::advance(&mut tx.conn(), kind.name(), &done).await?;
    tx.commit().await
}

async fn state_of(app: &App, kind: Kind) -> Result<State, DbError> {
    let name = kind.name();
    if let Some(state) = store::get_state(&mut app.db.read().await?.conn(), name).await? {
        return Ok(state);
    }
    let mut tx = app.db.begin().await?;
    store::insert_state(&mut tx.conn(), name).await?;
    let state = store::get_state(&mut tx.conn(), name).await?;
    tx.commit().await?;
    state.ok_or(DbError::Inconsistent("a roll-up has no state"))
}

/// The first day of which all rows are still there. Orders are kept for ever; of activity the two days at the edge may have lost some:
/// browsers report up to a day late, and clocks go wrong by as much.
fn oldest(app: &App, kind: Kind) -> Date {
    match kind {
        Kind::Sales => Date::MIN,
        Kind::Visits => {
            let kept = app.clock.now_ms() - RETENTION_MS + 2 * DAY_MS;
            day_of(kept, &app.config.company.time_zone)
        }
    }
}

/// The days that rows of since then concern.
async fn touched(app: &App, kind: Kind, since: i64, oldest: Date) -> Result<BTreeSet<Date>, DbError> {
    let zone = &app.config.company.time_zone;
    let day = |quarter: i64| day_of(quarter * QUARTER_MS, zone);
    let mut reader = app.db.read().await?;
    let mut conn = reader.conn();
    let mut days = BTreeSet::new();
    match kind {
        Kind::Sales => days.extend(sales::store::list_touched(&mut conn, since).await?.into_iter().map(day)),
        Kind::Visits => {
            for (quarter, bought) in visits::store::list_touched(&mut conn, since).await? {
                days.insert(day(quarter));
                if bought {
                    // It pays for carts of the day before.
                    days.insert(after(day(quarter), -1));
                }
            }
        }
    }
    days.retain(|day| *day >= oldest);
    Ok(days)
}

/// Makes a day's figures; false when somebody else wrote since we began.
async fn make(app: &App, kind: Kind, day: Date, state: &mut State) -> Result<bool, DbError> {
    let (from, until) = bounds(day, &app.config.company.time_zone);
    let name = day.to_string();
    match kind {
        Kind::Sales => {
            let (figures, products) = sales::store::count(&mut app.db.read().await?.conn(), from, until).await?;
            let mut tx = app.db.begin().await?;
            let is_ours = write_in_turn(&mut tx.conn(), kind, state).await?;
            if is_ours {
                sales::store::replace(&mut tx.conn(), &name, &figures, &products).await?;
                tx.commit().await?;
            }
            Ok(is_ours)
        }
        Kind::Visits => {
            let mut reader = app.db.read().await?;
            let events = visits::store::list_events(&mut reader.conn(), from, until).await?;
            let later = visits::store::list_purchases(&mut reader.conn(), until, until + CART_MS).await?;
            drop(reader);
            let (figures, counts) = count(&events, &later, from);
            let mut tx = app.db.begin().await?;
            let is_ours = write_in_turn(&mut tx.conn(), kind, state).await?;
            if is_ours {
                visits::store::replace(&mut tx.conn(), &name, &figures, &counts).await?;
                tx.commit().await?;
            }
            Ok(is_ours)
        }
    }
}

/// Takes the right to write, and counts the write.
async fn write_in_turn(conn: &mut Conn<'_>, kind: Kind, state: &mut State) -> Result<bool, DbError> {
    let is_ours = store::advance(conn, kind.name(), state).await?;
    state.version += 1;
    Ok(is_ours)
}
