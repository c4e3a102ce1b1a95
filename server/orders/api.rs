//! What staff do with orders, and what needs a hand of theirs.

use axum::Json as JsonBody;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::fulfillment::{self, Shipment};
use super::service;
use crate::app::App;
use crate::audit::model::Actor;
use crate::error::Error;
use crate::jobs;
use crate::web::extract::Json;

/// `POST /api/admin/orders/{number}/shipment`
#[utoipa::path(post, path = "/api/admin/orders/{number}/shipment", request_body = Shipment,
    params(("number" = String, Path, description = "The order's number")), responses(
    (status = 204, description = "Recorded; the buyer is written to"),
    (status = 401, description = "Not signed in", body = crate::error::Problem),
    (status = 403, description = "Not staff", body = crate::error::Problem),
    (status = 404, description = "No such order", body = crate::error::Problem),
    (status = 409, description = "Not paid, canceled, to be picked up, or shipped before", body = crate::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = crate::error::Problem),
))]
pub async fn ship(
    State(app): State<App>,
    actor: Actor,
    Path(number): Path<String>,
    Json(shipment): Json<Shipment>,
) -> Result<StatusCode, Error> {
    fulfillment::ship(&app, &number, &actor, &shipment).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What staff have to look at.
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
    (status = 200, description = "Orders that need a hand, and dead jobs", body = Attention),
    (status = 401, description = "Not signed in", body = crate::error::Problem),
    (status = 403, description = "Not staff", body = crate::error::Problem),
))]
pub async fn attention(State(app): State<App>) -> Result<JsonBody<Attention>, Error> {
    let orders = service::list_attention(&app).await?;
    let dead_jobs = jobs::service::list(&app.db).await?.into_iter().filter_map(|job| {
        let (died_at, error) = (job.dead_at?, job.last_error.unwrap_or_default());
        Some(DeadJob { id: job.id, name: job.name, attempts: job.attempts, error, died_at })
    });
    Ok(JsonBody(Attention {
        orders: orders.into_iter().map(|(number, why)| OrderAttention { number, why }).collect(),
        dead_jobs: dead_jobs.collect(),
    }))
}
