//! Queries of the stock that read orders.

use std::collections::BTreeMap;

use shop_base::db::list::{Filter, Value, statement};
use shop_base::db::{Conn, DbError};
use shop_base::{fetch_all, sql};
use uuid::Uuid;

/// The pieces of these variants that are sold and still there: not shipped, not handed over, not canceled. Variants without any are missing.
/// Such orders are few, so they are read first. Each status is searched for on its own, or SQLite would read all orders; it reads tables in
/// a cross join in its order. As an expression, the variant has no index: SQLite would read all lines of the variant for each order.
pub async fn list_to_hand_over(conn: &mut Conn<'_>, variants: &[Uuid]) -> Result<BTreeMap<Uuid, i64>, DbError> {
    const SQL: &str = "SELECT l.variant_id, CAST(SUM(l.quantity - l.canceled - COALESCE(
            (SELECT SUM(f.quantity) FROM fulfillment_lines f WHERE f.line_id = l.id), 0)) AS BIGINT) AS pieces
        FROM (
            SELECT o.id FROM orders o WHERE (o.placed_at IS NOT NULL OR o.attention IS NOT NULL)
                AND o.fulfillment_status = 'unfulfilled' AND o.status NOT IN ('draft', 'canceled')
            UNION ALL
            SELECT o.id FROM orders o WHERE (o.placed_at IS NOT NULL OR o.attention IS NOT NULL)
                AND o.fulfillment_status = 'partially_fulfilled' AND o.status NOT IN ('draft', 'canceled')
        ) o CROSS JOIN order_lines l";
    if variants.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut filter = Filter::default();
    filter.and("l.order_id = o.id", []);
    filter.and_any("COALESCE(l.variant_id, l.order_id)", variants.iter().map(|variant| Value::Id(*variant)));
    let rows = fetch_all!(conn, (Uuid, i64), statement(SQL, &filter, " GROUP BY l.variant_id"))?;
    Ok(rows.into_iter().filter(|(_, pieces)| *pieces > 0).collect())
}

/// Whether few variants are low in stock, so that these are to be looked through first. Where many are, most of them are of products that are
/// no longer on sale.
pub async fn are_few_low(conn: &mut Conn<'_>) -> Result<bool, DbError> {
    const FEW: i64 = 1000;
    const SQL: &str = "SELECT COUNT(*) FROM (SELECT 1 FROM stock_levels WHERE on_hand - reserved <= low_stock_threshold LIMIT $1) counted";
    let low: i64 = sql!(conn, c => sqlx::query_scalar(SQL).bind(FEW).fetch_one(c).await)?;
    Ok(low < FEW)
}
