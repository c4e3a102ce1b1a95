//! All SQL of shipping.

use sqlx::FromRow;

use crate::db::{Conn, DbError};
use crate::sql;

#[derive(Clone, Debug, FromRow)]
pub struct MethodRow {
    pub code: String,
    pub name: String,
    pub estimate: String,
    pub kind: String,
    pub by_air: bool,
    pub signature_fee: i64,
    /// Of the lightest class that the parcel fits; null when none does or the state is not served.
    pub price: Option<i64>,
}

/// Every method in order, with its price for a parcel of a weight to a state.
pub async fn list_methods(conn: &mut Conn<'_>, state: &str, grams: i64) -> Result<Vec<MethodRow>, DbError> {
    const SQL: &str = "SELECT m.code, m.name, m.estimate, m.kind, m.by_air, m.signature_fee,
        (SELECT r.price FROM shipping_rates r JOIN shipping_zones z ON z.zone = r.zone
            WHERE r.method = m.code AND z.state = $1 AND r.up_to_grams >= $2
            ORDER BY r.up_to_grams LIMIT 1) AS price
        FROM shipping_methods m ORDER BY m.position, m.code";
    Ok(sql!(conn, c => sqlx::query_as::<_, MethodRow>(SQL).bind(state).bind(grams).fetch_all(c).await)?)
}
