//! Calls that create and change promo codes.

use axum::extract::State;
use axum::http::StatusCode;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::promotions::model::PromoInput;
use shop_domain::promotions::service;
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::{Id, Json};

/// `POST /api/admin/settings/promotions`
#[utoipa::path(post, path = "/api/admin/settings/promotions", request_body = PromoInput, responses(
    (status = 204, description = "Made: shoppers can use it"),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn create(
    State(cx): State<Context>,
    actor: Actor,
    Json(input): Json<PromoInput>,
) -> Result<StatusCode, Error> {
    service::create(&cx, &actor, &input).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `PUT /api/admin/settings/promotions/{id}`
#[utoipa::path(put, path = "/api/admin/settings/promotions/{id}", request_body = PromoInput,
    params(("id" = uuid::Uuid, Path)), responses(
    (status = 204, description = "Saved"),
    (status = 404, description = "No such code", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime, or promised by a draft order (`promised`)",
        body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn change(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    Json(input): Json<PromoInput>,
) -> Result<StatusCode, Error> {
    service::change(&cx, &actor, id, &input).await?;
    Ok(StatusCode::NO_CONTENT)
}
