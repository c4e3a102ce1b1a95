//! `/v2/refunds`

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use shop_base::money::Money;

use super::bank::{Bank, LOCATION_ID, random};
use super::errors::ApiError;
use super::ledger::Change;
use super::lists::{Span, Wanted, ascends, by_update};
use super::model::{PaymentStatus, Refund, RefundStatus};
use super::payments::check_amount;
use super::request::{kept, optional, parse, replayed, required};

const OPERATION: &str = "create_refund";

#[derive(Deserialize)]
struct Create {
    idempotency_key: Option<String>,
    payment_id: Option<String>,
    amount_money: Option<Money>,
    reason: Option<String>,
    payment_version_token: Option<String>,
}

/// `POST /v2/refunds`. judgment: the payment's `refunded_money` increases when the refund is accepted, and decreases again if it is
/// rejected.
pub async fn create(State(bank): State<Arc<Bank>>, body: Bytes) -> Result<Response, ApiError> {
    let request: Create = parse(&body)?;
    let key = required("idempotency_key", request.idempotency_key.as_deref(), 45)?;
    let payment_id = required("payment_id", request.payment_id.as_deref(), 192)?;
    let amount = check_amount(request.amount_money)?;
    let reason = optional("reason", request.reason.as_deref(), 192)?;
    let mut ledger = bank.ledger();
    if let Some(response) = replayed(&ledger, OPERATION, &key, &body)? {
        return Ok(response);
    }
    let mut payment =
        ledger.payments.get(&payment_id).cloned().ok_or_else(|| ApiError::not_found("payment", &payment_id))?;
    if request.payment_version_token.is_some_and(|token| token != payment.version_token()) {
        return Err(ApiError::field("VERSION_MISMATCH", "payment_version_token", "The payment has changed."));
    }
    match payment.status {
        PaymentStatus::Completed => {}
        PaymentStatus::Approved => {
            let detail = "The payment must be completed before it can be refunded.";
            return Err(ApiError::refund("REFUND_ERROR_PAYMENT_NEEDS_COMPLETION", detail));
        }
        PaymentStatus::Canceled | PaymentStatus::Failed => {
            return Err(ApiError::refund("PAYMENT_NOT_REFUNDABLE", "The payment was not taken."));
        }
    }
    if amount.amount > payment.amount.amount - payment.refunded {
        let detail = "The requested refund amount exceeds the amount available to refund.";
        return Err(ApiError::refund("REFUND_AMOUNT_INVALID", detail));
    }
    let now = bank.clock.now_ms();
    let settles_as = if bank.faults.rejects_refund() { RefundStatus::Rejected } else { RefundStatus::Completed };
    let refund = Refund {
        id: format!("{payment_id}_{}", random(29)),
        payment_id: Some(payment_id),
        status: RefundStatus::Pending,
        amount,
        reason,
        location_id: payment.location_id.clone(),
        created_at: now,
        updated_at: now,
        settles_at: now + bank.refund_ms,
        settles_as,
    };
    payment.refunded += refund.amount.amount;
    payment.refund_ids.push(refund.id.clone());
    payment.touch(now);
    let answer = json!({ "refund": refund.json() });
    let changes = vec![
        Change::Refund(refund),
        Change::Payment(Box::new(payment)),
        kept(OPERATION, &key, &body, StatusCode::OK, &answer),
    ];
    bank.commit(&mut ledger, changes)?;
    Ok(Json(answer).into_response())
}

/// `POST /emu/refunds`, with an amount: the seller gives a buyer money without naming a payment.
pub async fn give_unlinked(State(bank): State<Arc<Bank>>, Json(amount): Json<Money>) -> Result<Json<Value>, ApiError> {
    let now = bank.clock.now_ms();
    let refund = Refund {
        id: random(29),
        payment_id: None,
        status: RefundStatus::Completed,
        amount,
        reason: None,
        location_id: LOCATION_ID.to_owned(),
        created_at: now,
        updated_at: now,
        settles_at: now,
        settles_as: RefundStatus::Completed,
    };
    let answer = json!({ "refund": refund.json() });
    bank.commit(&mut bank.ledger(), vec![Change::Refund(refund)])?;
    Ok(Json(answer))
}

/// `GET /v2/refunds/{id}`
pub async fn find(State(bank): State<Arc<Bank>>, Path(id): Path<String>) -> Result<Json<Value>, ApiError> {
    match bank.ledger().refunds.get(&id) {
        Some(refund) => Ok(Json(json!({ "refund": refund.json() }))),
        None => Err(ApiError::not_found("refund", &id)),
    }
}

#[derive(Deserialize)]
pub struct Filter {
    begin_time: Option<String>,
    end_time: Option<String>,
    updated_at_begin_time: Option<String>,
    updated_at_end_time: Option<String>,
    sort_field: Option<String>,
    sort_order: Option<String>,
    status: Option<String>,
    location_id: Option<String>,
    limit: Option<usize>,
    cursor: Option<String>,
}

/// `GET /v2/refunds`
pub async fn list(State(bank): State<Arc<Bank>>, Query(filter): Query<Filter>) -> Result<Json<Value>, ApiError> {
    let wanted = Wanted {
        created: Span::read("begin_time", filter.begin_time.as_deref(), "end_time", filter.end_time.as_deref())?,
        updated: Span::read(
            "updated_at_begin_time",
            filter.updated_at_begin_time.as_deref(),
            "updated_at_end_time",
            filter.updated_at_end_time.as_deref(),
        )?,
        by_update: by_update(filter.sort_field.as_deref())?,
        ascends: ascends(filter.sort_order.as_deref())?,
        limit: filter.limit,
        cursor: filter.cursor,
    };
    let ledger = bank.ledger();
    let is_wanted = |refund: &Refund| {
        filter.status.as_ref().is_none_or(|status| *status == refund.status.name())
            && filter.location_id.as_ref().is_none_or(|id| *id == refund.location_id)
    };
    wanted.page(&bank, "refunds", &ledger.refunds, is_wanted, Refund::json)
}
