//! SQL of the testing page.

use shop_base::db::{Conn, DbError};
use shop_base::sql;
use sqlx::FromRow;

use super::compliance::VerdictItem;

#[derive(Debug, FromRow)]
pub struct EventRow {
    pub provider: String,
    pub event_id: String,
    pub kind: String,
    pub received_at: i64,
    pub processed_at: Option<i64>,
    pub outcome: Option<String>,
}

/// The latest events from providers.
pub async fn list_events(conn: &mut Conn<'_>, limit: i64) -> Result<Vec<EventRow>, DbError> {
    const SQL: &str = "SELECT provider, event_id, kind, received_at, processed_at, outcome FROM webhook_events
        ORDER BY received_at DESC, event_id LIMIT $1";
    Ok(sql!(conn, c => sqlx::query_as(SQL).bind(limit).fetch_all(c).await)?)
}

/// Title and compliance class of those of these skus that exist.
pub async fn list_classes(conn: &mut Conn<'_>, skus: &[&str]) -> Result<Vec<VerdictItem>, DbError> {
    const SQL: &str =
        "SELECT v.sku, p.title, p.compliance_class FROM product_variants v JOIN products p ON p.id = v.product_id
        WHERE v.sku IN (";
    let rows: Vec<(String, String, String)> = sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new(SQL);
        let mut list = query.separated(", ");
        for sku in skus {
            list.push_bind(*sku);
        }
        query.push(") ORDER BY v.sku");
        query.build_query_as().fetch_all(c).await
    })?;
    Ok(rows.into_iter().map(|(sku, title, class)| VerdictItem { sku, title, class }).collect())
}
