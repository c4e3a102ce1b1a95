//! The page of the compliance settings.

use std::collections::HashSet;

use axum::extract::State;
use serde::Serialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::validity::Phase;
use shop_domain::compliance::editing;
use shop_domain::compliance::model::{Class, Excise, Rule};
use shop_platform::settings::dated;
use shop_platform::settings::dated::Dated;
use shop_platform::settings::parts::{Part, version};
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::admin::admin_meta;

#[derive(Debug, Serialize, ToSchema)]
pub struct ComplianceSettingsPage {
    pub version: i64,
    /// In the shop's time zone, `YYYY-MM-DD`.
    pub today: String,
    pub classes: Vec<Class>,
    /// By class and state, the newest first.
    pub rules: Vec<RuleView>,
}

impl PageProps for ComplianceSettingsPage {
    const NAME: &'static str = "admin/settings/compliance";
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RuleView {
    pub id: Uuid,
    pub class: String,
    /// `*` stands for every state without its own rule.
    pub state: String,
    pub valid_from: String,
    pub valid_until: Option<String>,
    /// When it would end by itself: the next one may begin earlier.
    pub own_end: Option<String>,
    pub may_ship: bool,
    pub may_pick_up: bool,
    pub may_pay_online: bool,
    pub adult_signature: bool,
    pub ground_only: bool,
    pub reason: String,
    pub source: String,
    pub excise: Excise,
    pub phase: Phase,
}

/// `GET /admin/settings/compliance`
pub async fn page(State(cx): State<Context>) -> Result<Page, Error> {
    let today = cx.today();
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let version = version(&mut conn, Part::Compliance).await?;
    let classes = editing::list_classes(&mut conn).await?;
    let mut rules = editing::list_rules(&mut conn).await?;
    let own_ends = dated::find_own_ends::<Rule>(&mut conn).await?;
    drop(reader);
    rules.sort_by(|a, b| {
        (&a.class, &a.state).cmp(&(&b.class, &b.state)).then_with(|| (b.span.from, b.id).cmp(&(a.span.from, a.id)))
    });
    // An earlier release did not keep when one that it ended for the next would end: it would hold on.
    let is_next = |next: &Rule, rule: &Rule| {
        Some(next.span.from) == rule.span.until && next.is_about_the_same(rule) && !own_ends.contains_key(&next.id)
    };
    let cut = rules.iter().filter(|rule| rules.iter().any(|next| is_next(next, rule)));
    let cut: HashSet<Uuid> = cut.map(|rule| rule.id).collect();
    let own_end = |rule: &Rule| match own_ends.get(&rule.id) {
        Some(own_end) => *own_end,
        None => rule.span.until.filter(|_| !cut.contains(&rule.id)),
    };
    let view = |rule: Rule| RuleView {
        id: rule.id,
        own_end: own_end(&rule).map(|day| day.to_string()),
        phase: rule.span.phase(today),
        class: rule.class,
        state: rule.state,
        valid_from: rule.span.from.to_string(),
        valid_until: rule.span.until.map(|day| day.to_string()),
        may_ship: rule.may_ship,
        may_pick_up: rule.may_pick_up,
        may_pay_online: rule.may_pay_online,
        adult_signature: rule.adult_signature,
        ground_only: rule.ground_only,
        reason: rule.reason,
        source: rule.source,
        excise: rule.excise,
    };
    let rules = rules.into_iter().map(view).collect();
    let props = ComplianceSettingsPage { version, today: today.to_string(), classes, rules };
    Page::new("/admin/settings/compliance", &props, admin_meta("Compliance"))
}
