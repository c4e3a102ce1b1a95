//! Administration of rates and counties.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use jiff::civil::Date;
use serde_json::{Value, json};
use shop_base::context::Context;
use shop_base::counties;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_base::validity::{Phase, Span};
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change, Subject};
use shop_platform::settings::dated::{Actions, Dated};
use shop_platform::settings::parts::Part;
use shop_platform::settings::{dated, parts};
use uuid::Uuid;

use super::model::{CountiesInput, CountiesReport, County, RateEntry, RateInput, read_counties};
use super::store;

pub async fn list_entries(conn: &mut Conn<'_>) -> Result<Vec<RateEntry>, DbError> {
    store::list_entries(conn).await
}

/// The number of ZIP codes with a county, per state.
pub async fn count_counties(conn: &mut Conn<'_>) -> Result<Vec<(String, i64)>, DbError> {
    store::count_counties(conn).await
}

/// Adds a rate; the one in force on its first day ends there.
pub async fn add(cx: &Context, actor: &Actor, input: &RateInput) -> Result<(), Error> {
    let entry = input.entry(new_id(cx.clock.as_ref()))?;
    let mut reader = cx.db.read().await?;
    let on_file = store::list_counties(&mut reader.conn(), &entry.state).await?;
    drop(reader);
    // At home, the county is a setting. Elsewhere, a state may get its file of counties later.
    let is_checked = entry.state != cx.config.company.state && !entry.county.is_empty() && !on_file.is_empty();
    let key = counties::key(&entry.county);
    if is_checked && !on_file.iter().any(|on_file| counties::key(&on_file.county) == key) {
        return Err(Error::invalid("county", "No ZIP code on file is in this county."));
    }
    dated::add(cx, actor, input.version, entry).await
}

/// Parses a file of counties and replaces the stored ones of its states, unless it is a dry run or has errors. A file that is sent again
/// because an answer was lost is what is there, and its report says that it changes nothing.
pub async fn import_counties(cx: &Context, actor: &Actor, input: &CountiesInput) -> Result<CountiesReport, Error> {
    let (counties, problems) = read_counties(&input.csv);
    let mut states: Vec<String> = counties.iter().map(|county| county.state.clone()).collect();
    states.sort_unstable();
    states.dedup();
    let clock = cx.clock.as_ref();
    let today = cx.today();
    let is_trial = input.dry_run || !problems.is_empty();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let is_claimed = !is_trial && parts::try_claim(&mut conn, clock, Part::Tax, input.version).await?;
    let mut known = Vec::new();
    for state in &states {
        known.extend(store::list_counties(&mut conn, state).await?);
    }
    let listed: HashSet<_> =
        counties.iter().map(|county| (county.state.as_str(), counties::key(&county.county))).collect();
    let idle = store::list_entries(&mut conn).await?.into_iter().filter(|entry| {
        states.contains(&entry.state)
            && entry.state != cx.config.company.state
            && !entry.county.is_empty()
            && entry.span.phase(today) != Phase::Past
            && !listed.contains(&(entry.state.as_str(), counties::key(&entry.county)))
    });
    let idle_rates =
        idle.map(|entry| format!("{}, {}", counties::shown(&entry.state, &entry.county), entry.state)).collect();
    let (before, after) = differing(&known, &counties);
    let former: HashSet<_> = before.iter().map(|county| zip(county)).collect();
    let changed = after.iter().filter(|county| former.contains(&zip(county))).count();
    let count = |found: usize| i64::try_from(found).unwrap_or(i64::MAX);
    let report = CountiesReport {
        lines: count(counties.len() + problems.len()),
        added: count(after.len() - changed),
        changed: count(changed),
        removed: count(before.len() - changed),
        states,
        idle_rates,
        problems,
    };
    if is_trial {
        return Ok(report);
    }
    if !is_claimed {
        let is_stored = before.is_empty() && after.is_empty();
        return parts::unclaimed(is_stored).map(|()| report);
    }
    for state in &report.states {
        store::delete_counties(&mut conn, state).await?;
    }
    store::insert_counties(&mut conn, &counties).await?;
    let subject = Subject::new("setting", Part::Tax.name(), "Counties by ZIP code");
    let mut recorded = by_county(&after);
    recorded["states"] = json!(report.states);
    for (name, number) in [("added", report.added), ("changed", report.changed), ("removed", report.removed)] {
        recorded[name] = json!(number);
    }
    let change = Change { before: by_county(&before), ..Change::new("tax.import_counties", subject, recorded) };
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(report)
}

fn zip(county: &County) -> (&str, &str) {
    (&county.state, &county.postal_code)
}

/// What is in one only: the former and the new counties of ZIP codes that change.
fn differing<'a>(before: &'a [County], after: &'a [County]) -> (Vec<&'a County>, Vec<&'a County>) {
    let (old, new): (BTreeSet<_>, BTreeSet<_>) = (before.iter().collect(), after.iter().collect());
    (old.difference(&new).copied().collect(), new.difference(&old).copied().collect())
}

/// The ZIP codes by state and county, as the audit log keeps them: an import deletes what orders were taxed by.
fn by_county(counties: &[&County]) -> Value {
    let mut states = BTreeMap::<_, BTreeMap<_, Vec<_>>>::new();
    for County { state, postal_code, county } in counties {
        states.entry(state).or_default().entry(county).or_default().push(postal_code);
    }
    json!(states)
}

impl Dated for RateEntry {
    const PART: Part = Part::Tax;
    const ACTIONS: Actions = Actions { add: "tax.add_rate", end: "tax.end_rate", withdraw: "tax.withdraw_rate" };

    fn id(&self) -> Uuid {
        self.id
    }

    fn span(&self) -> Span {
        self.span
    }

    fn with_span(self, span: Span) -> Self {
        Self { span, ..self }
    }

    fn is_about_the_same(&self, other: &Self) -> bool {
        let place = |entry: &Self| (entry.state.clone(), counties::key(&entry.county));
        place(self) == place(other)
    }

    fn subject(&self) -> Subject {
        Subject::new("setting", self.id, format!("Tax {} {}", self.state, self.county).trim_end())
    }

    fn recorded(&self) -> Value {
        json!({ "rate": self.ppm, "taxes_shipping": self.taxes_shipping, "source": self.source })
    }

    async fn list(conn: &mut Conn<'_>) -> Result<Vec<Self>, DbError> {
        store::list_entries(conn).await
    }

    async fn insert(&self, conn: &mut Conn<'_>) -> Result<(), DbError> {
        store::insert_entry(conn, self).await
    }

    async fn set_end(conn: &mut Conn<'_>, id: Uuid, until: Option<Date>) -> Result<(), DbError> {
        store::set_end(conn, id, until).await
    }

    async fn delete(conn: &mut Conn<'_>, id: Uuid) -> Result<(), DbError> {
        store::delete_entry(conn, id).await
    }
}
