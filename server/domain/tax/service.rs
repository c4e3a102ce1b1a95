//! Finds the tax rate of a sale.

use jiff::civil::Date;
use shop_base::address;
use shop_base::config::Company;
use shop_base::counties;
use shop_base::db::{Conn, DbError};

use super::model::Rate;
use super::store;

/// The rate for goods sent to a ZIP code (five digits) of a state, or none where the shop collects no tax.
pub async fn find_rate(
    conn: &mut Conn<'_>,
    company: &Company,
    state: &str,
    postal_code: &str,
    on: Date,
) -> Result<Option<Rate>, DbError> {
    let county = if state == company.state {
        company.county.clone()
    } else {
        store::find_county(conn, state, postal_code).await?.unwrap_or_default()
    };
    let rates = store::list_rates(conn, state, &county, &on.to_string()).await?;
    if rates.is_empty() {
        return Ok(None);
    }
    let place = address::state(state).map_or(state, |state| state.name);
    let has_county = rates.iter().any(|rate| !rate.county.is_empty());
    // A file of counties may have them as `Kings` or as `Kings County`.
    let county = counties::shown(state, &county);
    Ok(Some(Rate {
        name: if has_county { format!("{place} sales tax, {county}") } else { format!("{place} sales tax") },
        ppm: rates.iter().map(|rate| rate.rate).sum(),
        shipping_ppm: rates.iter().filter(|rate| rate.taxes_shipping).map(|rate| rate.rate).sum(),
    }))
}

/// Which rates of the company's place are missing on a day: sales in its state are taxed without that part.
#[derive(Clone, Copy, Debug)]
pub struct Missing {
    /// The state has rates of its own, but none is in force.
    pub state: bool,
    /// The state has rates of counties, but none of the company's county is in force.
    pub county: bool,
}

pub async fn find_missing(conn: &mut Conn<'_>, company: &Company, on: Date) -> Result<Missing, DbError> {
    let rates = store::list_rates(conn, &company.state, &company.county, &on.to_string()).await?;
    let places = store::list_places(conn, &company.state).await?;
    let lacks = |is_meant: fn(&str) -> bool| {
        places.iter().any(|county| is_meant(county)) && !rates.iter().any(|rate| is_meant(&rate.county))
    };
    Ok(Missing { state: lacks(str::is_empty), county: lacks(|county| !county.is_empty()) })
}
