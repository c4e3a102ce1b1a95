//! Decides with the rules of the database.

use jiff::civil::Date;

use super::model::{Decision, Delivery, decide};
use super::store;
use crate::db::{Conn, DbError};

/// What the rules of this moment say of goods of these classes.
pub async fn decide_for(
    conn: &mut Conn<'_>,
    classes: &[&str],
    state: &str,
    delivery: Delivery,
    on: Date,
) -> Result<Decision, DbError> {
    Ok(decide(&store::list_rules(conn).await?, classes, state, delivery, on))
}
