//! Calls by which staff change draft orders.

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::sales::flows::draft_step::DraftOutcome;
use shop_domain::sales::flows::{change_draft, make_draft, send_draft, withdraw_draft};
use shop_domain::sales::records::draft_orders::model::DraftInput;
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::{Json, Number};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::admin::orders::api::Version;

#[derive(Debug, Deserialize, ToSchema)]
pub struct NewDraft {
    /// Chosen by the browser: however often it is sent, only one draft is created.
    pub draft_id: Uuid,
    pub terms: DraftInput,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct DraftChange {
    /// The version of the draft that the caller saw.
    pub version: i64,
    pub terms: DraftInput,
}

/// `POST /api/admin/orders/drafts`
#[utoipa::path(post, path = "/api/admin/orders/drafts", request_body = NewDraft, responses(
    (status = 200, description = "What it comes to, and its number once it is stored", body = DraftOutcome),
    (status = 409, description = "Prices, stock or rules have changed, it cannot be paid online, it is to be mailed while email is off, or the same id has created a draft with other terms", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn make(
    State(cx): State<Context>,
    actor: Actor,
    Json(body): Json<NewDraft>,
) -> Result<JsonBody<DraftOutcome>, Error> {
    Ok(JsonBody(make_draft::make(&cx, &actor, body.draft_id, &body.terms).await?))
}

/// `PUT /api/admin/orders/drafts/{number}`
#[utoipa::path(put, path = "/api/admin/orders/drafts/{number}", request_body = DraftChange,
    params(("number" = String, Path, description = "The draft's number")), responses(
    (status = 200, description = "What it comes to, and its number once it is stored", body = DraftOutcome),
    (status = 404, description = "No such draft", body = shop_base::error::Problem),
    (status = 409, description = "Changed in the meantime, being paid, over, to be mailed while email is off, or prices, stock or rules have changed", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn change(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    Json(body): Json<DraftChange>,
) -> Result<JsonBody<DraftOutcome>, Error> {
    Ok(JsonBody(change_draft::change(&cx, &actor, &number, body.version, &body.terms).await?))
}

/// `POST /api/admin/orders/drafts/{number}/letter`
#[utoipa::path(post, path = "/api/admin/orders/drafts/{number}/letter", request_body = Version,
    params(("number" = String, Path, description = "The draft's number")), responses(
    (status = 204, description = "The link is mailed"),
    (status = 404, description = "No such draft", body = shop_base::error::Problem),
    (status = 409, description = "Changed in the meantime, expired, over, it cannot be paid as it is, or email is off", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn send(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    Json(body): Json<Version>,
) -> Result<StatusCode, Error> {
    send_draft::send(&cx, &actor, &number, body.version).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/orders/drafts/{number}/withdrawal`
#[utoipa::path(post, path = "/api/admin/orders/drafts/{number}/withdrawal", request_body = Version,
    params(("number" = String, Path, description = "The draft's number")), responses(
    (status = 204, description = "The link is worthless"),
    (status = 404, description = "No such draft", body = shop_base::error::Problem),
    (status = 409, description = "Changed in the meantime, being paid, or over", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn withdraw(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    Json(body): Json<Version>,
) -> Result<StatusCode, Error> {
    withdraw_draft::withdraw(&cx, &actor, &number, body.version).await?;
    Ok(StatusCode::NO_CONTENT)
}
