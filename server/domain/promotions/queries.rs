//! Queries of promotions that read draft orders.

use shop_base::db::{Conn, DbError};
use shop_base::sql;

/// Until when draft orders that can still be paid promise the code, UTC milliseconds; none if none does.
pub async fn find_promised_until(conn: &mut Conn<'_>, code: &str, now: i64) -> Result<Option<i64>, DbError> {
    const SQL: &str =
        "SELECT MAX(expires_at) FROM draft_orders WHERE promo_code = $1 AND status = 'open' AND expires_at > $2";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, Option<i64>>(SQL).bind(code).bind(now).fetch_one(c).await)?)
}
