//! What staff do with rates and counties.

use std::collections::HashMap;

use serde_json::json;
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

use super::model::{CountiesInput, CountiesReport, RateEntry, RateInput, read_counties};
use super::store;

pub async fn list_entries(conn: &mut Conn<'_>) -> Result<Vec<RateEntry>, DbError> {
    store::list_entries(conn).await
}

/// How many ZIP codes of each state have a county.
pub async fn count_counties(conn: &mut Conn<'_>) -> Result<Vec<(String, i64)>, DbError> {
    store::count_counties(conn).await
}

/// Adds a rate; the one that holds on its first day ends there.
pub async fn add(cx: &Context, actor: &Actor, input: &RateInput) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let today = clock::today(clock, &cx.config.company.time_zone);
    let mut entry = input.entry(new_id(clock), today)?;
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    parts::claim(&mut conn, clock, Part::Tax, input.version).await?;
    let succession = validity::succeed(&spans(&mut conn, &entry).await?, entry.span);
    for id in &succession.ended {
        store::set_end(&mut conn, *id, Some(entry.span.from)).await?;
    }
    entry.span = succession.span;
    store::insert_entry(&mut conn, &entry).await?;
    let after = json!({
        "rate": entry.ppm, "taxes_shipping": entry.taxes_shipping, "valid_from": entry.span.from.to_string(),
        "valid_until": day(entry.span), "source": entry.source, "ends": succession.ended,
    });
    audit::service::record(&mut conn, clock, actor, &Change::new("tax.add_rate", subject(&entry), after)).await?;
    tx.commit().await?;
    Ok(())
}

/// Ends a rate.
pub async fn end(cx: &Context, actor: &Actor, id: Uuid, input: &EndInput) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let today = clock::today(clock, &cx.config.company.time_zone);
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let entry = get(&mut conn, id).await?;
    parts::claim(&mut conn, clock, Part::Tax, input.version).await?;
    let until = validity::check_end(entry.span, &input.valid_until, today)?;
    store::set_end(&mut conn, id, Some(until)).await?;
    let (before, after) = (json!({ "valid_until": day(entry.span) }), json!({ "valid_until": until.to_string() }));
    let change = Change::of("tax.end_rate", subject(&entry), &before, &after);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Takes a rate back that has not begun.
pub async fn withdraw(cx: &Context, actor: &Actor, id: Uuid, input: &WithdrawInput) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let today = clock::today(clock, &cx.config.company.time_zone);
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let entry = get(&mut conn, id).await?;
    parts::claim(&mut conn, clock, Part::Tax, input.version).await?;
    let before = validity::withdraw(&spans(&mut conn, &entry).await?, entry.span, today)?;
    store::delete_entry(&mut conn, id).await?;
    if let Some(before) = before {
        store::set_end(&mut conn, before, entry.span.until).await?;
    }
    let told = json!({ "rate": entry.ppm, "valid_from": entry.span.from.to_string(), "source": entry.source });
    let change = Change { before: told, ..Change::new("tax.withdraw_rate", subject(&entry), json!({})) };
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Reads a file of counties; puts it in the place of what was known of its states unless it is a dry run or has faults.
pub async fn import_counties(cx: &Context, actor: &Actor, input: &CountiesInput) -> Result<CountiesReport, Error> {
    let (counties, problems) = read_counties(&input.csv);
    let mut states: Vec<String> = counties.iter().map(|county| county.state.clone()).collect();
    states.sort_unstable();
    states.dedup();
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let mut known = HashMap::new();
    for state in &states {
        known.extend(store::list_counties(&mut conn, state).await?);
    }
    let old = |code: &str| known.get(code);
    let count = |found: usize| i64::try_from(found).unwrap_or(i64::MAX);
    let kept = counties.iter().filter(|county| old(&county.postal_code).is_some()).count();
    let differs = |name: &String, county: &str| name.as_str() != county;
    let report = CountiesReport {
        lines: count(counties.len() + problems.len()),
        added: count(counties.len() - kept),
        changed: count(
            counties
                .iter()
                .filter(|county| old(&county.postal_code).is_some_and(|name| differs(name, &county.county)))
                .count(),
        ),
        removed: count(known.len() - kept),
        states,
        problems,
    };
    if input.dry_run || !report.problems.is_empty() {
        return Ok(report);
    }
    parts::claim(&mut conn, clock, Part::Tax, input.version).await?;
    for state in &report.states {
        store::delete_counties(&mut conn, state).await?;
    }
    for county in &counties {
        store::insert_county(&mut conn, county).await?;
    }
    let subject = Subject::new("setting", Part::Tax.name(), "Counties by ZIP code");
    let after = json!({
        "states": report.states, "added": report.added, "changed": report.changed, "removed": report.removed,
    });
    audit::service::record(&mut conn, clock, actor, &Change::new("tax.import_counties", subject, after)).await?;
    tx.commit().await?;
    Ok(report)
}

async fn get(conn: &mut Conn<'_>, id: Uuid) -> Result<RateEntry, Error> {
    let found = store::list_entries(conn).await?.into_iter().find(|entry| entry.id == id);
    found.ok_or(Error::NotFound)
}

/// The other rates of the same place.
async fn spans(conn: &mut Conn<'_>, entry: &RateEntry) -> Result<Vec<(Uuid, Span)>, DbError> {
    let entries = store::list_entries(conn).await?.into_iter();
    let others =
        entries.filter(|other| other.id != entry.id && (&other.state, &other.county) == (&entry.state, &entry.county));
    Ok(others.map(|other| (other.id, other.span)).collect())
}

fn subject(entry: &RateEntry) -> Subject {
    Subject::new("setting", entry.id, format!("Tax {} {}", entry.state, entry.county).trim_end())
}

fn day(span: Span) -> Option<String> {
    span.until.map(|day| day.to_string())
}
