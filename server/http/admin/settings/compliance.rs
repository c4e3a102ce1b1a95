//! `/admin/settings/compliance`: what may be sold where, and since when.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use shop_base::clock;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::validity::{EndInput, Phase, WithdrawInput};
use shop_domain::compliance::editing;
use shop_domain::compliance::model::{Class, Excise, Rule, RuleInput};
use shop_platform::audit::model::Actor;
use shop_platform::settings::parts::{Part, version};
use shop_platform::web::extract::{Id, Json};
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
    /// `*` is every state without a rule of its own.
    pub state: String,
    pub valid_from: String,
    pub valid_until: Option<String>,
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
    let today = clock::today(cx.clock.as_ref(), &cx.config.company.time_zone);
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let version = version(&mut conn, Part::Compliance).await?;
    let classes = editing::list_classes(&mut conn).await?;
    let mut rules = editing::list_rules(&mut conn).await?;
    drop(reader);
    rules.sort_by(|a, b| {
        (&a.class, &a.state).cmp(&(&b.class, &b.state)).then_with(|| (b.valid_from, b.id).cmp(&(a.valid_from, a.id)))
    });
    let view = |rule: Rule| RuleView {
        id: rule.id,
        phase: rule.span().phase(today),
        class: rule.class,
        state: rule.state,
        valid_from: rule.valid_from.to_string(),
        valid_until: rule.valid_until.map(|day| day.to_string()),
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

/// `POST /api/admin/settings/compliance/rules`
#[utoipa::path(post, path = "/api/admin/settings/compliance/rules", request_body = RuleInput, responses(
    (status = 204, description = "Added; what held on its first day ends there"),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn add_rule(
    State(cx): State<Context>,
    actor: Actor,
    Json(input): Json<RuleInput>,
) -> Result<StatusCode, Error> {
    editing::add(&cx, &actor, &input).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/settings/compliance/rules/{id}/end`
#[utoipa::path(post, path = "/api/admin/settings/compliance/rules/{id}/end", request_body = EndInput,
    params(("id" = Uuid, Path)), responses(
    (status = 204, description = "Ended: unless another rule holds, nothing of the class is sold there"),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
    (status = 404, description = "No such rule", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "It does not hold on the day before", body = shop_base::error::Problem),
))]
pub async fn end_rule(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    Json(input): Json<EndInput>,
) -> Result<StatusCode, Error> {
    editing::end(&cx, &actor, id, &input).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/settings/compliance/rules/{id}/withdraw`
#[utoipa::path(post, path = "/api/admin/settings/compliance/rules/{id}/withdraw", request_body = WithdrawInput,
    params(("id" = Uuid, Path)), responses(
    (status = 204, description = "Taken back; the rule before it holds on"),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
    (status = 404, description = "No such rule", body = shop_base::error::Problem),
    (status = 409, description = "It has begun, or someone else changed it in the meantime", body = shop_base::error::Problem),
))]
pub async fn withdraw_rule(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    Json(input): Json<WithdrawInput>,
) -> Result<StatusCode, Error> {
    editing::withdraw(&cx, &actor, id, &input).await?;
    Ok(StatusCode::NO_CONTENT)
}
