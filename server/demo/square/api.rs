//! All addresses of the stand-in, access control, and injected faults.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Json, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Extension, Router};
use serde_json::{Value, json};

use super::bank::{ACCESS_TOKEN, Bank};
use super::errors::ApiError;
use super::faults::{Count, Fault, Operation, Point, Rule};
use super::{browser, dashboard, disputes, payments, refunds};

pub fn router(bank: Arc<Bank>) -> Router {
    use Operation::{
        CancelByKey, CancelPayment, CompletePayment, CreatePayment, CreateRefund, GetDispute, GetPayment, GetRefund,
        ListPayments, ListRefunds,
    };
    let at = |operation: Operation, method: MethodRouter<Arc<Bank>>| -> MethodRouter<Arc<Bank>> {
        method.route_layer(from_fn_with_state(Arc::clone(&bank), faulty)).route_layer(Extension(operation))
    };
    let api = Router::new()
        .route("/v2/payments", at(CreatePayment, post(payments::create)).merge(at(ListPayments, get(payments::list))))
        .route("/v2/payments/cancel", at(CancelByKey, post(payments::cancel_by_key)))
        .route("/v2/payments/{id}", at(GetPayment, get(payments::find)))
        .route("/v2/payments/{id}/complete", at(CompletePayment, post(payments::complete)))
        .route("/v2/payments/{id}/cancel", at(CancelPayment, post(payments::cancel)))
        .route("/v2/refunds", at(CreateRefund, post(refunds::create)).merge(at(ListRefunds, get(refunds::list))))
        .route("/v2/refunds/{id}", at(GetRefund, get(refunds::find)))
        .route("/v2/disputes/{id}", at(GetDispute, get(disputes::find)))
        .route_layer(from_fn(authorized));
    Router::new()
        .merge(api)
        .merge(browser::router())
        .route("/", get(dashboard::page))
        .route("/emu/disputes", post(disputes::set))
        .route("/emu/refunds", post(refunds::give_unlinked))
        .route("/emu/faults", get(faults).post(add_fault).delete(clear_faults))
        .with_state(bank)
}

async fn authorized(request: Request, next: Next) -> Response {
    let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    match given.and_then(|value| value.strip_prefix("Bearer ")) {
        Some(ACCESS_TOKEN) => next.run(request).await,
        _ => ApiError::unauthorized().into_response(),
    }
}

async fn faulty(
    State(bank): State<Arc<Bank>>,
    Extension(operation): Extension<Operation>,
    request: Request,
    next: Next,
) -> Response {
    tokio::time::sleep(bank.faults.latency()).await;
    bank.faults.pass(operation, Point::BeforeCommit).await;
    let fault = bank.faults.of_request(operation);
    match fault {
        Some(Fault::ServerError) => return ApiError::server().into_response(),
        Some(Fault::RateLimit { retry_after }) => return ApiError::rate_limited(retry_after).into_response(),
        Some(Fault::Unauthorized) => return ApiError::unauthorized().into_response(),
        Some(Fault::TemporaryError) => {
            return ApiError::card("TEMPORARY_ERROR", "A temporary internal error occurred.").into_response();
        }
        // Lasts until the caller disconnects.
        Some(Fault::Timeout) => std::future::pending::<()>().await,
        _ => {}
    }
    if let Err(error) = bank.settle(&mut bank.ledger()) {
        return error.into_response();
    }
    let response = next.run(request).await;
    bank.faults.pass(operation, Point::BeforeAnswer).await;
    match fault {
        Some(Fault::LoseResponse) => broken(),
        Some(Fault::Garble) => (StatusCode::OK, "<html>200 and no JSON").into_response(),
        _ => response,
    }
}

/// A response whose connection breaks before its first byte.
fn broken() -> Response {
    Response::new(Body::from_stream(tokio_stream::once(Err::<Bytes, _>(std::io::Error::other("cut off")))))
}

/// `GET /emu/faults`: the rules and how often each fired.
async fn faults(State(bank): State<Arc<Bank>>) -> Json<Vec<Count>> {
    Json(bank.faults.counts())
}

/// `POST /emu/faults`: a rule, or `{"list_lag_ms": …}`, or `{"latency_ms": …}`.
async fn add_fault(State(bank): State<Arc<Bank>>, Json(body): Json<Value>) -> Result<Json<Value>, ApiError> {
    if let Some(ms) = body.get("list_lag_ms").and_then(Value::as_i64) {
        bank.faults.set_list_lag(ms);
        return Ok(Json(json!({})));
    }
    if let Some(ms) = body.get("latency_ms").and_then(Value::as_u64) {
        bank.faults.set_latency(Duration::from_millis(ms));
        return Ok(Json(json!({})));
    }
    let rule: Rule =
        serde_json::from_value(body).map_err(|error| ApiError::request("BAD_REQUEST", error.to_string()))?;
    Ok(Json(json!({ "id": bank.faults.add(rule) })))
}

/// `DELETE /emu/faults`
async fn clear_faults(State(bank): State<Arc<Bank>>) -> StatusCode {
    bank.faults.clear();
    StatusCode::NO_CONTENT
}
