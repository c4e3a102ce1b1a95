//! SQL of the sales.

use std::collections::{BTreeSet, HashMap};

use shop_base::db::list::{Filter, Value, statement};
use shop_base::db::{Conn, DbError};
use shop_base::{fetch_all, sql};
use sqlx::FromRow;
use uuid::Uuid;

use super::model::{ProductSales, Sales};
use crate::analytics::days::QUARTER_MS;
use crate::disputes::IS_LOST;

/// Payment statuses of orders that count. As an expression, the status has no index: nearly all orders are paid, and few are of the day.
const PAID: &str = "payment_status || '' IN ('paid', 'partially_paid', 'partially_refunded', 'refunded')";

/// Quarters of an hour (UTC, counted from 1970) of orders, payments or refunds that were written since a time.
pub async fn list_touched(conn: &mut Conn<'_>, since: i64) -> Result<Vec<i64>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT placed_at / {QUARTER_MS} FROM orders WHERE updated_at >= $1
         UNION SELECT COALESCE(captured_at, created_at) / {QUARTER_MS} FROM payment_attempts WHERE updated_at >= $1
         UNION SELECT updated_at / {QUARTER_MS} FROM refunds WHERE updated_at >= $1"
    ));
    let quarters: Vec<Option<i64>> = sql!(conn, c => sqlx::query_scalar(sql).bind(since).fetch_all(c).await)?;
    // Drafts have no `placed_at`.
    Ok(quarters.into_iter().flatten().collect())
}

#[derive(FromRow)]
struct Orders {
    orders: i64,
    goods: i64,
    discounts: i64,
    shipping: i64,
    tax: i64,
    total: i64,
}

#[derive(FromRow)]
struct Line {
    product_id: Option<Uuid>,
    category_id: Option<Uuid>,
    title: String,
    orders: i64,
    units: i64,
    amount: i64,
}

/// The sales between two instants, counted from the rows.
pub async fn count(conn: &mut Conn<'_>, from: i64, until: i64) -> Result<(Sales, BTreeSet<ProductSales>), DbError> {
    let orders = sqlx::AssertSqlSafe(format!(
        "SELECT COUNT(*) AS orders, CAST(COALESCE(SUM(subtotal), 0) AS BIGINT) AS goods,
            CAST(COALESCE(SUM(discount_total), 0) AS BIGINT) AS discounts,
            CAST(COALESCE(SUM(shipping_total), 0) AS BIGINT) AS shipping,
            CAST(COALESCE(SUM(tax_total), 0) AS BIGINT) AS tax, CAST(COALESCE(SUM(total), 0) AS BIGINT) AS total
         FROM orders WHERE placed_at >= $1 AND placed_at < $2 AND {PAID}"
    ));
    let lines = sqlx::AssertSqlSafe(format!(
        "SELECT v.product_id AS product_id, p.category_id AS category_id, MAX(l.title) AS title,
            COUNT(DISTINCT o.id) AS orders, CAST(SUM(l.quantity) AS BIGINT) AS units,
            CAST(SUM(l.quantity * l.unit_price - l.discount) AS BIGINT) AS amount
         FROM orders o JOIN order_lines l ON l.order_id = o.id LEFT JOIN product_variants v ON v.id = l.variant_id
            LEFT JOIN products p ON p.id = v.product_id
         WHERE o.placed_at >= $1 AND o.placed_at < $2 AND o.{PAID}
         GROUP BY v.product_id, p.category_id, CASE WHEN v.product_id IS NULL THEN l.title END"
    ));
    // The former release stored no time of the capture: its payments count at the time of the attempt, most were captured within seconds.
    // Money that the provider gave back without a refund of ours is subtracted from the captured amount. The status condition only makes
    // SQLite use the time index: nearly all are captured.
    const TAKEN: &str = "SELECT CAST(COALESCE(SUM(a.amount - CASE
            WHEN a.refunded > COALESCE(r.ours, 0) THEN a.refunded - COALESCE(r.ours, 0) ELSE 0 END), 0) AS BIGINT)
         FROM payment_attempts a LEFT JOIN (SELECT attempt_id, SUM(amount) AS ours FROM refunds
            WHERE status <> 'failed' AND attempt_id IN (SELECT id FROM payment_attempts
                WHERE COALESCE(captured_at, created_at) >= $1 AND COALESCE(captured_at, created_at) < $2) GROUP BY attempt_id) r ON r.attempt_id = a.id
         WHERE COALESCE(a.captured_at, a.created_at) >= $1 AND COALESCE(a.captured_at, a.created_at) < $2 AND CASE a.status WHEN 'captured' THEN 1 ELSE 0 END = 1";
    const REFUNDED: &str = "SELECT COUNT(*), CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM refunds
         WHERE updated_at >= $1 AND updated_at < $2 AND status = 'settled'";
    let orders: Orders = sql!(&mut *conn, c => sqlx::query_as(orders).bind(from).bind(until).fetch_one(c).await)?;
    let lines: Vec<Line> = sql!(&mut *conn, c => sqlx::query_as(lines).bind(from).bind(until).fetch_all(c).await)?;
    let taken: i64 = sql!(&mut *conn, c => sqlx::query_scalar(TAKEN).bind(from).bind(until).fetch_one(c).await)?;
    let (refunds, refunded): (i64, i64) =
        sql!(conn, c => sqlx::query_as(REFUNDED).bind(from).bind(until).fetch_one(c).await)?;
    let Orders { orders, goods, discounts, shipping, tax, total } = orders;
    let units = lines.iter().map(|line| line.units).sum();
    let sales = Sales { orders, units, goods, discounts, shipping, tax, total, taken, refunds, refunded };
    let product = |line: Line| ProductSales {
        product: line.product_id.map_or_else(|| line.title.clone(), |id| id.to_string()),
        title: line.title,
        category_id: line.category_id,
        orders: line.orders,
        units: line.units,
        amount: line.amount,
    };
    Ok((sales, lines.into_iter().map(product).collect()))
}

/// What banks took back between two instants because the shop lost the dispute, by the quarter of an hour (UTC, counted from 1970) in which
/// the provider learned of it. Minor units.
pub async fn list_lost_disputes(conn: &mut Conn<'_>, from: i64, until: i64) -> Result<Vec<(i64, i64)>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT updated_at / {QUARTER_MS}, CAST(SUM(amount) AS BIGINT) FROM disputes
         WHERE updated_at >= $1 AND updated_at < $2 AND {IS_LOST} GROUP BY 1"
    ));
    Ok(sql!(conn, c => sqlx::query_as(sql).bind(from).bind(until).fetch_all(c).await)?)
}

/// The stored sales of a day by product.
pub async fn list_day_products(conn: &mut Conn<'_>, day: &str) -> Result<BTreeSet<ProductSales>, DbError> {
    const SQL: &str = "SELECT product, title, category_id, orders, units, amount FROM sales_products WHERE day = $1";
    let rows: Vec<(String, String, Option<Uuid>, i64, i64, i64)> =
        sql!(conn, c => sqlx::query_as(SQL).bind(day).fetch_all(c).await)?;
    let sales = |(product, title, category_id, orders, units, amount)| ProductSales {
        product,
        title,
        category_id,
        orders,
        units,
        amount,
    };
    Ok(rows.into_iter().map(sales).collect())
}

/// Replaces a day's figures but those of its products.
pub async fn replace_day(conn: &mut Conn<'_>, day: &str, sales: &Sales) -> Result<(), DbError> {
    const DELETE: &str = "DELETE FROM sales_days WHERE day = $1";
    const INSERT: &str =
        "INSERT INTO sales_days (day, orders, units, goods, discounts, shipping, tax, total, taken, refunds, refunded)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    sql!(&mut *conn, c => sqlx::query(DELETE).bind(day).execute(c).await.map(drop))?;
    sql!(conn, c => sqlx::query(INSERT).bind(day).bind(sales.orders).bind(sales.units).bind(sales.goods)
        .bind(sales.discounts).bind(sales.shipping).bind(sales.tax).bind(sales.total).bind(sales.taken).bind(sales.refunds)
        .bind(sales.refunded).execute(c).await.map(drop))?;
    Ok(())
}

/// Rows per statement: SQLite allows 32,766 parameters. Their number is another one nearly each time, so such statements are not kept prepared.
const AT_ONCE: usize = 1_000;

pub async fn delete_products(conn: &mut Conn<'_>, day: &str, products: &[&ProductSales]) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM sales_products WHERE day = ";
    for products in products.chunks(AT_ONCE) {
        sql!(&mut *conn, c => {
            let mut query = sqlx::QueryBuilder::new(SQL);
            let mut list = query.push_bind(day).push(" AND product IN (").separated(", ");
            for sales in products {
                list.push_bind(&sales.product);
            }
            query.push(")").build().persistent(false).execute(c).await.map(drop)
        })?;
    }
    Ok(())
}

pub async fn insert_products(conn: &mut Conn<'_>, day: &str, products: &[&ProductSales]) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO sales_products (day, product, title, category_id, orders, units, amount) ";
    for products in products.chunks(AT_ONCE) {
        sql!(&mut *conn, c => sqlx::QueryBuilder::new(SQL)
            .push_values(products, |mut row, sales| {
                row.push_bind(day).push_bind(&sales.product).push_bind(&sales.title).push_bind(sales.category_id)
                    .push_bind(sales.orders).push_bind(sales.units).push_bind(sales.amount);
            })
            .build().persistent(false).execute(c).await.map(drop))?;
    }
    Ok(())
}

pub async fn delete_all(conn: &mut Conn<'_>) -> Result<(), DbError> {
    for sql in ["DELETE FROM sales_days", "DELETE FROM sales_products"] {
        sql!(&mut *conn, c => sqlx::query(sql).execute(c).await.map(drop))?;
    }
    Ok(())
}

#[derive(FromRow)]
struct DayRow {
    day: String,
    orders: i64,
    units: i64,
    goods: i64,
    discounts: i64,
    shipping: i64,
    tax: i64,
    total: i64,
    taken: i64,
    refunds: i64,
    refunded: i64,
}

/// The figures of the days from first to last, in order.
pub async fn list_days(conn: &mut Conn<'_>, [first, last]: &[String; 2]) -> Result<Vec<(String, Sales)>, DbError> {
    const SQL: &str = "SELECT day, orders, units, goods, discounts, shipping, tax, total, taken, refunds, refunded
        FROM sales_days WHERE day >= $1 AND day <= $2 ORDER BY day";
    let rows: Vec<DayRow> = sql!(conn, c => sqlx::query_as(SQL).bind(first).bind(last).fetch_all(c).await)?;
    let figures = |row: DayRow| {
        let DayRow { day, orders, units, goods, discounts, shipping, tax, total, taken, refunds, refunded } = row;
        (day, Sales { orders, units, goods, discounts, shipping, tax, total, taken, refunds, refunded })
    };
    Ok(rows.into_iter().map(figures).collect())
}

/// The sales of a product over a number of days.
#[derive(Clone, Debug, FromRow)]
pub struct ProductTotal {
    pub product: String,
    pub title: String,
    pub orders: i64,
    pub units: i64,
    /// Minor units.
    pub amount: i64,
}

/// Parameters of one statement.
const IDS_AT_ONCE: usize = 500;

/// A product stands under its current title; one that no longer exists under the one that it had.
pub async fn list_products(
    conn: &mut Conn<'_>,
    [first, last]: &[String; 2],
    limit: i64,
) -> Result<Vec<ProductTotal>, DbError> {
    const SQL: &str = "SELECT product, MAX(title) AS title, CAST(SUM(orders) AS BIGINT) AS orders,
            CAST(SUM(units) AS BIGINT) AS units, CAST(SUM(amount) AS BIGINT) AS amount
        FROM sales_products WHERE day >= $1 AND day <= $2 GROUP BY product ORDER BY 5 DESC, 1 LIMIT $3";
    let mut sold: Vec<ProductTotal> =
        sql!(&mut *conn, c => sqlx::query_as(SQL).bind(first).bind(last).bind(limit).fetch_all(c).await)?;
    for some in sold.chunks_mut(IDS_AT_ONCE) {
        let ids: Vec<Uuid> = some.iter().filter_map(|product| product.product.parse().ok()).collect();
        let mut titles = list_titles(conn, &ids).await?;
        for product in some {
            if let Some(title) = product.product.parse().ok().and_then(|id: Uuid| titles.remove(&id)) {
                product.title = title;
            }
        }
    }
    Ok(sold)
}

/// The current titles of products.
async fn list_titles(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<HashMap<Uuid, String>, DbError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let mut filter = Filter::default();
    filter.and_any("id", ids.iter().map(|id| Value::Id(*id)));
    Ok(fetch_all!(conn, (Uuid, String), statement("SELECT id, title FROM products", &filter, ""))?
        .into_iter()
        .collect())
}

/// The sales of a category over a number of days. A category that no longer exists has no name.
#[derive(Clone, Debug, FromRow)]
pub struct CategoryTotal {
    pub name: Option<String>,
    pub slug: Option<String>,
    pub units: i64,
    /// Minor units.
    pub amount: i64,
}

pub async fn list_categories(conn: &mut Conn<'_>, [first, last]: &[String; 2]) -> Result<Vec<CategoryTotal>, DbError> {
    const SQL: &str = "SELECT c.name AS name, c.slug AS slug, CAST(SUM(s.units) AS BIGINT) AS units,
            CAST(SUM(s.amount) AS BIGINT) AS amount
        FROM (SELECT category_id, SUM(units) AS units, SUM(amount) AS amount FROM sales_products
            WHERE day >= $1 AND day <= $2 GROUP BY category_id) s LEFT JOIN categories c ON c.id = s.category_id
        GROUP BY c.name, c.slug ORDER BY 4 DESC, 1";
    Ok(sql!(conn, c => sqlx::query_as(SQL).bind(first).bind(last).fetch_all(c).await)?)
}
