//! Counting events as they come.
//!
//! Whoever keeps an event queues it in the same transaction (a trigger does). A refresh takes events from the queue in batches; one
//! transaction adds a batch to its visits, moves what these visits mean to their days, and takes the batch from the queue. So each event
//! counts once, and the order does not matter.
//!
//! To count anew, everything from a day on is deleted, and its events are queued, earliest first. Until all are, only those are counted
//! that happened before what has yet to be queued: what comes in meanwhile is queued by the trigger, and not a second time.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use shop_base::context::Context;
use shop_base::db::purge::{Over, purge as purge_rows};
use shop_base::db::{Conn, DbError, decoded};
use uuid::Uuid;

use super::model::{Count, CountKind, Visits};
use super::store;
use super::store::{Key, Name, Queued};
use super::visit::{Seen, Visit, searched};
use crate::activity::service::RETENTION_MS;
use crate::analytics::days::{after, bounds, day_of};
use crate::analytics::store::{State, advance, state};

const NAME: &str = "visits";

/// Events of one transaction: others get their turn in between.
const BATCH: i64 = 1_000;
/// Transactions of one run; the next one goes on.
const MOST_STEPS: usize = 500;
/// Rows of one transaction that deletes.
const DELETED_AT_ONCE: i64 = 1_000;
/// Events of so long are queued at once. Milliseconds.
const SLICE_MS: i64 = 5 * 60 * 1000;
/// What was counted has yet to be deleted.
const CLEARING: i64 = -1;
/// All events are queued or counted.
const COMPLETE: i64 = i64::MAX;
/// A former release of the program looks for events from 10 minutes before this on, so it must not be older.
const LOOK_BACK_MS: i64 = 10 * 60 * 1000;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Days before today that events may still come of: browsers report up to a day late.
const OPEN_DAYS: i64 = 3;

/// Counts what is in the queue.
pub async fn refresh(cx: &Context) -> Result<(), DbError> {
    let mut state = state(&cx.db, NAME).await?;
    let zone_name = cx.config.company.time_zone.iana_name().unwrap_or_default();
    let today = day_of(cx.clock.now_ms(), &cx.config.company.time_zone);
    let from = if state.zone != zone_name {
        // Days of another zone are other days.
        Some(oldest(cx))
    } else if state.version != state.own_version {
        // A former release has counted days as a whole, events that stand in the queue included.
        Some(oldest(cx).max(after(today, -OPEN_DAYS)))
    } else {
        None
    };
    if let Some(from) = from {
        zone_name.clone_into(&mut state.zone);
        state.first_day = from.to_string();
        state.queued_until = CLEARING;
        let mut tx = cx.db.begin().await?;
        if !advance(&mut tx.conn(), NAME, &mut state).await? {
            return Ok(());
        }
        tx.commit().await?;
    }
    for _ in 0..MOST_STEPS {
        match step(cx, &mut state).await? {
            Done::Some => {}
            // Or another node is at it.
            Done::All => break,
        }
    }
    Ok(())
}

enum Done {
    Some,
    All,
}

/// One transaction's worth of deleting what is to be counted anew.
async fn clear(cx: &Context, state: &mut State) -> Result<Done, DbError> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    if !advance(&mut conn, NAME, state).await? {
        return Ok(Done::All);
    }
    if !store::delete_some(&mut conn, &state.first_day, DELETED_AT_ONCE).await? {
        state.queued_until = bounds(first_day(state)?, &cx.config.company.time_zone).0;
        advance(&mut conn, NAME, state).await?;
    }
    tx.commit().await?;
    Ok(Done::Some)
}

/// One transaction's worth of counting.
async fn step(cx: &Context, state: &mut State) -> Result<Done, DbError> {
    if state.queued_until == CLEARING {
        return clear(cx, state).await;
    }
    let now = cx.clock.now_ms();
    let queued = store::list_queued(&mut cx.db.read().await?.conn(), state.queued_until, BATCH).await?;
    let is_rest = queued.len() < usize::try_from(BATCH).unwrap_or(usize::MAX);
    let is_complete = state.queued_until == COMPLETE;
    if queued.is_empty() && is_complete && now - state.seen_until < LOOK_BACK_MS {
        return Ok(Done::All);
    }
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let mut next = None;
    if is_rest && is_complete {
        state.seen_until = now;
    } else if is_rest {
        next = store::find_next_event(&mut conn, state.queued_until).await?;
        state.queued_until = next.map_or(COMPLETE, |at| at + SLICE_MS);
    }
    if !advance(&mut conn, NAME, state).await? {
        return Ok(Done::All);
    }
    count(&mut conn, &queued, &cx.config.company.time_zone, first_day(state)?).await?;
    if let Some(from) = next {
        store::queue(&mut conn, from, from + SLICE_MS).await?;
    }
    tx.commit().await?;
    Ok(if is_rest && is_complete { Done::All } else { Done::Some })
}

fn first_day(state: &State) -> Result<Date, DbError> {
    decoded("first_day", state.first_day.parse())
}

/// The first day of which all events are still there; the two days at the edge may have lost some: browsers report up to a day late, and
/// clocks go wrong by as much.
fn oldest(cx: &Context) -> Date {
    day_of(cx.clock.now_ms() - RETENTION_MS + 2 * DAY_MS, &cx.config.company.time_zone)
}

/// Forgets the visits of days that nothing can come of any more; their figures stay.
pub async fn purge(cx: &Context) -> Result<(), DbError> {
    let zone = &cx.config.company.time_zone;
    let mut state = state(&cx.db, NAME).await?;
    if state.queued_until != COMPLETE || state.version != state.own_version {
        return Ok(());
    }
    let mut open = after(day_of(cx.clock.now_ms(), zone), -OPEN_DAYS);
    if let Some(queued) = store::find_first_queued(&mut cx.db.read().await?.conn()).await? {
        // A confirmation pays for a cart of the day before.
        open = open.min(after(day_of(queued, zone), -1));
    }
    if open > first_day(&state)? {
        state.first_day = open.to_string();
        let mut tx = cx.db.begin().await?;
        if !advance(&mut tx.conn(), NAME, &mut state).await? {
            return Ok(());
        }
        tx.commit().await?;
    }
    for (table, key) in store::VISITS {
        purge_rows(&cx.db, Over { table, key, condition: "day < $1" }, state.first_day.clone()).await?;
    }
    Ok(())
}

/// Part of the deletion of an account: visits no longer name the user.
pub async fn erase(conn: &mut Conn<'_>, user: Uuid) -> Result<(), DbError> {
    store::erase_user(conn, user).await
}

/// Moves events from the queue into their visits and days. Those of days before the first have come too late.
async fn count(conn: &mut Conn<'_>, queued: &[Queued], zone: &TimeZone, first_day: Date) -> Result<(), DbError> {
    let events: Vec<(Date, Key, &Seen)> = queued
        .iter()
        .filter_map(|each| each.event.as_ref())
        .map(|event| (day_of(event.at, zone), event))
        .filter(|(day, _)| *day >= first_day)
        .map(|(day, event)| (day, (day.to_string(), event.who()), event))
        .collect();
    if !events.is_empty() {
        count_days(conn, &events, zone, first_day).await?;
        count_names(conn, &events).await?;
    }
    store::delete_queued(conn, queued).await
}

async fn count_days(
    conn: &mut Conn<'_>,
    events: &[(Date, Key, &Seen)],
    zone: &TimeZone,
    first_day: Date,
) -> Result<(), DbError> {
    let former = store::find_visits(conn, &events.iter().map(|(_, key, _)| key.clone()).collect()).await?;
    let mut visits: HashMap<Key, Visit> = former.clone();
    let mut days: BTreeMap<Date, Visits> = BTreeMap::new();
    for (day, key, event) in events {
        let visit = visits.entry(key.clone()).or_insert_with(|| Visit::at(event.at));
        visit.add(event, bounds(*day, zone).0);
        let figures = days.entry(*day).or_default();
        figures.page_views += i64::from(event.kind == "page_view");
        figures.searches += i64::from(event.kind == "search");
        figures.empty_searches += i64::from(event.kind == "search" && event.results == Some(0));
    }
    for (day, key) in events.iter().map(|(day, key, _)| (day, key)).collect::<BTreeSet<_>>() {
        let figures = days.entry(*day).or_default();
        if let Some(former) = former.get(key) {
            figures.count(former, -1);
        }
        if let Some(visit) = visits.get(key) {
            figures.count(visit, 1);
        }
    }
    let carts = Carts::touched(conn, events, zone, first_day).await?;
    let paid_before = carts.count_paid(conn).await?;
    store::put_visits(conn, &visits).await?;
    let signed_in = events.iter().filter_map(|(_, key, event)| Some((key.clone(), event.user_id?))).collect();
    store::insert_users(conn, &signed_in).await?;
    let confirmed = events.iter().filter(|(_, _, event)| event.views_confirmation());
    let confirmed: Vec<(Key, &Seen)> = confirmed.map(|(_, key, event)| (key.clone(), *event)).collect();
    store::insert_confirmations(conn, &confirmed).await?;
    let paid = carts.count_paid(conn).await?;
    for day in carts.days.iter().chain(days.keys()).copied().collect::<BTreeSet<_>>() {
        let name = day.to_string();
        let known = store::list_days(conn, &[name.clone(), name.clone()]).await?.pop();
        let mut figures = known.map(|(_, figures)| figures).unwrap_or_default();
        if let Some(more) = days.get(&day) {
            figures += more;
        }
        let of = |paid: &HashMap<String, i64>| paid.get(&name).copied().unwrap_or_default();
        figures.carts_paid += of(&paid) - of(&paid_before);
        if figures != Visits::default() {
            store::put_day(conn, &name, &figures).await?;
        }
    }
    Ok(())
}

/// The carts that events may make paid or unpaid.
#[derive(Default)]
struct Carts {
    whos: BTreeSet<String>,
    days: BTreeSet<Date>,
}

impl Carts {
    async fn touched(
        conn: &mut Conn<'_>,
        events: &[(Date, Key, &Seen)],
        zone: &TimeZone,
        first_day: Date,
    ) -> Result<Self, DbError> {
        let mut carts = Self::default();
        let mut users = BTreeSet::new();
        for (day, (_, who), event) in events.iter().filter(|(.., event)| event.concerns_carts()) {
            carts.whos.insert(who.clone());
            users.extend(event.user_id);
            carts.days.insert(*day);
            if event.views_checkout() || event.views_confirmation() {
                // Who buys pays for a cart of the day before, too.
                carts.days.insert(day_of(event.at - DAY_MS, zone));
            }
        }
        carts.days.retain(|day| *day >= first_day);
        if !carts.whos.is_empty() {
            // A confirmation pays for what its user has put into a cart elsewhere.
            users.extend(store::list_confirmed_users(conn, &carts.whos).await?);
            carts.whos.extend(store::list_sessions_of(conn, &users).await?);
        }
        Ok(carts)
    }

    /// How many of them are paid, by day.
    async fn count_paid(&self, conn: &mut Conn<'_>) -> Result<HashMap<String, i64>, DbError> {
        if self.days.is_empty() {
            return Ok(HashMap::new());
        }
        let days = self.days.iter().map(ToString::to_string).collect();
        let later = self.days.iter().flat_map(|day| [0, 1, 2].map(|more| after(*day, more).to_string())).collect();
        Ok(store::count_paid_carts(conn, &self.whos, &days, &later).await?.into_iter().collect())
    }
}

async fn count_names(conn: &mut Conn<'_>, events: &[(Date, Key, &Seen)]) -> Result<(), DbError> {
    let mut counts: BTreeMap<(String, &str, String), (CountKind, Count)> = BTreeMap::new();
    let mut names: BTreeMap<(Key, &str, String), Name> = BTreeMap::new();
    for (_, key, event) in events {
        let Some((kind, name)) = counted(event) else { continue };
        let (_, count) = counts
            .entry((key.0.clone(), kind.text(), name.clone()))
            .or_insert_with(|| (kind, Count { name: name.clone(), ..Count::default() }));
        count.events += 1;
        count.empty += i64::from(event.results == Some(0));
        names.entry((key.clone(), kind.text(), name.clone())).or_insert_with(|| (key.clone(), kind, name));
    }
    let names: Vec<Name> = names.into_values().collect();
    for (day, kind, name) in store::insert_names(conn, &names).await? {
        let Ok(kind) = kind.parse::<CountKind>() else { continue };
        if let Some((_, count)) = counts.get_mut(&(day, kind.text(), name)) {
            count.visits += 1;
        }
    }
    let counts: Vec<_> = counts.into_iter().map(|((day, ..), (kind, count))| (day, kind, count)).collect();
    store::add_counts(conn, &counts).await
}

/// As what an event is counted by name.
fn counted(event: &Seen) -> Option<(CountKind, String)> {
    Some(match event.kind.as_str() {
        "page_view" => (CountKind::Page, event.page.clone()?),
        "feature_usage" => (CountKind::Feature, event.feature.clone()?),
        "search" => (CountKind::Search, searched(event.action.as_deref()?)),
        "cart_action" => (CountKind::Cart, event.action.clone()?),
        _ => return None,
    })
}
