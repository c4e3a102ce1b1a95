//! Calls that create, change and test endpoints.

use std::sync::Arc;

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::{Asked, Id, Json};
use shop_platform::webhooks::model::EndpointInput;
use shop_platform::webhooks::sender::Sender;
use shop_platform::webhooks::service;
use shop_platform::webhooks::service::{EndpointSecret, Sent};
use utoipa::ToSchema;

/// `POST /api/admin/settings/webhooks`
#[utoipa::path(post, path = "/api/admin/settings/webhooks", request_body = EndpointInput, responses(
    (status = 201, description = "Made; the secret is told this once", body = EndpointSecret),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
    (status = 409, description = "There are too many", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn create(
    State(cx): State<Context>,
    State(sender): State<Arc<Sender>>,
    actor: Actor,
    Json(input): Json<EndpointInput>,
) -> Result<(StatusCode, JsonBody<EndpointSecret>), Error> {
    Ok((StatusCode::CREATED, JsonBody(service::create(&cx, &sender, &actor, &input).await?)))
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct EndpointChange {
    /// The version that the caller saw.
    pub version: i64,
    pub endpoint: EndpointInput,
}

/// `PUT /api/admin/settings/webhooks/{id}`
#[utoipa::path(put, path = "/api/admin/settings/webhooks/{id}", request_body = EndpointChange,
    params(("id" = Uuid, Path)), responses(
    (status = 204, description = "Saved"),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
    (status = 404, description = "No such endpoint", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn change(
    State(cx): State<Context>,
    State(sender): State<Arc<Sender>>,
    actor: Actor,
    Id(id): Id,
    Json(change): Json<EndpointChange>,
) -> Result<StatusCode, Error> {
    service::change(&cx, &sender, &actor, id, change.version, &change.endpoint).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `DELETE /api/admin/settings/webhooks/{id}?version=`
#[utoipa::path(delete, path = "/api/admin/settings/webhooks/{id}", params(
    ("id" = Uuid, Path), ("version" = i64, Query, description = "That the caller saw")), responses(
    (status = 204, description = "Deleted with its log; nothing more is sent to it"),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
    (status = 404, description = "No such endpoint", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Without a version", body = shop_base::error::Problem),
))]
pub async fn delete(State(cx): State<Context>, actor: Actor, Id(id): Id, asked: Asked) -> Result<StatusCode, Error> {
    service::delete(&cx, &actor, id, asked.version()?).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct EndpointVersion {
    /// The version that the caller saw.
    pub version: i64,
}

/// `POST /api/admin/settings/webhooks/{id}/secret`
#[utoipa::path(post, path = "/api/admin/settings/webhooks/{id}/secret", request_body = EndpointVersion,
    params(("id" = Uuid, Path)), responses(
    (status = 200, description = "A new secret, told this once; the one until now signs beside it for 24 hours",
        body = EndpointSecret),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
    (status = 404, description = "No such endpoint", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime", body = shop_base::error::Problem),
))]
pub async fn rotate(
    State(cx): State<Context>,
    State(sender): State<Arc<Sender>>,
    actor: Actor,
    Id(id): Id,
    Json(body): Json<EndpointVersion>,
) -> Result<JsonBody<EndpointSecret>, Error> {
    Ok(JsonBody(service::rotate(&cx, &sender, &actor, id, body.version).await?))
}

/// `POST /api/admin/settings/webhooks/{id}/test`
#[utoipa::path(post, path = "/api/admin/settings/webhooks/{id}/test", params(("id" = Uuid, Path)), responses(
    (status = 202, description = "A test is on its way; it is tried once", body = Sent),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
    (status = 404, description = "No such endpoint", body = shop_base::error::Problem),
    (status = 409, description = "The endpoint is off", body = shop_base::error::Problem),
))]
pub async fn test(State(cx): State<Context>, actor: Actor, Id(id): Id) -> Result<(StatusCode, JsonBody<Sent>), Error> {
    Ok((StatusCode::ACCEPTED, JsonBody(service::send_test(&cx, &actor, id).await?)))
}

/// `POST /api/admin/settings/webhooks/log/{id}/again`
#[utoipa::path(post, path = "/api/admin/settings/webhooks/log/{id}/again", params(("id" = Uuid, Path)), responses(
    (status = 202, description = "The same is on its way once more, under the same `webhook-id`", body = Sent),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
    (status = 404, description = "No such dispatch or endpoint", body = shop_base::error::Problem),
    (status = 409, description = "The endpoint is off", body = shop_base::error::Problem),
))]
pub async fn again(State(cx): State<Context>, actor: Actor, Id(id): Id) -> Result<(StatusCode, JsonBody<Sent>), Error> {
    Ok((StatusCode::ACCEPTED, JsonBody(service::send_again(&cx, &actor, id).await?)))
}
