//! SQL of the visits. Statements with a list of values have another text nearly each time, so they are not kept prepared: they would take the
//! places of others.

use std::collections::{BTreeSet, HashMap, HashSet};

use shop_base::db::{Conn, DbError, decoded};
use shop_base::sql;
use sqlx::FromRow;
use uuid::Uuid;

use super::model::{Count, CountKind, Lengths, OTHER, Visits};
use super::visit::{Seen, Visit};

/// Values per statement: SQLite allows 32,766 parameters.
const AT_ONCE: usize = 10_000;

/// After this time without an order a cart counts as abandoned, in milliseconds.
const CART_MS: i64 = 24 * 60 * 60 * 1000;

/// Identifies a visit: day and session.
pub type Key = (String, String);

/// A queue entry; without an event if that was deleted.
#[derive(Clone, Debug)]
pub struct Queued {
    pub at: i64,
    pub id: Uuid,
    pub event: Option<Seen>,
}

/// The first queued events before a time, in chronological order.
pub async fn list_queued(conn: &mut Conn<'_>, until: i64, limit: i64) -> Result<Vec<Queued>, DbError> {
    #[derive(FromRow)]
    struct Row {
        at: i64,
        id: Uuid,
        kind: Option<String>,
        page: Option<String>,
        feature: Option<String>,
        action: Option<String>,
        results: Option<i64>,
        session_duration: Option<i64>,
        session_id: Option<Uuid>,
        user_id: Option<Uuid>,
        network: Option<String>,
    }
    const SQL: &str = "SELECT q.occurred_at AS at, q.event_id AS id, e.kind AS kind, e.page AS page, e.feature AS feature,
            e.action AS action, e.results AS results, e.session_duration AS session_duration, e.session_id AS session_id,
            e.user_id AS user_id, e.network AS network
        FROM uncounted_events q LEFT JOIN activity_events e ON e.id = q.event_id
        WHERE q.occurred_at < $1 ORDER BY q.occurred_at, q.event_id LIMIT $2";
    let rows: Vec<Row> = sql!(conn, c => sqlx::query_as(SQL).bind(until).bind(limit).fetch_all(c).await)?;
    let queued = |row: Row| {
        let event = row.kind.zip(row.network).map(|(kind, network)| Seen {
            id: row.id,
            kind,
            page: row.page,
            feature: row.feature,
            action: row.action,
            results: row.results,
            session_duration: row.session_duration,
            session_id: row.session_id,
            user_id: row.user_id,
            network,
            at: row.at,
        });
        Queued { at: row.at, id: row.id, event }
    };
    Ok(rows.into_iter().map(queued).collect())
}

/// Removes these entries, which must be in order, from the queue.
pub async fn delete_queued(conn: &mut Conn<'_>, queued: &[Queued]) -> Result<(), DbError> {
    // The time range lets SQLite use its index; with pairs of time and id it would scan the whole queue.
    let (Some(first), Some(last)) = (queued.first(), queued.last()) else { return Ok(()) };
    sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new("DELETE FROM uncounted_events WHERE occurred_at >= ");
        query.push_bind(first.at).push(" AND occurred_at <= ").push_bind(last.at).push(" AND event_id IN (");
        let mut ids = query.separated(", ");
        for each in queued {
            ids.push_bind(each.id);
        }
        query.push(")").build().persistent(false).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// The time of the first queued event, UTC milliseconds.
pub async fn find_first_queued(conn: &mut Conn<'_>) -> Result<Option<i64>, DbError> {
    const SQL: &str = "SELECT MIN(occurred_at) FROM uncounted_events";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).fetch_one(c).await)?)
}

/// The time of the first event at or after a time, UTC milliseconds.
pub async fn find_next_event(conn: &mut Conn<'_>, from: i64) -> Result<Option<i64>, DbError> {
    const SQL: &str = "SELECT MIN(occurred_at) FROM activity_events WHERE occurred_at >= $1";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(from).fetch_one(c).await)?)
}

/// Queues the events between two instants, unless they are queued already.
pub async fn queue(conn: &mut Conn<'_>, from: i64, until: i64) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO uncounted_events (occurred_at, event_id)
        SELECT occurred_at, id FROM activity_events WHERE occurred_at >= $1 AND occurred_at < $2 ON CONFLICT DO NOTHING";
    sql!(conn, c => sqlx::query(SQL).bind(from).bind(until).execute(c).await.map(drop))?;
    Ok(())
}

/// The stored visits among these.
pub async fn find_visits(conn: &mut Conn<'_>, keys: &BTreeSet<Key>) -> Result<HashMap<Key, Visit>, DbError> {
    #[derive(FromRow)]
    struct Row {
        day: String,
        who: String,
        first_at: i64,
        last_at: i64,
        saw_product: bool,
        checkout_at: Option<i64>,
        checkout_event: Option<Uuid>,
        confirmed_at: Option<i64>,
        confirmed_event: Option<Uuid>,
        filled_at: Option<i64>,
        looks: String,
    }
    // With this join order SQLite looks up each one by index.
    const SQL: &str = ") SELECT v.day AS day, v.who AS who, v.first_at AS first_at, v.last_at AS last_at,
            v.saw_product AS saw_product, v.checkout_at AS checkout_at, v.checkout_event AS checkout_event,
            v.confirmed_at AS confirmed_at, v.confirmed_event AS confirmed_event, v.filled_at AS filled_at, v.looks AS looks
        FROM k CROSS JOIN visits v WHERE v.day = k.day AND v.who = k.who";
    let rows: Vec<Row> = sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new("WITH k(day, who) AS (");
        query.push_values(keys, |mut row, (day, who)| {
            row.push_bind(day).push_bind(who);
        });
        query.push(SQL).build_query_as().persistent(false).fetch_all(c).await
    })?;
    let visit = |row: Row| {
        let visit = Visit {
            first_at: row.first_at,
            last_at: row.last_at,
            saw_product: row.saw_product,
            checkout: row.checkout_at.zip(row.checkout_event),
            confirmed: row.confirmed_at.zip(row.confirmed_event),
            filled_at: row.filled_at,
            looks: decoded("looks", serde_json::from_str(&row.looks))?,
        };
        Ok(((row.day, row.who), visit))
    };
    rows.into_iter().map(visit).collect()
}

/// Inserts or updates visits.
pub async fn put_visits(conn: &mut Conn<'_>, visits: &HashMap<Key, Visit>) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO visits (day, who, first_at, last_at, saw_product, checkout_at, checkout_event,
        confirmed_at, confirmed_event, filled_at, looks) ";
    const KNOWN: &str = " ON CONFLICT (day, who) DO UPDATE SET first_at = excluded.first_at, last_at = excluded.last_at,
        saw_product = excluded.saw_product, checkout_at = excluded.checkout_at, checkout_event = excluded.checkout_event,
        confirmed_at = excluded.confirmed_at, confirmed_event = excluded.confirmed_event,
        filled_at = excluded.filled_at, looks = excluded.looks";
    sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new(SQL);
        query.push_values(visits, |mut row, ((day, who), visit)| {
            row.push_bind(day).push_bind(who).push_bind(visit.first_at).push_bind(visit.last_at)
                .push_bind(visit.saw_product).push_bind(visit.checkout.map(|(at, _)| at))
                .push_bind(visit.checkout.map(|(_, event)| event)).push_bind(visit.confirmed.map(|(at, _)| at))
                .push_bind(visit.confirmed.map(|(_, event)| event)).push_bind(visit.filled_at)
                .push_bind(serde_json::to_string(&visit.looks).unwrap_or_default());
        });
        query.push(KNOWN).build().persistent(false).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// A name counted once per visit, with its kind.
pub type Name = (Key, CountKind, String);

/// Stores that these were counted; returns day, kind and name of those that were new.
pub async fn insert_names(conn: &mut Conn<'_>, names: &[Name]) -> Result<Vec<(String, String, String)>, DbError> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    Ok(sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new("INSERT INTO visit_names (day, who, kind, name) ");
        query.push_values(names, |mut row, ((day, who), kind, name)| {
            row.push_bind(day).push_bind(who).push_bind(kind.text()).push_bind(name);
        });
        query.push(" ON CONFLICT DO NOTHING RETURNING day, kind, name").build_query_as().persistent(false).fetch_all(c).await
    })?)
}

/// Stores which users were signed in during visits.
pub async fn insert_users(conn: &mut Conn<'_>, users: &BTreeSet<(Key, Uuid)>) -> Result<(), DbError> {
    if users.is_empty() {
        return Ok(());
    }
    sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new("INSERT INTO visit_users (day, who, user_id) ");
        query.push_values(users, |mut row, ((day, who), user)| {
            row.push_bind(day).push_bind(who).push_bind(user);
        });
        query.push(" ON CONFLICT DO NOTHING").build().persistent(false).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// Stores views of order confirmations.
pub async fn insert_confirmations(conn: &mut Conn<'_>, views: &[(Key, &Seen)]) -> Result<(), DbError> {
    if views.is_empty() {
        return Ok(());
    }
    sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new("INSERT INTO visit_confirmations (day, event_id, who, user_id, at) ");
        query.push_values(views, |mut row, ((day, who), event)| {
            row.push_bind(day).push_bind(event.id).push_bind(who).push_bind(event.user_id).push_bind(event.at);
        });
        query.push(" ON CONFLICT DO NOTHING").build().persistent(false).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// The users who were signed in when they saw a confirmation in these sessions.
pub async fn list_confirmed_users(conn: &mut Conn<'_>, whos: &BTreeSet<String>) -> Result<Vec<Uuid>, DbError> {
    Ok(sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new(
            "SELECT DISTINCT user_id FROM visit_confirmations WHERE user_id IS NOT NULL AND who IN (");
        let mut list = query.separated(", ");
        for who in whos {
            list.push_bind(who);
        }
        query.push(")").build_query_scalar().persistent(false).fetch_all(c).await
    })?)
}

/// The session and, if signed in, the user of each stored view of a confirmation in these sessions or by these users.
pub async fn list_confirmations(
    conn: &mut Conn<'_>,
    whos: &BTreeSet<String>,
    users: &BTreeSet<Uuid>,
) -> Result<Vec<(String, Option<Uuid>)>, DbError> {
    Ok(sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new("SELECT who, user_id FROM visit_confirmations WHERE who IN (");
        let mut list = query.separated(", ");
        for who in whos {
            list.push_bind(who);
        }
        query.push(")");
        if !users.is_empty() {
            let mut list = query.push(" OR user_id IN (").separated(", ");
            for user in users {
                list.push_bind(user);
            }
            query.push(")");
        }
        query.build_query_as().persistent(false).fetch_all(c).await
    })?)
}

/// The sessions in which these users were signed in, with their users.
pub async fn list_sessions_of(conn: &mut Conn<'_>, users: &BTreeSet<Uuid>) -> Result<Vec<(Uuid, String)>, DbError> {
    let users: Vec<Uuid> = users.iter().copied().collect();
    let mut sessions = Vec::new();
    for users in users.chunks(AT_ONCE) {
        let found: Vec<(Uuid, String)> = sql!(&mut *conn, c => {
            let mut query =
                sqlx::QueryBuilder::new("SELECT DISTINCT user_id, who FROM visit_users WHERE user_id IN (");
            let mut list = query.separated(", ");
            for user in users {
                list.push_bind(*user);
            }
            query.push(")").build_query_as().persistent(false).fetch_all(c).await
        })?;
        sessions.extend(found);
    }
    Ok(sessions)
}

/// The number of paid carts of these sessions, by day. A cart is paid by a confirmation within 24 hours, seen in the same session or by a
/// user of the visit, that followed a checkout of its own session on the cart's day or later. `later` are the days and the two after each
/// of them.
pub async fn count_paid_carts(
    conn: &mut Conn<'_>,
    whos: &BTreeSet<String>,
    days: &BTreeSet<String>,
    later: &BTreeSet<String>,
) -> Result<HashMap<String, i64>, DbError> {
    let in_time = format!("c.at >= v.filled_at AND c.at <= v.filled_at + {CART_MS}");
    let follows = "EXISTS (SELECT 1 FROM later l CROSS JOIN visits k WHERE l.day >= v.day AND k.day = l.day
        AND k.who = c.who AND k.checkout_at IS NOT NULL AND (k.checkout_at, k.checkout_event) < (c.at, c.event_id))";
    let whos: Vec<&String> = whos.iter().collect();
    let mut paid: HashMap<String, i64> = HashMap::new();
    for whos in whos.chunks(AT_ONCE) {
        let found: Vec<(String, i64)> = sql!(&mut *conn, c => {
            let mut query = sqlx::QueryBuilder::new("WITH later(day) AS (");
            query.push_values(later, |mut row, day| {
                row.push_bind(day);
            });
            query.push(") SELECT v.day, COUNT(*) FROM visits v WHERE v.filled_at IS NOT NULL AND v.day IN (");
            let mut list = query.separated(", ");
            for day in days {
                list.push_bind(day);
            }
            query.push(") AND v.who IN (");
            let mut list = query.separated(", ");
            for who in whos {
                list.push_bind(*who);
            }
            query.push(format!(
                ") AND (EXISTS (SELECT 1 FROM visit_confirmations c WHERE c.who = v.who AND {in_time} AND {follows})
                    OR EXISTS (SELECT 1 FROM visit_users u JOIN visit_confirmations c ON c.user_id = u.user_id
                        WHERE u.day = v.day AND u.who = v.who AND {in_time} AND {follows})) GROUP BY v.day"
            ));
            query.build_query_as().persistent(false).fetch_all(c).await
        })?;
        for (day, count) in found {
            *paid.entry(day).or_default() += count;
        }
    }
    Ok(paid)
}

/// Stores a day's figures.
pub async fn put_day(conn: &mut Conn<'_>, day: &str, visits: &Visits) -> Result<(), DbError> {
    const SQL: &str =
        "INSERT INTO visit_days (day, visits, page_views, searches, empty_searches, products, baskets, checkouts,
        buyers, carts, carts_paid, seconds, lengths) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        ON CONFLICT (day) DO UPDATE SET visits = excluded.visits, page_views = excluded.page_views,
        searches = excluded.searches, empty_searches = excluded.empty_searches, products = excluded.products,
        baskets = excluded.baskets, checkouts = excluded.checkouts, buyers = excluded.buyers, carts = excluded.carts,
        carts_paid = excluded.carts_paid, seconds = excluded.seconds, lengths = excluded.lengths";
    sql!(conn, c => sqlx::query(SQL).bind(day).bind(visits.visits).bind(visits.page_views).bind(visits.searches)
        .bind(visits.empty_searches).bind(visits.products).bind(visits.baskets).bind(visits.checkouts).bind(visits.buyers)
        .bind(visits.carts).bind(visits.carts_paid).bind(visits.seconds).bind(visits.lengths.json())
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Day, kind and name of a count.
pub type Counted = (String, String, String);

/// Those of these that are counted already.
pub async fn list_counted(conn: &mut Conn<'_>, names: &BTreeSet<Counted>) -> Result<HashSet<Counted>, DbError> {
    // With this join order SQLite looks up each one by index.
    const SQL: &str = ") SELECT c.day, c.kind, c.name FROM k CROSS JOIN visit_counts c
        WHERE c.kind = k.kind AND c.day = k.day AND c.name = k.name";
    let found: Vec<Counted> = sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new("WITH k(day, kind, name) AS (");
        query.push_values(names, |mut row, (day, kind, name)| {
            row.push_bind(day).push_bind(kind).push_bind(name);
        });
        query.push(SQL).build_query_as().persistent(false).fetch_all(c).await
    })?;
    Ok(found.into_iter().collect())
}

/// The number of names of a kind on a day, counted up to a limit, without the one for all further names.
pub async fn count_names(conn: &mut Conn<'_>, day: &str, kind: CountKind, limit: i64) -> Result<i64, DbError> {
    const SQL: &str = "SELECT COUNT(*) FROM (SELECT 1 FROM visit_counts
        WHERE kind = $1 AND day = $2 AND name <> $3 LIMIT $4) AS counted";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(kind.text()).bind(day).bind(OTHER).bind(limit).fetch_one(c).await)?)
}

/// Adds to the counts of names, each with its day and kind.
pub async fn add_counts(conn: &mut Conn<'_>, counts: &[(String, CountKind, Count)]) -> Result<(), DbError> {
    if counts.is_empty() {
        return Ok(());
    }
    sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new("INSERT INTO visit_counts (kind, day, name, events, visits, empty) ");
        query.push_values(counts, |mut row, (day, kind, count)| {
            row.push_bind(kind.text()).push_bind(day).push_bind(&count.name).push_bind(count.events)
                .push_bind(count.visits).push_bind(count.empty);
        });
        query.push(" ON CONFLICT (kind, day, name) DO UPDATE SET events = visit_counts.events + excluded.events,
            visits = visit_counts.visits + excluded.visits, empty = visit_counts.empty + excluded.empty")
            .build().persistent(false).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// The tables of individual visits, with their key columns.
pub const VISITS: [(&str, &str); 4] = [
    ("visit_names", "day, who, kind, name"),
    ("visit_users", "day, who, user_id"),
    ("visit_confirmations", "day, event_id"),
    ("visits", "day, who"),
];

pub async fn erase_user(conn: &mut Conn<'_>, user: Uuid) -> Result<(), DbError> {
    for sql in [
        "DELETE FROM visit_users WHERE user_id = $1",
        "UPDATE visit_confirmations SET user_id = NULL WHERE user_id = $1",
    ] {
        sql!(&mut *conn, c => sqlx::query(sql).bind(user).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// Deletes a limited number of figures from a day on, and of individual visits of any day; returns whether more may be left.
pub async fn delete_some(conn: &mut Conn<'_>, from: &str, limit: i64) -> Result<bool, DbError> {
    // All kinds are listed so that the index, which starts with the kind, is used.
    let counts = "kind IN ('page', 'feature', 'search', 'cart') AND day >= $1";
    let figures = [("visit_counts", "kind, day, name", counts, from), ("visit_days", "day", "day >= $1", from)];
    let visits = VISITS.map(|(table, key)| (table, key, "day >= $1", ""));
    for (table, key, which, from) in figures.into_iter().chain(visits) {
        let sql = sqlx::AssertSqlSafe(format!(
            "DELETE FROM {table} WHERE ({key}) IN (SELECT {key} FROM {table} WHERE {which} LIMIT $2)"
        ));
        let deleted = sql!(&mut *conn, c => sqlx::query(sql).bind(from).bind(limit).execute(c).await
            .map(|done| done.rows_affected()))?;
        if deleted > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

#[derive(FromRow)]
struct DayRow {
    day: String,
    visits: i64,
    page_views: i64,
    searches: i64,
    empty_searches: i64,
    products: i64,
    baskets: i64,
    checkouts: i64,
    buyers: i64,
    carts: i64,
    carts_paid: i64,
    seconds: i64,
    lengths: String,
}

/// The figures of the days from first to last, in order.
pub async fn list_days(conn: &mut Conn<'_>, [first, last]: &[String; 2]) -> Result<Vec<(String, Visits)>, DbError> {
    const SQL: &str =
        "SELECT day, visits, page_views, searches, empty_searches, products, baskets, checkouts, buyers, carts,
        carts_paid, seconds, lengths FROM visit_days WHERE day >= $1 AND day <= $2 ORDER BY day";
    let rows: Vec<DayRow> = sql!(conn, c => sqlx::query_as(SQL).bind(first).bind(last).fetch_all(c).await)?;
    let figures = |row: DayRow| {
        let figures = Visits {
            visits: row.visits,
            page_views: row.page_views,
            searches: row.searches,
            empty_searches: row.empty_searches,
            products: row.products,
            baskets: row.baskets,
            checkouts: row.checkouts,
            buyers: row.buyers,
            carts: row.carts,
            carts_paid: row.carts_paid,
            seconds: row.seconds,
            lengths: decoded("lengths", Lengths::of_json(&row.lengths))?,
        };
        Ok((row.day, figures))
    };
    rows.into_iter().map(figures).collect()
}

/// The most frequent names between two days; with `only_empty` only searches without a result.
pub async fn list_counts(
    conn: &mut Conn<'_>,
    kind: CountKind,
    [first, last]: &[String; 2],
    only_empty: bool,
    limit: i64,
) -> Result<Vec<Count>, DbError> {
    let (having, order) = if only_empty { ("HAVING SUM(empty) > 0", "4") } else { ("", "2") };
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT name, CAST(SUM(events) AS BIGINT), CAST(SUM(visits) AS BIGINT), CAST(SUM(empty) AS BIGINT) FROM visit_counts
         WHERE kind = $1 AND day >= $2 AND day <= $3 GROUP BY name {having} ORDER BY {order} DESC, 1 LIMIT $4"
    ));
    let rows: Vec<(String, i64, i64, i64)> = sql!(conn, c => sqlx::query_as(sql).bind(kind.text()).bind(first).bind(last)
        .bind(limit).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(name, events, visits, empty)| Count { name, events, visits, empty }).collect())
}
