//! Incremental counting of events.
//!
//! An event is queued in the transaction that stores it (by a trigger). A refresh takes events from the queue in batches; one transaction
//! adds a batch to its visits, updates the figures of their days, and deletes the batch from the queue. So each event counts once, and the
//! order does not matter, but for which sessions of a user are known if there are more than `MOST_KNOWN`, which names are counted by
//! themselves if a day has more than `MOST_NAMES`, and which time spans of a visit are joined if it has more than `MOST_LOOKS`.
//!
//! For a recount, everything from a day on is deleted, and its events are queued again, earliest first. Until all are queued, only events
//! before `queued_until` are counted: new events are queued by the trigger, and queuing them again has no effect.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use shop_base::context::Context;
use shop_base::db::purge::{Over, purge as purge_rows};
use shop_base::db::{Conn, DbError, decoded};
use uuid::Uuid;

use super::model::{Count, CountKind, MOST_NAMES, OTHER, Visits};
use super::store;
use super::store::{Counted, Key, Name, Queued};
use super::visit::{Seen, Visit, searched};
use crate::activity::service::RETENTION_MS;
use crate::analytics::days;
use crate::analytics::days::{after, bounds, day_of};
use crate::analytics::store::{State, advance, state};

const NAME: &str = "visits";

/// Events per transaction, so that other writers can run in between.
const BATCH: i64 = 1_000;
/// Transactions per run; the next run continues.
const MOST_STEPS: usize = 500;
/// Deleted rows per transaction.
const DELETED_AT_ONCE: i64 = 1_000;
/// The time span of events that are queued at once. Milliseconds.
const SLICE_MS: i64 = 5 * 60 * 1000;
/// The old counts have yet to be deleted.
const CLEARING: i64 = -1;
/// All events are queued or counted.
const COMPLETE: i64 = i64::MAX;
/// A former release looks for events from 10 minutes before this time on, so it must not be older.
const LOOK_BACK_MS: i64 = 10 * 60 * 1000;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// How many days before today may still change: browsers report up to a day late, a confirmation may pay for a cart of the day before, and one
/// to spare.
pub const OPEN_DAYS: i64 = 3;
/// So many sessions of a user are known, and so many views of confirmations of a session or a user: each event of theirs concerns all of
/// them, and browsers choose their number. The cart of a further session is paid in that session only.
const MOST_KNOWN: usize = 100;

/// Counts the queued events.
pub async fn refresh(cx: &Context) -> Result<(), DbError> {
    let mut state = state(&cx.db, NAME).await?;
    let zone_name = cx.zone().iana_name().unwrap_or_default();
    let today = day_of(cx.clock.now_ms(), cx.zone());
    let from = if state.zone != zone_name {
        // Days are different in another time zone.
        Some(oldest(cx))
    } else if state.version != state.own_version || is_ahead(&state, today) {
        // A former release has counted whole days, including events that are still queued; or the clock of whoever deleted visits was ahead,
        // and events since then were dropped as too late.
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
            // Or another node is running.
            Done::All => break,
        }
    }
    Ok(())
}

enum Done {
    Some,
    All,
}

/// Deletes counts for a recount, in one transaction.
async fn clear(cx: &Context, state: &mut State) -> Result<Done, DbError> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    if !advance(&mut conn, NAME, state).await? {
        return Ok(Done::All);
    }
    if !store::delete_some(&mut conn, &state.first_day, DELETED_AT_ONCE).await? {
        state.queued_until = bounds(first_day(state)?, cx.zone()).0;
        advance(&mut conn, NAME, state).await?;
    }
    tx.commit().await?;
    Ok(Done::Some)
}

/// Counts a batch, in one transaction.
async fn step(cx: &Context, state: &mut State) -> Result<Done, DbError> {
    if state.queued_until == CLEARING {
        return clear(cx, state).await;
    }
    let now = cx.clock.now_ms();
    let queued = store::list_queued(&mut cx.db.read().await?.conn(), state.queued_until, BATCH).await?;
    let is_rest = queued.len() < usize::try_from(BATCH).unwrap_or(usize::MAX);
    let is_complete = state.queued_until == COMPLETE;
    if queued.is_empty() && is_complete && (now - state.seen_until).abs() < LOOK_BACK_MS {
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
    count(&mut conn, &queued, cx.zone(), first_day(state)?).await?;
    if let Some(from) = next {
        store::queue(&mut conn, from, from + SLICE_MS).await?;
    }
    tx.commit().await?;
    Ok(if is_rest && is_complete { Done::All } else { Done::Some })
}

/// Whether the first day is yet to come.
fn is_ahead(state: &State, today: Date) -> bool {
    state.first_day.parse::<Date>().is_ok_and(|first| first > today)
}

fn first_day(state: &State) -> Result<Date, DbError> {
    decoded("first_day", state.first_day.parse())
}

/// The first day whose events are all still stored. The two oldest days may be incomplete: browsers report up to a day late, and clocks may
/// be wrong by as much.
fn oldest(cx: &Context) -> Date {
    day_of(cx.clock.now_ms() - RETENTION_MS + 2 * DAY_MS, cx.zone())
}

/// Deletes the visits of days that can no longer change; their figures are kept.
pub async fn purge(cx: &Context) -> Result<(), DbError> {
    let zone = cx.zone();
    let mut state = state(&cx.db, NAME).await?;
    if state.queued_until != COMPLETE || state.version != state.own_version {
        return Ok(());
    }
    let mut open = after(day_of(cx.clock.now_ms(), zone), -OPEN_DAYS);
    if let Some(queued) = store::find_first_queued(&mut cx.db.read().await?.conn()).await? {
        // A confirmation may pay for a cart of the previous day.
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

/// Part of the deletion of an account: removes the user from visits.
pub async fn erase(conn: &mut Conn<'_>, user: Uuid) -> Result<(), DbError> {
    store::erase_user(conn, user).await
}

/// Moves events from the queue into their visits and days. Events before the first day are too late and dropped.
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
    let mut carts = Carts::touched(conn, events, zone, first_day).await?;
    let paid_before = carts.count_paid(conn).await?;
    store::put_visits(conn, &visits).await?;
    store::insert_users(conn, &carts.sign_ins(events)).await?;
    let confirmed = confirmations(conn, events).await?;
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

/// The views of confirmations to be stored.
async fn confirmations<'a>(
    conn: &mut Conn<'_>,
    events: &[(Date, Key, &'a Seen)],
) -> Result<Vec<(Key, &'a Seen)>, DbError> {
    let views = events.iter().filter(|(.., event)| event.views_confirmation());
    let mut views: Vec<(Key, &Seen)> = views.map(|(_, key, event)| (key.clone(), *event)).collect();
    if views.is_empty() {
        return Ok(views);
    }
    let whos = views.iter().map(|((_, who), _)| who.clone()).collect();
    let users = views.iter().filter_map(|(_, event)| event.user_id).collect();
    // By session and by user.
    let mut known: HashMap<String, usize> = HashMap::new();
    let names_of = |who: &str, user: Option<Uuid>| -> Vec<String> {
        std::iter::once(who.to_owned()).chain(user.map(|user| user.to_string())).collect()
    };
    for (who, user) in store::list_confirmations(conn, &whos, &users).await? {
        for name in names_of(&who, user) {
            *known.entry(name).or_default() += 1;
        }
    }
    views.retain(|((_, who), event)| {
        let names = names_of(who, event.user_id);
        let has_place = names.iter().all(|name| known.get(name).is_none_or(|count| *count < MOST_KNOWN));
        if has_place {
            for name in names {
                *known.entry(name).or_default() += 1;
            }
        }
        has_place
    });
    Ok(views)
}

/// The carts whose paid state may change because of events.
#[derive(Default)]
struct Carts {
    whos: BTreeSet<String>,
    days: BTreeSet<Date>,
    /// The known sessions of the users concerned.
    sessions: HashMap<Uuid, BTreeSet<String>>,
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
                // A purchase may also pay for carts of the 24 hours before, in which a day of 23 hours may begin and end.
                carts.days.extend(days::all(day_of(event.at - DAY_MS, zone), *day));
            }
        }
        carts.days.retain(|day| *day >= first_day);
        if !carts.whos.is_empty() {
            // A confirmation also pays for carts of the same user in other sessions.
            users.extend(store::list_confirmed_users(conn, &carts.whos).await?);
            for (user, who) in store::list_sessions_of(conn, &users).await? {
                carts.whos.insert(who.clone());
                carts.sessions.entry(user).or_default().insert(who);
            }
        }
        Ok(carts)
    }

    /// Which users were signed in during visits, in sessions that are known as theirs.
    fn sign_ins(&mut self, events: &[(Date, Key, &Seen)]) -> BTreeSet<(Key, Uuid)> {
        let signed_in = events.iter().filter_map(|(_, key, event)| Some((key.clone(), event.user_id?)));
        let known = signed_in.filter(|((_, who), user)| {
            let sessions = self.sessions.entry(*user).or_default();
            sessions.contains(who) || (sessions.len() < MOST_KNOWN && sessions.insert(who.clone()))
        });
        known.collect()
    }

    /// The number of paid ones, by day.
    async fn count_paid(&self, conn: &mut Conn<'_>) -> Result<HashMap<String, i64>, DbError> {
        if self.days.is_empty() {
            return Ok(HashMap::new());
        }
        let days = self.days.iter().map(ToString::to_string).collect();
        let later = self.days.iter().flat_map(|day| [0, 1, 2].map(|more| after(*day, more).to_string())).collect();
        store::count_paid_carts(conn, &self.whos, &days, &later).await
    }
}

async fn count_names(conn: &mut Conn<'_>, events: &[(Date, Key, &Seen)]) -> Result<(), DbError> {
    let named = events.iter().filter_map(|(_, key, event)| {
        let (kind, name) = counted(event)?;
        Some(Named { key, event, kind, name })
    });
    let mut named: Vec<Named<'_>> = named.collect();
    limit_names(conn, &mut named).await?;
    let mut counts: BTreeMap<(String, &str, String), (CountKind, Count)> = BTreeMap::new();
    let mut names: BTreeMap<(Key, &str, String), Name> = BTreeMap::new();
    for Named { key, event, kind, name } in named {
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

/// An event that is counted under a name.
struct Named<'e> {
    key: &'e Key,
    event: &'e Seen,
    kind: CountKind,
    name: String,
}

impl Named<'_> {
    fn counted(&self) -> Counted {
        (self.key.0.clone(), self.kind.text().to_owned(), self.name.clone())
    }
}

/// Replaces the names for which their days have no room. Each batch is counted alone, so no other one takes the room meanwhile.
async fn limit_names(conn: &mut Conn<'_>, named: &mut [Named<'_>]) -> Result<(), DbError> {
    if named.is_empty() {
        return Ok(());
    }
    let mut known = store::list_counted(conn, &named.iter().map(Named::counted).collect()).await?;
    let mut room = HashMap::new();
    for each in named {
        let counted = each.counted();
        if known.contains(&counted) {
            continue;
        }
        let day = &each.key.0;
        let left = match room.entry((day, each.kind)) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(new) => new.insert(MOST_NAMES - store::count_names(conn, day, each.kind, MOST_NAMES).await?),
        };
        if *left > 0 {
            *left -= 1;
            known.insert(counted);
        } else {
            OTHER.clone_into(&mut each.name);
        }
    }
    Ok(())
}

/// The kind and name under which an event is counted.
fn counted(event: &Seen) -> Option<(CountKind, String)> {
    Some(match event.kind.as_str() {
        "page_view" => (CountKind::Page, event.page.clone()?),
        "feature_usage" => (CountKind::Feature, event.feature.clone()?),
        "search" => (CountKind::Search, searched(event.action.as_deref()?)),
        "cart_action" => (CountKind::Cart, event.action.clone()?),
        _ => return None,
    })
}
