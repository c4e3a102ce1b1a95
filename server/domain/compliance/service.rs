//! Decisions based on the rules in the database.

use jiff::civil::Date;
use shop_base::db::{Conn, DbError};

use super::model::{Decision, Delivery, Restriction, decide, restriction};
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

/// `text` is the class's own, `home` the state of the store.
pub async fn restriction_for(
    conn: &mut Conn<'_>,
    class: &str,
    text: &str,
    home: &str,
    on: Date,
) -> Result<Restriction, DbError> {
    Ok(restriction(&store::list_rules(conn).await?, class, text, home, on))
}
