//! Calls of the testing page.

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::sales::flows::payment_webhook;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change, Subject};
use shop_platform::mail::service::MailService;
use shop_platform::web::extract::Json;
use utoipa::ToSchema;

use super::checks::{Check, Services};
use super::compliance::{ComplianceTrial, Verdict};
use super::payment::Step;
use super::{checks, compliance, payment};
use crate::admin::test_email::pages::{MailOutcome, try_out};

/// `POST /api/admin/testing/settings`
#[utoipa::path(post, path = "/api/admin/testing/settings", responses(
    (status = 200, description = "How each part of the outside world answers", body = Vec<Check>),
))]
pub async fn check_settings(State(services): State<Services>) -> JsonBody<Vec<Check>> {
    JsonBody(checks::run(&services).await)
}

/// `POST /api/admin/testing/payment`
#[utoipa::path(post, path = "/api/admin/testing/payment", responses(
    (status = 200, description = "What each step said; the last may have failed", body = Vec<Step>),
    (status = 409, description = "Card payment is off, or real", body = shop_base::error::Problem),
))]
pub async fn pay(State(services): State<Services>, actor: Actor) -> Result<JsonBody<Vec<Step>>, Error> {
    let steps = payment::run(&services.cx, &services.providers).await?;
    let names: Vec<&str> = steps.iter().map(|step| step.name).collect();
    let change = Change::new("testing.payment", Subject::new("testing", "payment", ""), json!({ "steps": names }));
    audit::service::record_now(&services.cx, &actor, &change).await?;
    Ok(JsonBody(steps))
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct MailTrial {
    pub to: String,
    /// One of the kinds of mail that the page lists.
    pub kind: String,
}

/// `POST /api/admin/testing/mail`
#[utoipa::path(post, path = "/api/admin/testing/mail", request_body = MailTrial, responses(
    (status = 200, description = "What became of it", body = MailOutcome),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn send_mail(
    State(mails): State<MailService>,
    actor: Actor,
    Json(trial): Json<MailTrial>,
) -> Result<JsonBody<MailOutcome>, Error> {
    let (_, outcome) = try_out(&mails, &actor, trial.to.trim(), &trial.kind).await?;
    Ok(JsonBody(outcome))
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct WebhookReplay {
    pub provider: String,
    pub event_id: String,
    pub kind: String,
}

/// `POST /api/admin/testing/webhooks`
#[utoipa::path(post, path = "/api/admin/testing/webhooks", request_body = WebhookReplay, responses(
    (status = 204, description = "It is understood once more; doing so twice changes nothing"),
    (status = 404, description = "No such event", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn replay(
    State(cx): State<Context>,
    actor: Actor,
    Json(event): Json<WebhookReplay>,
) -> Result<StatusCode, Error> {
    if payment_webhook::replay(&cx, &actor, &event.provider, &event.event_id, &event.kind).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Error::NotFound)
    }
}

/// `POST /api/admin/testing/compliance`
#[utoipa::path(post, path = "/api/admin/testing/compliance", request_body = ComplianceTrial, responses(
    (status = 200, description = "What the rules of today say", body = Verdict),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn try_compliance(
    State(cx): State<Context>,
    Json(trial): Json<ComplianceTrial>,
) -> Result<JsonBody<Verdict>, Error> {
    Ok(JsonBody(compliance::run(&cx, &trial).await?))
}
