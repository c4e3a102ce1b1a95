//! `/v2/disputes`: payments disputed by the buyer (chargebacks).

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use serde_json::{Value, json};

use super::bank::{Bank, random};
use super::errors::ApiError;
use super::ledger::Change;
use super::model::Dispute;

/// judgment: how long a bank gives the merchant to respond.
const DUE_AFTER_MS: i64 = 14 * 86_400_000;

/// `GET /v2/disputes/{id}`
pub async fn find(State(bank): State<Arc<Bank>>, Path(id): Path<String>) -> Result<Json<Value>, ApiError> {
    match bank.ledger().disputes.get(&id) {
        Some(dispute) => Ok(Json(json!({ "dispute": dispute.json() }))),
        None => Err(ApiError::not_found("dispute", &id)),
    }
}

/// An action of the buyer's bank.
#[derive(Deserialize)]
pub struct Set {
    payment_id: String,
    /// Square's name for the state, such as `EVIDENCE_REQUIRED`, `WON` and `LOST`.
    state: String,
}

/// `POST /emu/disputes`: opens a payment's dispute, or changes its state.
pub async fn set(State(bank): State<Arc<Bank>>, Json(set): Json<Set>) -> Result<Json<Value>, ApiError> {
    let mut ledger = bank.ledger();
    let payment = ledger.payments.get(&set.payment_id).cloned();
    let payment = payment.ok_or_else(|| ApiError::not_found("payment", &set.payment_id))?;
    let now = bank.clock.now_ms();
    let begun = ledger.disputes.values().find(|dispute| dispute.payment_id == payment.id).cloned();
    let dispute = match begun {
        Some(begun) => Dispute { state: set.state, updated_at: now, ..begun },
        None => Dispute {
            id: random(20),
            payment_id: payment.id,
            state: set.state,
            amount: payment.amount,
            created_at: now,
            updated_at: now,
            due_at: now + DUE_AFTER_MS,
        },
    };
    let answer = json!({ "dispute": dispute.json() });
    bank.commit(&mut ledger, vec![Change::Dispute(dispute)])?;
    Ok(Json(answer))
}
