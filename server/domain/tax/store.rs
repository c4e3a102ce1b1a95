//! All SQL of taxes.

use std::collections::HashSet;

use jiff::civil::Date;
use shop_base::counties::key;
use shop_base::db::{Conn, DbError, decoded};
use shop_base::sql;
use shop_base::validity::Span;
use sqlx::FromRow;
use uuid::Uuid;

use super::model::{County, RateEntry};

#[derive(Clone, Debug, FromRow)]
pub struct RateRow {
    pub county: String,
    pub rate: i64,
    pub taxes_shipping: bool,
}

/// The state's and the county's rates in force on a day, `YYYY-MM-DD`; the newest of each. `Franklin`, `franklin` and `Franklin County` are one
/// county: former releases stored what staff had typed, and a file of counties has them in its own way. For these releases they were several,
/// so the newest may have ended before an older one. Names are compared here, since what `lower()` does depends on the database.
pub async fn list_rates(conn: &mut Conn<'_>, state: &str, county: &str, on: &str) -> Result<Vec<RateRow>, DbError> {
    const SQL: &str = "SELECT county, rate, taxes_shipping FROM tax_rates
        WHERE state = $1 AND valid_from <= $2 AND (valid_until IS NULL OR valid_until > $2)
        ORDER BY valid_from DESC, id DESC";
    let mut rows = sql!(conn, c => sqlx::query_as::<_, RateRow>(SQL).bind(state).bind(on).fetch_all(c).await)?;
    let wanted = key(county);
    let mut seen = HashSet::new();
    rows.retain(|row| {
        let place = key(&row.county);
        (place.is_empty() || place == wanted) && seen.insert(place)
    });
    Ok(rows)
}

/// The counties of the state that have a rate, be it past or to come; an empty one stands for the state itself.
pub async fn list_places(conn: &mut Conn<'_>, state: &str) -> Result<Vec<String>, DbError> {
    const SQL: &str = "SELECT DISTINCT county FROM tax_rates WHERE state = $1";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(state).fetch_all(c).await)?)
}

/// The county to which a ZIP code's sales belong.
pub async fn find_county(conn: &mut Conn<'_>, state: &str, postal_code: &str) -> Result<Option<String>, DbError> {
    const SQL: &str = "SELECT county FROM tax_counties WHERE state = $1 AND postal_code = $2";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, String>(SQL).bind(state).bind(postal_code).fetch_optional(c).await)?)
}

/// All rates, past ones included, the newest of each place first.
pub async fn list_entries(conn: &mut Conn<'_>) -> Result<Vec<RateEntry>, DbError> {
    #[derive(FromRow)]
    struct Row {
        id: Uuid,
        state: String,
        county: String,
        rate: i64,
        taxes_shipping: bool,
        valid_from: String,
        valid_until: Option<String>,
        source: String,
    }
    const SQL: &str = "SELECT id, state, county, rate, taxes_shipping, valid_from, valid_until, source FROM tax_rates
        ORDER BY state, county, valid_from DESC, id DESC";
    let rows = sql!(conn, c => sqlx::query_as::<_, Row>(SQL).fetch_all(c).await)?;
    rows.into_iter()
        .map(|row| {
            let from = decoded("valid_from", row.valid_from.parse::<Date>())?;
            let until = decoded("valid_until", row.valid_until.map(|day| day.parse::<Date>()).transpose())?;
            Ok(RateEntry {
                id: row.id,
                state: row.state,
                county: row.county,
                ppm: row.rate,
                taxes_shipping: row.taxes_shipping,
                span: Span { from, until },
                source: row.source,
            })
        })
        .collect()
}

pub async fn insert_entry(conn: &mut Conn<'_>, entry: &RateEntry) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO tax_rates (id, state, county, rate, taxes_shipping, valid_from, valid_until, source)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    sql!(conn, c => sqlx::query(SQL).bind(entry.id).bind(&entry.state).bind(&entry.county).bind(entry.ppm)
        .bind(entry.taxes_shipping).bind(entry.span.from.to_string())
        .bind(entry.span.until.map(|day| day.to_string())).bind(&entry.source).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn set_end(conn: &mut Conn<'_>, id: Uuid, until: Option<Date>) -> Result<(), DbError> {
    const SQL: &str = "UPDATE tax_rates SET valid_until = $2 WHERE id = $1";
    let until = until.map(|day| day.to_string());
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(until).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn delete_entry(conn: &mut Conn<'_>, id: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM tax_rates WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// The number of ZIP codes with a county, per state.
pub async fn count_counties(conn: &mut Conn<'_>) -> Result<Vec<(String, i64)>, DbError> {
    const SQL: &str = "SELECT state, COUNT(*) FROM tax_counties GROUP BY state ORDER BY state";
    Ok(sql!(conn, c => sqlx::query_as::<_, (String, i64)>(SQL).fetch_all(c).await)?)
}

pub async fn list_counties(conn: &mut Conn<'_>, state: &str) -> Result<Vec<County>, DbError> {
    const SQL: &str = "SELECT postal_code, county FROM tax_counties WHERE state = $1";
    let rows = sql!(conn, c => sqlx::query_as::<_, (String, String)>(SQL).bind(state).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(postal_code, county)| County { state: state.to_owned(), postal_code, county }).collect())
}

pub async fn delete_counties(conn: &mut Conn<'_>, state: &str) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM tax_counties WHERE state = $1";
    sql!(conn, c => sqlx::query(SQL).bind(state).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn insert_counties(conn: &mut Conn<'_>, counties: &[County]) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO tax_counties (state, postal_code, county) ";
    // SQLite takes 32,766 parameters.
    for counties in counties.chunks(1_000) {
        sql!(&mut *conn, c => sqlx::QueryBuilder::new(SQL)
            .push_values(counties, |mut row, county| {
                row.push_bind(&county.state).push_bind(&county.postal_code).push_bind(&county.county);
            })
            .build().execute(c).await.map(drop))?;
    }
    Ok(())
}
