//! Decisions based on the rules in the database.

use jiff::civil::Date;
use shop_base::db::{Conn, DbError};

use super::model::{Decision, Delivery, decide, shipping_note};
use super::store;

/// The decision for goods of these classes under the current rules.
pub async fn decide_for(
    conn: &mut Conn<'_>,
    classes: &[&str],
    state: &str,
    delivery: Delivery,
    on: Date,
) -> Result<Decision, DbError> {
    Ok(decide(&store::list_rules(conn).await?, classes, state, delivery, on))
}

/// What shoppers read about buying goods of a class: its own text, and what the rules of the day say. `home` is the state of the store.
pub async fn restriction_for(
    conn: &mut Conn<'_>,
    class: &str,
    text: &str,
    home: &str,
    on: Date,
) -> Result<String, DbError> {
    let note = shipping_note(&store::list_rules(conn).await?, class, home, on);
    Ok(format!("{text} {note}").trim().to_owned())
}
