//! Current data for the debug page; retrying and discarding dead jobs.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::sales::mail;
use shop_platform::audit::model::Actor;
use shop_platform::jobs;
use shop_platform::jobs::model::Lane;
use shop_platform::web::extract::Id;
use utoipa::ToSchema;

use super::pages;
use super::pages::{DebugPage, DebugParts};

/// `GET /api/admin/debug`
#[utoipa::path(get, path = "/api/admin/debug", responses(
    (status = 200, description = "What the page shows, as things stand now", body = DebugPage),
))]
pub async fn debug(State(node): State<DebugParts>) -> Result<Json<DebugPage>, Error> {
    Ok(Json(pages::read(&node).await?))
}

/// `POST /api/admin/jobs/{id}/retry`
#[utoipa::path(post, path = "/api/admin/jobs/{id}/retry", params(("id" = uuid::Uuid, Path)), responses(
    (status = 204, description = "It is tried again at once, as if for the first time"),
    (status = 404, description = "No job that gave up", body = shop_base::error::Problem),
))]
pub async fn retry(State(cx): State<Context>, actor: Actor, Id(id): Id) -> Result<StatusCode, Error> {
    answer(jobs::service::retry(&cx, &actor, id).await?)
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RetriedMails {
    pub count: u64,
}

/// `POST /api/admin/mails/retry`
#[utoipa::path(post, path = "/api/admin/mails/retry", responses(
    (status = 200, description = "How many emails that were given up are tried again", body = RetriedMails),
))]
pub async fn retry_mails(State(cx): State<Context>, actor: Actor) -> Result<Json<RetriedMails>, Error> {
    Ok(Json(RetriedMails { count: jobs::service::retry_lane(&cx, &actor, Lane::Mail).await? }))
}

/// `DELETE /api/admin/jobs/{id}`
#[utoipa::path(delete, path = "/api/admin/jobs/{id}", params(("id" = uuid::Uuid, Path)), responses(
    (status = 204, description = "It will not be done"),
    (status = 404, description = "No job that gave up", body = shop_base::error::Problem),
    (status = 409, description = "It captures or voids a payment that is still held (`still_held`)", body = shop_base::error::Problem),
))]
pub async fn discard(State(cx): State<Context>, actor: Actor, Id(id): Id) -> Result<StatusCode, Error> {
    answer(mail::discard::discard(&cx, &actor, id).await?)
}

fn answer(found: bool) -> Result<StatusCode, Error> {
    if found { Ok(StatusCode::NO_CONTENT) } else { Err(Error::NotFound) }
}
