//! What staff do with rules.

use serde_json::{Value, json};
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_base::validity::{EndInput, Span, WithdrawInput};
use shop_base::{clock, validity};
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change, Subject};
use shop_platform::settings::parts;
use shop_platform::settings::parts::Part;
use uuid::Uuid;

use super::model::{Class, Rule, RuleInput};
use super::store;

/// All rules that hold, will hold or have held.
pub async fn list_rules(conn: &mut Conn<'_>) -> Result<Vec<Rule>, DbError> {
    store::list_rules(conn).await
}

pub async fn list_classes(conn: &mut Conn<'_>) -> Result<Vec<Class>, DbError> {
    store::list_classes(conn).await
}

/// Adds a rule; the one that holds on its first day ends there.
pub async fn add(cx: &Context, actor: &Actor, input: &RuleInput) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let today = clock::today(clock, &cx.config.company.time_zone);
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let classes = store::list_classes(&mut conn).await?;
    let mut rule = input.rule(new_id(clock), &classes, today)?;
    parts::claim(&mut conn, clock, Part::Compliance, input.version).await?;
    let succession = validity::succeed(&spans(&mut conn, &rule).await?, rule.span());
    for id in &succession.ended {
        store::set_end(&mut conn, *id, Some(rule.valid_from)).await?;
    }
    rule.valid_until = succession.span.until;
    store::insert_rule(&mut conn, &rule).await?;
    let mut after = told(&rule);
    after["ends"] = json!(succession.ended);
    audit::service::record(&mut conn, clock, actor, &Change::new("compliance.add_rule", subject(&rule), after)).await?;
    tx.commit().await?;
    Ok(())
}

/// Ends a rule. Without a rule nothing is sold.
pub async fn end(cx: &Context, actor: &Actor, id: Uuid, input: &EndInput) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let today = clock::today(clock, &cx.config.company.time_zone);
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let rule = get(&mut conn, id).await?;
    parts::claim(&mut conn, clock, Part::Compliance, input.version).await?;
    let until = validity::check_end(rule.span(), &input.valid_until, today)?;
    store::set_end(&mut conn, id, Some(until)).await?;
    let ended = Rule { valid_until: Some(until), ..rule.clone() };
    let change = Change::of("compliance.end_rule", subject(&rule), &told(&rule), &told(&ended));
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Takes a rule back that has not begun.
pub async fn withdraw(cx: &Context, actor: &Actor, id: Uuid, input: &WithdrawInput) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let today = clock::today(clock, &cx.config.company.time_zone);
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let rule = get(&mut conn, id).await?;
    parts::claim(&mut conn, clock, Part::Compliance, input.version).await?;
    let before = validity::withdraw(&spans(&mut conn, &rule).await?, rule.span(), today)?;
    store::delete_rule(&mut conn, id).await?;
    if let Some(before) = before {
        store::set_end(&mut conn, before, rule.valid_until).await?;
    }
    let change = Change { before: told(&rule), ..Change::new("compliance.withdraw_rule", subject(&rule), json!({})) };
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

async fn get(conn: &mut Conn<'_>, id: Uuid) -> Result<Rule, Error> {
    let found = store::list_rules(conn).await?.into_iter().find(|rule| rule.id == id);
    found.ok_or(Error::NotFound)
}

/// The other rules of the same class and state.
async fn spans(conn: &mut Conn<'_>, rule: &Rule) -> Result<Vec<(Uuid, Span)>, DbError> {
    let rules = store::list_rules(conn).await?.into_iter();
    let others =
        rules.filter(|other| other.id != rule.id && (&other.class, &other.state) == (&rule.class, &rule.state));
    Ok(others.map(|other| (other.id, other.span())).collect())
}

fn subject(rule: &Rule) -> Subject {
    Subject::new("setting", rule.id, format!("{} in {}", rule.class, rule.state))
}

/// As the audit log tells it.
fn told(rule: &Rule) -> Value {
    json!({
        "valid_from": rule.valid_from.to_string(), "valid_until": rule.valid_until.map(|day| day.to_string()),
        "may_ship": rule.may_ship, "may_pick_up": rule.may_pick_up, "may_pay_online": rule.may_pay_online,
        "adult_signature": rule.adult_signature, "ground_only": rule.ground_only,
        "reason": rule.reason, "source": rule.source, "excise": rule.excise,
    })
}
