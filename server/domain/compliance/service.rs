//! Decisions based on the rules in the database.

use jiff::civil::Date;
use shop_base::db::{Conn, DbError};

use super::model::{Decision, Delivery, decide, is_shipped, shipping_note};
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

/// How goods of a class may be bought.
#[derive(Clone, Debug)]
pub struct Restriction {
    /// For shoppers: the text of the class, and what the rules of the day say.
    pub text: String,
    /// To any state.
    pub is_shipped: bool,
}

/// `text` is the class's own, `home` the state of the store.
pub async fn restriction_for(
    conn: &mut Conn<'_>,
    class: &str,
    text: &str,
    home: &str,
    on: Date,
) -> Result<Restriction, DbError> {
    let rules = store::list_rules(conn).await?;
    let note = shipping_note(&rules, class, home, on);
    Ok(Restriction { text: format!("{text} {note}").trim().to_owned(), is_shipped: is_shipped(&rules, class, on) })
}
