//! Queries of the roll-ups.

use jiff::civil::Date;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError, decoded};

use super::days::{QUARTER_MS, bounds, day_of};
use super::figures::{Days, Period};
use super::sales::store as sales;
use super::visits::model::{Count, CountKind};
use super::visits::store as visits;
pub use sales::{CategoryTotal, ProductTotal};

/// All figures of the days of a period and of the previous one.
pub async fn list_days(cx: &Context, period: Period) -> Result<Days, DbError> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let both = Period { first: period.before().first, last: period.last };
    let span = texts(both);
    let mut days = Days::new();
    for (day, figures) in sales::list_days(&mut conn, &span).await? {
        days.entry(date(&day)?).or_default().sales = Some(figures);
    }
    for (day, figures) in visits::list_days(&mut conn, &span).await? {
        days.entry(date(&day)?).or_default().visits = Some(figures);
    }
    let zone = cx.zone();
    let ((from, _), (_, until)) = (bounds(both.first, zone), bounds(both.last, zone));
    for (quarter, amount) in sales::list_lost_disputes(&mut conn, from, until).await? {
        days.entry(day_of(quarter * QUARTER_MS, zone)).or_default().lost_disputes += amount;
    }
    Ok(days)
}

/// The best-selling products, by amount.
pub async fn list_products(conn: &mut Conn<'_>, period: Period, limit: i64) -> Result<Vec<ProductTotal>, DbError> {
    sales::list_products(conn, &texts(period), limit).await
}

pub async fn list_categories(conn: &mut Conn<'_>, period: Period) -> Result<Vec<CategoryTotal>, DbError> {
    sales::list_categories(conn, &texts(period)).await
}

/// The most frequent events of a kind.
pub async fn list_counts(
    conn: &mut Conn<'_>,
    kind: CountKind,
    period: Period,
    limit: i64,
) -> Result<Vec<Count>, DbError> {
    visits::list_counts(conn, kind, &texts(period), false, limit).await
}

/// Searches without a result, the most frequent ones first.
pub async fn list_empty_searches(conn: &mut Conn<'_>, period: Period, limit: i64) -> Result<Vec<Count>, DbError> {
    visits::list_counts(conn, CountKind::Search, &texts(period), true, limit).await
}

fn texts(period: Period) -> [String; 2] {
    [period.first.to_string(), period.last.to_string()]
}

fn date(text: &str) -> Result<Date, DbError> {
    decoded("day", text.parse())
}
