//! SQL of the overview.

use shop_base::db::{Conn, DbError};
use shop_base::sql;
use shop_domain::disputes::kept;
use shop_domain::sales::status::{FulfillmentStatus, PaymentStatus};
use shop_domain::stock::queries::are_few_low;
use sqlx::FromRow;
use uuid::Uuid;

use crate::admin::orders::queries::given_back;

/// Rows shown of each list.
const SHOWN: i64 = 8;
/// Rows are counted up to this number.
const COUNTED: i64 = 1_000;
/// How long a payment may be without an outcome before it needs attention, in milliseconds.
const STUCK_MS: i64 = 10 * 60 * 1000;

/// The first rows of a list, and its length.
#[derive(Debug)]
pub struct Listed<T> {
    pub total: i64,
    pub rows: Vec<T>,
}

/// One thing that needs attention.
#[derive(Clone, Debug, FromRow)]
pub struct Hand {
    pub label: String,
    pub why: String,
    /// The number of the order it concerns.
    pub order: Option<String>,
    /// UTC milliseconds.
    pub at: i64,
}

/// Sources of what may need attention: the kind, the columns of a [`Hand`], the rows and their sort column, newest first. `$1` is the time
/// before which a payment counts as stuck, `{given_back}` the condition of the list of orders, `{kept}` what is left of a payment.
const SOURCES: [(&str, &str, &str, &str); 8] = [
    (
        "attention",
        r#"number AS label, attention AS why, number AS "order", updated_at AS at"#,
        "orders WHERE attention IS NOT NULL AND $1 = $1",
        "updated_at",
    ),
    (
        "unsent",
        r#"o.number AS label, o.fulfillment_status AS why, o.number AS "order", o.created_at AS at"#,
        // As an expression, the status has no index: by the average of all statuses SQLite would choose that one, and read all placed orders.
        "orders o WHERE o.fulfillment_status IN ('unfulfilled', 'partially_fulfilled') AND o.status || '' = 'placed'
            AND NOT o.picked_up AND o.payment_status IN ('paid', 'partially_refunded')
            AND (o.placed_at IS NOT NULL OR o.attention IS NOT NULL) AND NOT {given_back} AND $1 = $1",
        "o.created_at",
    ),
    (
        "to_pick_up",
        r#"o.number AS label, CAST('to_pick_up' AS TEXT) AS why, o.number AS "order", o.created_at AS at"#,
        // Paid for or not. Compared, `picked_up` does not match its partial index, by which SQLite would read all that was ever picked up.
        "orders o WHERE o.fulfillment_status IN ('unfulfilled', 'partially_fulfilled') AND o.status || '' = 'placed'
            AND o.picked_up = TRUE AND (o.placed_at IS NOT NULL OR o.attention IS NOT NULL) AND NOT {given_back} AND $1 = $1",
        "o.created_at",
    ),
    (
        "stuck_payments",
        r#"o.number AS label, a.status AS why, o.number AS "order", a.updated_at AS at"#,
        "payment_attempts a JOIN orders o ON o.id = a.order_id WHERE a.status IN ('unknown', 'voiding') AND a.updated_at <= $1",
        "a.updated_at",
    ),
    (
        "paid_without_order",
        r#"o.number AS label, o.status AS why, o.number AS "order", a.updated_at AS at"#,
        // Those of the last 90 days. Written so that SQLite starts from the orders, of which few match, not from the payments.
        "orders o JOIN payment_attempts a ON a.order_id = o.id
            WHERE o.status IN ('draft', 'canceled') AND o.created_at >= $1 - 7776000000
            AND CASE a.status WHEN 'captured' THEN {kept} ELSE 0 END > 0
            AND a.updated_at + 0 <= $1",
        "a.updated_at",
    ),
    (
        "returns",
        r#"o.number AS label, r.status AS why, o.number AS "order", r.updated_at AS at"#,
        "returns r JOIN orders o ON o.id = r.order_id WHERE r.status IN ('requested', 'received') AND $1 = $1",
        "r.updated_at",
    ),
    (
        "dead_jobs",
        r#"name AS label, COALESCE(last_error, '') AS why, CAST(NULL AS TEXT) AS "order", dead_at AS at"#,
        "jobs WHERE dead_at IS NOT NULL AND $1 = $1",
        "dead_at",
    ),
    (
        "endpoints",
        r#"name AS label, COALESCE(off_why, 'unreached') AS why, CAST(NULL AS TEXT) AS "order", updated_at AS at"#,
        "endpoints WHERE off_why IS NOT NULL OR (is_enabled AND failing_since <= $1)",
        "updated_at",
    ),
];

/// What needs attention, by kind.
pub async fn list_hands(conn: &mut Conn<'_>, now: i64) -> Result<Vec<(&'static str, Listed<Hand>)>, DbError> {
    let mut lists = Vec::new();
    for (kind, columns, from, order) in SOURCES {
        let from = from.replace("{given_back}", &given_back()).replace("{kept}", &kept());
        let rows = sqlx::AssertSqlSafe(format!("SELECT {columns} FROM {from} ORDER BY {order} DESC LIMIT {SHOWN}"));
        let rows: Vec<Hand> = sql!(&mut *conn, c => sqlx::query_as(rows).bind(now - STUCK_MS).fetch_all(c).await)?;
        let total = match all_of(&rows) {
            Some(total) => total,
            None => {
                let count =
                    sqlx::AssertSqlSafe(format!("SELECT COUNT(*) FROM (SELECT 1 FROM {from} LIMIT {COUNTED}) counted"));
                sql!(&mut *conn, c => sqlx::query_scalar::<_, i64>(count).bind(now - STUCK_MS).fetch_one(c).await)?
            }
        };
        lists.push((kind, Listed { total, rows }));
    }
    Ok(lists)
}

/// The length of a list whose first rows are all that it has: fewer than are shown. Of a longer one the rest is counted.
fn all_of<T>(rows: &[T]) -> Option<i64> {
    i64::try_from(rows.len()).ok().filter(|length| *length < SHOWN)
}

#[derive(Clone, Debug, FromRow)]
pub struct LowStockRow {
    pub product_id: Uuid,
    pub title: String,
    pub variant: String,
    pub sku: String,
    pub available: i64,
}

/// Variants of products on sale that are low in stock, the lowest first.
pub async fn list_low_stock(conn: &mut Conn<'_>) -> Result<Listed<LowStockRow>, DbError> {
    // Without statistics SQLite would always begin with all products on sale.
    let tables = match are_few_low(conn).await? {
        true => "stock_levels s CROSS JOIN product_variants v CROSS JOIN products p",
        false => "products p CROSS JOIN product_variants v CROSS JOIN stock_levels s",
    };
    let low = format!(
        "FROM {tables}
        WHERE s.on_hand - s.reserved <= s.low_stock_threshold AND v.id = s.variant_id AND v.archived_at IS NULL
        AND p.id = v.product_id AND p.status = 'active'"
    );
    let rows = sqlx::AssertSqlSafe(format!(
        "SELECT p.id AS product_id, p.title AS title, v.title AS variant, v.sku AS sku, s.on_hand - s.reserved AS available {low}
         ORDER BY 5, p.popularity DESC, v.sku LIMIT {SHOWN}"
    ));
    let rows: Vec<LowStockRow> = sql!(&mut *conn, c => sqlx::query_as(rows).fetch_all(c).await)?;
    let total = match all_of(&rows) {
        Some(total) => total,
        None => {
            let count = sqlx::AssertSqlSafe(format!("SELECT COUNT(*) FROM (SELECT 1 {low} LIMIT {COUNTED}) counted"));
            sql!(conn, c => sqlx::query_scalar::<_, i64>(count).fetch_one(c).await)?
        }
    };
    Ok(Listed { total, rows })
}

#[derive(Clone, Debug, FromRow)]
pub struct NewestRow {
    pub number: String,
    pub placed_at: i64,
    pub total: i64,
    #[sqlx(try_from = "String")]
    pub payment_status: PaymentStatus,
    #[sqlx(try_from = "String")]
    pub fulfillment_status: FulfillmentStatus,
}

pub async fn list_newest(conn: &mut Conn<'_>) -> Result<Vec<NewestRow>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT number, placed_at, total, payment_status, fulfillment_status FROM orders WHERE placed_at IS NOT NULL
         ORDER BY placed_at DESC LIMIT {SHOWN}"
    ));
    Ok(sql!(conn, c => sqlx::query_as(sql).fetch_all(c).await)?)
}
