//! Decisions based on the rules in the database.

use std::collections::HashSet;

use jiff::civil::Date;
use shop_base::db::{Conn, DbError};

use super::model::{Decision, Delivery, Restriction, Rule, decide, find_rule, restriction};
use super::store;

/// The rules of these classes, for several decisions about the same goods.
pub async fn list_rules_of(conn: &mut Conn<'_>, classes: &[&str]) -> Result<Vec<Rule>, DbError> {
    store::list_rules_of(conn, classes).await
}

/// The decision for goods of these classes under the current rules.
pub async fn decide_for(
    conn: &mut Conn<'_>,
    classes: &[&str],
    state: &str,
    delivery: Delivery,
    on: Date,
) -> Result<Decision, DbError> {
    Ok(decide(&store::list_rules_of(conn, classes).await?, classes, state, delivery, on))
}

/// Those of these classes whose goods may not travel by air by a state's rules of one of these days, whether they may be sold there or not.
pub async fn list_ground_classes(
    conn: &mut Conn<'_>,
    classes: &[&str],
    state: &str,
    days: &[Date],
) -> Result<HashSet<String>, DbError> {
    let rules = store::list_rules_of(conn, classes).await?;
    let is_by_ground = |class: &str| {
        let mut found = days.iter().filter_map(|day| find_rule(&rules, class, state, *day));
        found.any(|rule| rule.ground_only)
    };
    Ok(classes.iter().filter(|class| is_by_ground(class)).map(|class| (*class).to_owned()).collect())
}

/// `text` is the class's own, `home` the state of the store.
pub async fn restriction_for(
    conn: &mut Conn<'_>,
    class: &str,
    text: &str,
    home: &str,
    on: Date,
) -> Result<Restriction, DbError> {
    Ok(restriction(&store::list_rules_of(conn, &[class]).await?, class, text, home, on))
}
