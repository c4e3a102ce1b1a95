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

/// A text that says where goods of a class are not shipped; `home` is the state of the store.
pub async fn note_for(conn: &mut Conn<'_>, class: &str, home: &str, on: Date) -> Result<String, DbError> {
    Ok(shipping_note(&store::list_rules(conn).await?, class, home, on))
}
