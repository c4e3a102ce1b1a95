//! All SQL of taxes.

use sqlx::FromRow;

use crate::db::{Conn, DbError};
use crate::sql;

#[derive(Clone, Debug, FromRow)]
pub struct RateRow {
    pub county: String,
    pub rate: i64,
    pub taxes_shipping: bool,
}

/// The state's and the county's rates on a day, `YYYY-MM-DD`; the newest of each.
pub async fn list_rates(conn: &mut Conn<'_>, state: &str, county: &str, on: &str) -> Result<Vec<RateRow>, DbError> {
    const SQL: &str = "SELECT t.county, t.rate, t.taxes_shipping FROM tax_rates t
        WHERE t.state = $1 AND (t.county = '' OR t.county = $2)
        AND t.valid_from <= $3 AND (t.valid_until IS NULL OR t.valid_until > $3)
        AND NOT EXISTS (SELECT 1 FROM tax_rates n WHERE n.state = t.state AND n.county = t.county
            AND n.valid_from > t.valid_from AND n.valid_from <= $3)
        ORDER BY t.county";
    Ok(sql!(conn, c => sqlx::query_as::<_, RateRow>(SQL).bind(state).bind(county).bind(on).fetch_all(c).await)?)
}

/// The county that a ZIP code's sales belong to.
pub async fn find_county(conn: &mut Conn<'_>, state: &str, postal_code: &str) -> Result<Option<String>, DbError> {
    const SQL: &str = "SELECT county FROM tax_counties WHERE state = $1 AND postal_code = $2";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, String>(SQL).bind(state).bind(postal_code).fetch_optional(c).await)?)
}
