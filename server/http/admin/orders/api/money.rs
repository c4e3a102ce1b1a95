//! Calls on an order's money: take a payment in the store, refund.

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::StatusCode;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::sales::flows::refund::NewRefund;
use shop_domain::sales::flows::take_payment::Takings;
use shop_domain::sales::flows::{refund, refund_return, take_payment, undo_payment};
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::{Json, Number, NumberAndId};

use super::{Made, Version};

/// `POST /api/admin/orders/{number}/payment`
#[utoipa::path(post, path = "/api/admin/orders/{number}/payment", request_body = Takings,
    params(("number" = String, Path, description = "The order's number")), responses(
    (status = 204, description = "The money was taken"),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "Nothing is due, or changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn take(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    Json(body): Json<Takings>,
) -> Result<StatusCode, Error> {
    take_payment::take(&cx, &number, &actor, &body).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/orders/{number}/payment/undo`
#[utoipa::path(post, path = "/api/admin/orders/{number}/payment/undo", request_body = Version,
    params(("number" = String, Path, description = "The order's number")), responses(
    (status = 204, description = "The payment in the store was recorded by mistake: the money is due again"),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "Not taken in the store, picked up, refunded, or changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn undo(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    Json(body): Json<Version>,
) -> Result<StatusCode, Error> {
    undo_payment::undo(&cx, &number, &actor, body.version).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/orders/{number}/refunds`
#[utoipa::path(post, path = "/api/admin/orders/{number}/refunds", request_body = NewRefund,
    params(("number" = String, Path, description = "The order's number")), responses(
    (status = 200, description = "The refund; the same click again gives the same", body = Made),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "Above what was paid, another amount, nothing taken, or changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn refund(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    Json(body): Json<NewRefund>,
) -> Result<JsonBody<Made>, Error> {
    let id = refund::refund(&cx, &number, &actor, &body).await?;
    Ok(JsonBody(Made { id }))
}

/// `POST /api/admin/orders/{number}/returns/{return_id}/refund`
#[utoipa::path(post, path = "/api/admin/orders/{number}/returns/{return_id}/refund", request_body = NewRefund,
    params(("number" = String, Path, description = "The order's number"), ("return_id" = Uuid, Path, description = "The return's id")), responses(
    (status = 200, description = "The refund of what came back", body = Made),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "Not received, above what was paid, or changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn refund_return(
    State(cx): State<Context>,
    actor: Actor,
    NumberAndId(number, return_id): NumberAndId,
    Json(body): Json<NewRefund>,
) -> Result<JsonBody<Made>, Error> {
    let id = refund_return::refund(&cx, &number, &actor, return_id, &body).await?;
    Ok(JsonBody(Made { id }))
}
