//! All SQL of shipping.

use shop_base::db::{Conn, DbError};
use shop_base::sql;
use sqlx::FromRow;

use super::model::{Method, ShippingTable, Zone, ZoneRates};

#[derive(Clone, Debug, FromRow)]
pub struct MethodRow {
    pub code: String,
    pub name: String,
    pub estimate: String,
    pub kind: String,
    pub by_air: bool,
    pub signature_fee: i64,
    /// The price of the lightest weight class that fits the parcel; null if none fits or the state is not served.
    pub price: Option<i64>,
}

/// Every method in order, with its price for a weight and destination state.
pub async fn list_methods(conn: &mut Conn<'_>, state: &str, grams: i64) -> Result<Vec<MethodRow>, DbError> {
    const SQL: &str = "SELECT m.code, m.name, m.estimate, m.kind, m.by_air, m.signature_fee,
        (SELECT r.price FROM shipping_rates r JOIN shipping_zones z ON z.zone = r.zone
            WHERE r.method = m.code AND z.state = $1 AND r.up_to_grams >= $2
            ORDER BY r.up_to_grams LIMIT 1) AS price
        FROM shipping_methods m ORDER BY m.position, m.code";
    Ok(sql!(conn, c => sqlx::query_as::<_, MethodRow>(SQL).bind(state).bind(grams).fetch_all(c).await)?)
}

/// The stored table: methods in order, weight classes ascending, and the rest tidy.
pub async fn load_table(conn: &mut Conn<'_>) -> Result<ShippingTable, DbError> {
    #[derive(FromRow)]
    struct Row {
        code: String,
        name: String,
        estimate: String,
        kind: String,
        by_air: bool,
        signature_fee: i64,
    }
    const METHODS: &str =
        "SELECT code, name, estimate, kind, by_air, signature_fee FROM shipping_methods ORDER BY position, code";
    const ZONES: &str = "SELECT zone, state FROM shipping_zones ORDER BY zone, state";
    const RATES: &str =
        "SELECT method, zone, up_to_grams, price FROM shipping_rates ORDER BY method, up_to_grams, zone";
    let methods = sql!(&mut *conn, c => sqlx::query_as::<_, Row>(METHODS).fetch_all(c).await)?;
    let states = sql!(&mut *conn, c => sqlx::query_as::<_, (String, String)>(ZONES).fetch_all(c).await)?;
    let rates = sql!(conn, c => sqlx::query_as::<_, (String, String, i64, i64)>(RATES).fetch_all(c).await)?;
    let mut zones: Vec<Zone> = Vec::new();
    for (name, state) in states {
        match zones.last_mut().filter(|zone| zone.name == name) {
            Some(zone) => zone.states.push(state),
            None => zones.push(Zone { name, states: vec![state] }),
        }
    }
    let methods = methods.into_iter().map(|row| {
        let own = || rates.iter().filter(|(method, ..)| *method == row.code);
        let mut weights: Vec<i64> = own().map(|(_, _, grams, _)| *grams).collect();
        weights.dedup();
        let in_zone = |zone: &Zone| {
            let prices: Vec<i64> = own().filter(|rate| rate.1 == zone.name).map(|(_, _, _, price)| *price).collect();
            (!prices.is_empty()).then(|| ZoneRates { zone: zone.name.clone(), prices })
        };
        let rates = zones.iter().filter_map(in_zone).collect();
        Method {
            pickup: row.kind == "pickup",
            name: row.name,
            estimate: row.estimate,
            by_air: row.by_air,
            signature_fee: row.signature_fee,
            weights,
            rates,
            code: row.code,
        }
    });
    let mut table = ShippingTable { methods: methods.collect(), zones };
    // The database may sort texts in another way.
    table.tidy();
    Ok(table)
}

/// Replaces the stored table by a tidy one.
pub async fn replace_table(conn: &mut Conn<'_>, table: &ShippingTable) -> Result<(), DbError> {
    for sql in ["DELETE FROM shipping_rates", "DELETE FROM shipping_zones", "DELETE FROM shipping_methods"] {
        sql!(&mut *conn, c => sqlx::query(sql).execute(c).await.map(drop))?;
    }
    const METHOD: &str = "INSERT INTO shipping_methods (code, name, estimate, kind, by_air, signature_fee, position)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    const ZONE: &str = "INSERT INTO shipping_zones (state, zone) VALUES ($1, $2)";
    const RATE: &str = "INSERT INTO shipping_rates (method, zone, up_to_grams, price) VALUES ($1, $2, $3, $4)";
    for zone in &table.zones {
        for state in &zone.states {
            sql!(&mut *conn, c => sqlx::query(ZONE).bind(state).bind(&zone.name).execute(c).await.map(drop))?;
        }
    }
    for (position, method) in (0_i64..).zip(&table.methods) {
        let kind = if method.pickup { "pickup" } else { "ship" };
        sql!(&mut *conn, c => sqlx::query(METHOD).bind(&method.code).bind(&method.name).bind(&method.estimate)
            .bind(kind).bind(method.by_air).bind(method.signature_fee).bind(position).execute(c).await.map(drop))?;
        for rates in &method.rates {
            for (grams, price) in method.weights.iter().zip(&rates.prices) {
                sql!(&mut *conn, c => sqlx::query(RATE).bind(&method.code).bind(&rates.zone).bind(grams).bind(price)
                    .execute(c).await.map(drop))?;
            }
        }
    }
    Ok(())
}
