//! Calls of the tax settings.

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::StatusCode;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::validity::{EndInput, WithdrawInput};
use shop_domain::tax::editing;
use shop_domain::tax::model::{CountiesInput, CountiesReport, RateEntry, RateInput};
use shop_platform::audit::model::Actor;
use shop_platform::settings::dated;
use shop_platform::web::extract::{Id, Json};

/// The largest file of counties, in bytes: several times that of the state with the most ZIP codes.
const COUNTIES_LIMIT: usize = 512 * 1024;

/// `POST /api/admin/settings/tax/rates`
#[utoipa::path(post, path = "/api/admin/settings/tax/rates", request_body = RateInput, responses(
    (status = 204, description = "Added; what held on its first day ends there"),
    (status = 409, description = "Changed by someone else in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn add_rate(
    State(cx): State<Context>,
    actor: Actor,
    Json(input): Json<RateInput>,
) -> Result<StatusCode, Error> {
    editing::add(&cx, &actor, &input).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/settings/tax/rates/{id}/end`
#[utoipa::path(post, path = "/api/admin/settings/tax/rates/{id}/end", request_body = EndInput,
    params(("id" = Uuid, Path)), responses(
    (status = 204, description = "Ended"),
    (status = 404, description = "No such rate", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "It does not hold on the day before", body = shop_base::error::Problem),
))]
pub async fn end_rate(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    Json(input): Json<EndInput>,
) -> Result<StatusCode, Error> {
    dated::end::<RateEntry>(&cx, &actor, id, &input).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/settings/tax/rates/{id}/withdraw`
#[utoipa::path(post, path = "/api/admin/settings/tax/rates/{id}/withdraw", request_body = WithdrawInput,
    params(("id" = Uuid, Path)), responses(
    (status = 204, description = "Taken back; the rate before it holds on"),
    (status = 404, description = "No such rate", body = shop_base::error::Problem),
    (status = 409, description = "It has begun, nothing would take its place, or someone else changed it in the meantime", body = shop_base::error::Problem),
))]
pub async fn withdraw_rate(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    Json(input): Json<WithdrawInput>,
) -> Result<StatusCode, Error> {
    dated::withdraw::<RateEntry>(&cx, &actor, id, &input).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/settings/tax/counties`
#[utoipa::path(post, path = "/api/admin/settings/tax/counties", request_body = CountiesInput, responses(
    (status = 200, description = "What the file changes, or would change", body = CountiesReport),
    (status = 409, description = "Changed by someone else in the meantime", body = shop_base::error::Problem),
    (status = 413, description = "The file is too large: send one state at a time", body = shop_base::error::Problem),
))]
pub async fn import_counties(
    State(cx): State<Context>,
    actor: Actor,
    Json(input): Json<CountiesInput, COUNTIES_LIMIT>,
) -> Result<JsonBody<CountiesReport>, Error> {
    editing::import_counties(&cx, &actor, &input).await.map(JsonBody)
}
