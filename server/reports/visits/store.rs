//! SQL of the visits.

use sqlx::FromRow;
use uuid::Uuid;

use super::count::{BOUGHT, Seen};
use super::model::{Count, CountKind, Lengths, Visits};
use crate::db::{Conn, DbError, decoded};
use crate::reports::days::QUARTER_MS;
use crate::sql;

/// Quarters of an hour (UTC, counted from 1970) with events that were received since a time, and whether an order's
/// confirmation is among these.
pub async fn list_touched(conn: &mut Conn<'_>, since: i64) -> Result<Vec<(i64, bool)>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT occurred_at / {QUARTER_MS}, MAX(CASE WHEN page = '{BOUGHT}' THEN 1 ELSE 0 END) = 1
         FROM activity_events WHERE received_at >= $1 GROUP BY occurred_at / {QUARTER_MS}"
    ));
    Ok(sql!(conn, c => sqlx::query_as(sql).bind(since).fetch_all(c).await)?)
}

#[derive(FromRow)]
struct Row {
    kind: String,
    page: Option<String>,
    feature: Option<String>,
    action: Option<String>,
    results: Option<i64>,
    session_duration: Option<i64>,
    session_id: Option<Uuid>,
    user_id: Option<Uuid>,
    network: String,
    at: i64,
}

const COLUMNS: &str =
    "kind, page, feature, action, results, session_duration, session_id, user_id, network, occurred_at AS at";

/// What happened from one instant up to another, in order.
pub async fn list_events(conn: &mut Conn<'_>, from: i64, until: i64) -> Result<Vec<Seen>, DbError> {
    events(conn, "", from, until).await
}

/// The views of checkouts and confirmations among these.
pub async fn list_purchases(conn: &mut Conn<'_>, from: i64, until: i64) -> Result<Vec<Seen>, DbError> {
    // Written so that SQLite keeps to the index of the time: pages of the kind are most of the table.
    const ONLY: &str = "AND CASE WHEN page IN ('/checkout', '/order-confirmation') THEN kind END = 'page_view'";
    events(conn, ONLY, from, until).await
}

async fn events(conn: &mut Conn<'_>, only: &str, from: i64, until: i64) -> Result<Vec<Seen>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT {COLUMNS} FROM activity_events WHERE occurred_at >= $1 AND occurred_at < $2 {only} ORDER BY occurred_at, id"
    ));
    let rows: Vec<Row> = sql!(conn, c => sqlx::query_as(sql).bind(from).bind(until).fetch_all(c).await)?;
    let seen = |row: Row| Seen {
        kind: row.kind,
        page: row.page,
        feature: row.feature,
        action: row.action,
        results: row.results,
        session_duration: row.session_duration,
        session_id: row.session_id,
        user_id: row.user_id,
        network: row.network,
        at: row.at,
    };
    Ok(rows.into_iter().map(seen).collect())
}

/// Puts these in the place of a day's figures.
pub async fn replace(
    conn: &mut Conn<'_>,
    day: &str,
    visits: &Visits,
    counts: &[(CountKind, Count)],
) -> Result<(), DbError> {
    const DAY: &str =
        "INSERT INTO visit_days (day, visits, page_views, searches, empty_searches, products, baskets, checkouts,
        buyers, carts, carts_paid, seconds, lengths) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    const COUNT: &str =
        "INSERT INTO visit_counts (kind, day, name, events, visits, empty) VALUES ($1, $2, $3, $4, $5, $6)";
    delete(conn, "=", day).await?;
    sql!(&mut *conn, c => sqlx::query(DAY).bind(day).bind(visits.visits).bind(visits.page_views).bind(visits.searches)
        .bind(visits.empty_searches).bind(visits.products).bind(visits.baskets).bind(visits.checkouts).bind(visits.buyers)
        .bind(visits.carts).bind(visits.carts_paid).bind(visits.seconds).bind(visits.lengths.json())
        .execute(c).await.map(drop))?;
    for (kind, count) in counts {
        sql!(&mut *conn, c => sqlx::query(COUNT).bind(kind.text()).bind(day).bind(&count.name).bind(count.events)
            .bind(count.visits).bind(count.empty).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// Deletes the figures of days from one on.
pub async fn delete_from(conn: &mut Conn<'_>, day: &str) -> Result<(), DbError> {
    delete(conn, ">=", day).await
}

async fn delete(conn: &mut Conn<'_>, comparison: &str, day: &str) -> Result<(), DbError> {
    for kind in CountKind::ALL {
        let sql = sqlx::AssertSqlSafe(format!("DELETE FROM visit_counts WHERE kind = $2 AND day {comparison} $1"));
        sql!(&mut *conn, c => sqlx::query(sql).bind(day).bind(kind.text()).execute(c).await.map(drop))?;
    }
    let sql = sqlx::AssertSqlSafe(format!("DELETE FROM visit_days WHERE day {comparison} $1"));
    sql!(conn, c => sqlx::query(sql).bind(day).execute(c).await.map(drop))?;
    Ok(())
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

/// The figures of the days from the first to the last, in order.
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

/// What was done most often from the first day to the last; with `only_empty` the searches without a result.
pub async fn list_counts(
    conn: &mut Conn<'_>,
    kind: CountKind,
    [first, last]: &[String; 2],
    only_empty: bool,
    limit: i64,
) -> Result<Vec<Count>, DbError> {
    let (which, order) = if only_empty { ("AND empty > 0", "4") } else { ("", "2") };
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT name, CAST(SUM(events) AS BIGINT), CAST(SUM(visits) AS BIGINT), CAST(SUM(empty) AS BIGINT) FROM visit_counts
         WHERE kind = $1 AND day >= $2 AND day <= $3 {which} GROUP BY name ORDER BY {order} DESC, 1 LIMIT $4"
    ));
    let rows: Vec<(String, i64, i64, i64)> = sql!(conn, c => sqlx::query_as(sql).bind(kind.text()).bind(first).bind(last)
        .bind(limit).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(name, events, visits, empty)| Count { name, events, visits, empty }).collect())
}
