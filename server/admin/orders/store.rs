//! SQL of what staff read of orders.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::db::list::{Filter, Value, statement};
use crate::db::{Conn, DbError};
use crate::orders::service::Order;
use crate::{fetch_all, sql};

/// How many orders the buyer of this one has placed, as far as they are known by account or mail address.
pub async fn count_orders_of(conn: &mut Conn<'_>, order: &Order) -> Result<i64, DbError> {
    const BY_USER: &str = "SELECT COUNT(*) FROM orders WHERE user_id = $1 AND placed_at IS NOT NULL";
    const BY_EMAIL: &str = "SELECT COUNT(*) FROM orders WHERE email = $1 AND placed_at IS NOT NULL";
    Ok(match order.user_id {
        Some(user) => sql!(conn, c => sqlx::query_scalar::<_, i64>(BY_USER).bind(user).fetch_one(c).await)?,
        None => sql!(conn, c => sqlx::query_scalar::<_, i64>(BY_EMAIL).bind(&order.email).fetch_one(c).await)?,
    })
}

/// Names of users; who has none has an empty one.
pub async fn list_names(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<BTreeMap<Uuid, String>, DbError> {
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut filter = Filter::default();
    filter.and_any("id", ids.iter().map(|id| Value::Id(*id)));
    let rows = fetch_all!(conn, (Uuid, String), statement("SELECT id, name FROM users", &filter, ""))?;
    Ok(rows.into_iter().collect())
}
