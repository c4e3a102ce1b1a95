//! Calls of the compliance settings.

use axum::extract::State;
use axum::http::StatusCode;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::validity::{EndInput, WithdrawInput};
use shop_domain::compliance::editing;
use shop_domain::compliance::model::{Rule, RuleInput};
use shop_platform::audit::model::Actor;
use shop_platform::settings::dated;
use shop_platform::web::extract::{Id, Json};

/// `POST /api/admin/settings/compliance/rules`
#[utoipa::path(post, path = "/api/admin/settings/compliance/rules", request_body = RuleInput, responses(
    (status = 204, description = "Added; what held on its first day ends there"),
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
    dated::end::<Rule>(&cx, &actor, id, &input).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/settings/compliance/rules/{id}/withdraw`
#[utoipa::path(post, path = "/api/admin/settings/compliance/rules/{id}/withdraw", request_body = WithdrawInput,
    params(("id" = Uuid, Path)), responses(
    (status = 204, description = "Taken back; the rule before it holds on"),
    (status = 404, description = "No such rule", body = shop_base::error::Problem),
    (status = 409, description = "It has begun, nothing would take its place, or someone else changed it in the meantime", body = shop_base::error::Problem),
))]
pub async fn withdraw_rule(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    Json(input): Json<WithdrawInput>,
) -> Result<StatusCode, Error> {
    dated::withdraw::<Rule>(&cx, &actor, id, &input).await?;
    Ok(StatusCode::NO_CONTENT)
}
