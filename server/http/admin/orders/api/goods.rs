//! Calls on an order's goods: ship, hand over, take back.

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::StatusCode;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::identity::model::Session;
use shop_domain::sales::flows::approve_return::Approval;
use shop_domain::sales::flows::close_return::Closure;
use shop_domain::sales::flows::hand_over::Handover;
use shop_domain::sales::flows::receive_return::Receipt;
use shop_domain::sales::flows::reject_return::Rejection;
use shop_domain::sales::flows::request_return::NewReturn;
use shop_domain::sales::flows::ship::Shipment;
use shop_domain::sales::flows::{
    approve_return, close_return, deliver, hand_over, make_ready, receive_return, reject_return, request_return,
    ship as fulfillment, undo_fulfillment, undo_ready,
};
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::{Json, Number, NumberAndId};

use super::{Made, Version};
use crate::admin::guard;
use crate::admin::guard::Needs;
use crate::admin::rights::Permission;
use crate::identity::extract::Customer;

/// `POST /api/admin/orders/{number}/shipment`
#[utoipa::path(post, path = "/api/admin/orders/{number}/shipment", request_body = Shipment,
    params(("number" = String, Path, description = "The order's number")), responses(
    (status = 204, description = "Recorded; the buyer is written to"),
    (status = 403, description = "With `confirm_rules`, only those who may change a rule", body = shop_base::error::Problem),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "Not paid, canceled, to be picked up, left already, forbidden by today's rules (`rules_forbid`), or changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn ship(
    State(cx): State<Context>,
    Customer(session): Customer,
    actor: Actor,
    Number(number): Number,
    Json(body): Json<Shipment>,
) -> Result<StatusCode, Error> {
    if body.confirm_rules.is_some() {
        may_confirm(&cx, &session, &actor)?;
    }
    fulfillment::ship(&cx, &number, &actor, &body).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Goods may leave against a rule only by the word of somebody who could change that rule.
fn may_confirm(cx: &Context, session: &Session, actor: &Actor) -> Result<(), Error> {
    let needs = Needs { permission: Permission::EditSettings, changes: true };
    guard::require(cx, session, needs, &actor.network)
}

/// `POST /api/admin/orders/{number}/ready`
#[utoipa::path(post, path = "/api/admin/orders/{number}/ready", request_body = Version,
    params(("number" = String, Path, description = "The order's number")), responses(
    (status = 204, description = "The goods lie ready in the store; the buyer is written to"),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "Canceled, to be shipped, left already, ready already, forbidden by today's rules (`rules_forbid`), or changed meanwhile", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn make_ready(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    Json(body): Json<Version>,
) -> Result<StatusCode, Error> {
    make_ready::make_ready(&cx, &number, &actor, body.version).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/orders/{number}/ready/undo`
#[utoipa::path(post, path = "/api/admin/orders/{number}/ready/undo", request_body = Version,
    params(("number" = String, Path, description = "The order's number")), responses(
    (status = 204, description = "It is not ready after all; the buyer who was told that it is, is written to"),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "Not marked as ready, picked up, canceled, archived, or changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn undo_ready(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    Json(body): Json<Version>,
) -> Result<StatusCode, Error> {
    undo_ready::undo(&cx, &number, &actor, body.version).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/orders/{number}/handover`
#[utoipa::path(post, path = "/api/admin/orders/{number}/handover", request_body = Handover,
    params(("number" = String, Path, description = "The order's number")), responses(
    (status = 204, description = "Recorded"),
    (status = 403, description = "With `confirm_rules`, only those who may change a rule", body = shop_base::error::Problem),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "Not paid, canceled, to be shipped, left already, forbidden by today's rules (`rules_forbid`), or changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn hand_over(
    State(cx): State<Context>,
    Customer(session): Customer,
    actor: Actor,
    Number(number): Number,
    Json(body): Json<Handover>,
) -> Result<StatusCode, Error> {
    if body.confirm_rules.is_some() {
        may_confirm(&cx, &session, &actor)?;
    }
    hand_over::hand_over(&cx, &number, &actor, &body).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/orders/{number}/fulfillments/{fulfillment_id}/delivery`
#[utoipa::path(post, path = "/api/admin/orders/{number}/fulfillments/{fulfillment_id}/delivery", request_body = Version,
    params(("number" = String, Path, description = "The order's number"), ("fulfillment_id" = Uuid, Path, description = "The package ID")), responses(
    (status = 204, description = "The package was delivered"),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "Arrived before, or changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn deliver(
    State(cx): State<Context>,
    actor: Actor,
    NumberAndId(number, fulfillment_id): NumberAndId,
    Json(body): Json<Version>,
) -> Result<StatusCode, Error> {
    deliver::deliver(&cx, &number, &actor, body.version, fulfillment_id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/orders/{number}/fulfillments/{fulfillment_id}/undo`
#[utoipa::path(post, path = "/api/admin/orders/{number}/fulfillments/{fulfillment_id}/undo", request_body = Version,
    params(("number" = String, Path, description = "The order's number"), ("fulfillment_id" = Uuid, Path, description = "The package ID")), responses(
    (status = 204, description = "Its delivery, or else its departure, is undone; of a package that has not left, the buyer is written to"),
    (status = 404, description = "No such order or package", body = shop_base::error::Problem),
    (status = 409, description = "Canceled, archived, returned, or changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn undo(
    State(cx): State<Context>,
    actor: Actor,
    NumberAndId(number, fulfillment_id): NumberAndId,
    Json(body): Json<Version>,
) -> Result<StatusCode, Error> {
    undo_fulfillment::undo(&cx, &number, &actor, body.version, fulfillment_id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/orders/{number}/returns`
#[utoipa::path(post, path = "/api/admin/orders/{number}/returns", request_body = NewReturn,
    params(("number" = String, Path, description = "The order's number")), responses(
    (status = 200, description = "The return, requested", body = Made),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "Nothing of the order has left, or it was changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn request_return(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    Json(body): Json<NewReturn>,
) -> Result<JsonBody<Made>, Error> {
    let id = request_return::request(&cx, &number, &actor, &body).await?;
    Ok(JsonBody(Made { id }))
}

/// `POST /api/admin/orders/{number}/returns/{return_id}/approval`
#[utoipa::path(post, path = "/api/admin/orders/{number}/returns/{return_id}/approval", request_body = Approval,
    params(("number" = String, Path, description = "The order's number"), ("return_id" = Uuid, Path, description = "The return's id")), responses(
    (status = 204, description = "The buyer may send it"),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "Not now, or changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn approve_return(
    State(cx): State<Context>,
    actor: Actor,
    NumberAndId(number, return_id): NumberAndId,
    Json(body): Json<Approval>,
) -> Result<StatusCode, Error> {
    approve_return::approve(&cx, &number, &actor, return_id, &body).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/orders/{number}/returns/{return_id}/rejection`
#[utoipa::path(post, path = "/api/admin/orders/{number}/returns/{return_id}/rejection", request_body = Rejection,
    params(("number" = String, Path, description = "The order's number"), ("return_id" = Uuid, Path, description = "The return's id")), responses(
    (status = 204, description = "It ends here"),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "Not now, or changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn reject_return(
    State(cx): State<Context>,
    actor: Actor,
    NumberAndId(number, return_id): NumberAndId,
    Json(body): Json<Rejection>,
) -> Result<StatusCode, Error> {
    reject_return::reject(&cx, &number, &actor, return_id, &body).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/orders/{number}/returns/{return_id}/receipt`
#[utoipa::path(post, path = "/api/admin/orders/{number}/returns/{return_id}/receipt", request_body = Receipt,
    params(("number" = String, Path, description = "The order's number"), ("return_id" = Uuid, Path, description = "The return's id")), responses(
    (status = 204, description = "Recorded, and on the shelf what can be sold again"),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "Not now, or changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn receive_return(
    State(cx): State<Context>,
    actor: Actor,
    NumberAndId(number, return_id): NumberAndId,
    Json(body): Json<Receipt>,
) -> Result<StatusCode, Error> {
    receive_return::receive(&cx, &number, &actor, return_id, &body).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/orders/{number}/returns/{return_id}/closure`
#[utoipa::path(post, path = "/api/admin/orders/{number}/returns/{return_id}/closure", request_body = Closure,
    params(("number" = String, Path, description = "The order's number"), ("return_id" = Uuid, Path, description = "The return's id")), responses(
    (status = 204, description = "It ends here, without a refund"),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "Not now, or changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn close_return(
    State(cx): State<Context>,
    actor: Actor,
    NumberAndId(number, return_id): NumberAndId,
    Json(body): Json<Closure>,
) -> Result<StatusCode, Error> {
    close_return::close(&cx, &number, &actor, return_id, &body).await?;
    Ok(StatusCode::NO_CONTENT)
}
