//! Calls by which staff change orders, and the list of what needs attention.

pub mod bulk;
pub mod goods;
pub mod money;

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::sales::flows::cancel::Cancellation;
use shop_domain::sales::flows::change_address::NewDestination;
use shop_domain::sales::flows::counter_sale::{StaffOrder, StaffOrderOutcome};
use shop_domain::sales::flows::parts::Payments;
use shop_domain::sales::flows::{archive, cancel, change_address, counter_sale, note};
use shop_domain::sales::mail::resend;
use shop_domain::sales::records::orders::model::OrderNews;
use shop_domain::sales::records::orders::service as orders;
use shop_platform::audit::model::Actor;
use shop_platform::jobs;
use shop_platform::web::extract::{Json, Number};
use utoipa::ToSchema;
use uuid::Uuid;

/// The version of an order that the caller saw.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = OrderVersion)]
pub struct Version {
    pub version: i64,
}

/// Something was created.
#[derive(Debug, Serialize, ToSchema)]
pub struct Made {
    pub id: Uuid,
}

/// What needs attention from staff.
#[derive(Debug, Serialize, ToSchema)]
pub struct Attention {
    pub orders: Vec<OrderAttention>,
    pub dead_jobs: Vec<DeadJob>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OrderAttention {
    pub number: String,
    pub why: String,
}

/// A job that failed for the last time.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeadJob {
    pub id: Uuid,
    pub name: String,
    pub attempts: i64,
    pub error: String,
    /// UTC milliseconds.
    pub died_at: i64,
}

/// `GET /api/admin/attention`
#[utoipa::path(get, path = "/api/admin/attention", responses(
    (status = 200, description = "Orders that need attention, and failed jobs", body = Attention),
))]
pub async fn attention(State(cx): State<Context>) -> Result<JsonBody<Attention>, Error> {
    let orders = orders::list_attention(&cx).await?;
    let dead_jobs = jobs::service::list_dead(&cx.db).await?.into_iter().filter_map(|job| {
        let (died_at, error) = (job.dead_at?, job.last_error.unwrap_or_default());
        Some(DeadJob { id: job.id, name: job.name, attempts: job.attempts, error, died_at })
    });
    Ok(JsonBody(Attention {
        orders: orders.into_iter().map(|(number, why)| OrderAttention { number, why }).collect(),
        dead_jobs: dead_jobs.collect(),
    }))
}

/// `POST /api/admin/orders`
#[utoipa::path(post, path = "/api/admin/orders", request_body = StaffOrder, responses(
    (status = 200, description = "What it comes to, and its number once it is placed", body = StaffOrderOutcome),
    (status = 409, description = "Prices, stock or rules have changed, or the same checkout has placed another order", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn make(
    State(payments): State<Payments>,
    actor: Actor,
    Json(body): Json<StaffOrder>,
) -> Result<JsonBody<StaffOrderOutcome>, Error> {
    let network = actor.network.clone();
    Ok(JsonBody(counter_sale::order(&payments, &actor, network, &body).await?))
}

/// A note that only staff read.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewNote {
    pub text: String,
}

/// `POST /api/admin/orders/{number}/notes`
#[utoipa::path(post, path = "/api/admin/orders/{number}/notes", request_body = NewNote,
    params(("number" = String, Path, description = "The order's number")), responses(
    (status = 204, description = "Written"),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "Changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn note(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    Json(body): Json<NewNote>,
) -> Result<StatusCode, Error> {
    note::note(&cx, &number, &actor, &body.text).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// How staff resolved what needed attention.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Cleared {
    /// The version of the order that the caller saw.
    pub version: i64,
    pub note: String,
}

/// `POST /api/admin/orders/{number}/attention`
#[utoipa::path(post, path = "/api/admin/orders/{number}/attention", request_body = Cleared,
    params(("number" = String, Path, description = "The order's number")), responses(
    (status = 204, description = "Nothing needs attention"),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "Nothing did, or changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn clear_attention(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    Json(body): Json<Cleared>,
) -> Result<StatusCode, Error> {
    note::clear_attention(&cx, &number, &actor, body.version, &body.note).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `PUT /api/admin/orders/{number}/address`
#[utoipa::path(put, path = "/api/admin/orders/{number}/address", request_body = NewDestination,
    params(("number" = String, Path, description = "The order's number")), responses(
    (status = 204, description = "The order goes there"),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "A package has shipped, tax or shipping would change, or changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn change_address(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    Json(body): Json<NewDestination>,
) -> Result<StatusCode, Error> {
    change_address::change(&cx, &number, &actor, &body).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/orders/{number}/cancellation`
#[utoipa::path(post, path = "/api/admin/orders/{number}/cancellation", request_body = Cancellation,
    params(("number" = String, Path, description = "The order's number")), responses(
    (status = 204, description = "Canceled; what was paid for it goes back"),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "Everything has left, not placed, or changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn cancel(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    Json(body): Json<Cancellation>,
) -> Result<StatusCode, Error> {
    cancel::cancel(&cx, &number, &actor, &body).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/orders/{number}/archive`
#[utoipa::path(post, path = "/api/admin/orders/{number}/archive", request_body = Version,
    params(("number" = String, Path, description = "The order's number")), responses(
    (status = 204, description = "Out of the way"),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "Not over, or changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn archive(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    Json(body): Json<Version>,
) -> Result<StatusCode, Error> {
    archive::archive(&cx, &number, &actor, body.version).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// An email that the buyer has received before.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(tag = "mail", rename_all = "snake_case")]
pub enum ResendMail {
    Placed,
    Canceled,
    PickupReady,
    /// About a parcel.
    Shipped {
        fulfillment_id: Uuid,
    },
    Refunded {
        refund_id: Uuid,
    },
    ReturnApproved {
        return_id: Uuid,
    },
    ReturnRejected {
        return_id: Uuid,
    },
    /// About goods that were canceled.
    GoodsCanceled {
        cancellation_id: Uuid,
    },
}

/// An email that is sent once more.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Resending {
    #[serde(flatten)]
    pub mail: ResendMail,
    /// Generated by the browser for this click: resending the request sends no second email.
    #[serde(default)]
    pub request_id: Option<Uuid>,
}

/// `POST /api/admin/orders/{number}/mails`
#[utoipa::path(post, path = "/api/admin/orders/{number}/mails", request_body = Resending,
    params(("number" = String, Path, description = "The order's number")), responses(
    (status = 204, description = "It is sent once more"),
    (status = 404, description = "No such order", body = shop_base::error::Problem),
    (status = 409, description = "It was never written, was sent again three times within a day, tells of what today’s rules forbid, or email is off", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn resend(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    Json(body): Json<Resending>,
) -> Result<StatusCode, Error> {
    let news = match body.mail {
        ResendMail::Placed => OrderNews::Placed,
        ResendMail::Canceled => OrderNews::Canceled,
        ResendMail::PickupReady => OrderNews::PickupReady,
        ResendMail::Shipped { fulfillment_id } => OrderNews::Parcel(fulfillment_id),
        ResendMail::Refunded { refund_id } => OrderNews::Refunded(refund_id),
        ResendMail::ReturnApproved { return_id } => OrderNews::ReturnApproved(return_id),
        ResendMail::ReturnRejected { return_id } => OrderNews::ReturnRejected(return_id),
        ResendMail::GoodsCanceled { cancellation_id } => OrderNews::GoodsCanceled(cancellation_id),
    };
    resend::resend(&cx, &number, &actor, news, body.request_id).await?;
    Ok(StatusCode::NO_CONTENT)
}
