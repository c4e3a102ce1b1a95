//! The browser side: the script that the shop's page loads, the card form in its frame, and the tokens it gets.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Json, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};
use shop_base::clock::timestamp;

use super::bank::{Bank, random};
use super::cards::{Entered, Entry, enter};
use super::errors::ApiError;
use super::ledger::Change;
use super::model::Token;

/// The frame runs only its own files, and any page may embed it; the real one decides by application id.
const FRAME_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors *";

pub fn router() -> Router<Arc<Bank>> {
    Router::new()
        .route("/v1/square.js", get(|| file("text/javascript", include_str!("browser/square.js"))))
        .route("/v1/card", get(|| file("text/html; charset=utf-8", include_str!("browser/card.html"))))
        .route("/v1/card.css", get(|| file("text/css", include_str!("browser/card.css"))))
        .route("/v1/card.js", get(|| file("text/javascript", include_str!("browser/card.js"))))
        .route("/v1/tokens", post(tokenize))
}

async fn file(content_type: &'static str, text: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(FRAME_POLICY)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (headers, text).into_response()
}

/// `POST /v1/tokens`: the card from the form. Returns what `tokenize` resolves to, or asks for the bank's code.
async fn tokenize(State(bank): State<Arc<Bank>>, Json(entered): Json<Entered>) -> Result<Json<Value>, ApiError> {
    let now = bank.clock.now_ms();
    let today = timestamp(now).to_zoned(jiff::tz::TimeZone::UTC).date();
    let year = u16::try_from(today.year()).unwrap_or(u16::MAX);
    let month = u8::try_from(today.month()).unwrap_or(u8::MAX);
    Ok(Json(match enter(&entered, year, month) {
        Entry::Challenge => json!({ "status": "Challenge" }),
        Entry::WrongCode => json!({
            "status": "Error",
            "errors": [{ "type": "VERIFICATION_ERROR", "message": "The code is wrong." }],
        }),
        Entry::Invalid(field, message) => json!({
            "status": "Invalid",
            "errors": [{ "type": "VALIDATION_ERROR", "field": field, "message": message }],
        }),
        Entry::Token(card, outcome) => {
            let details = json!({
                "method": "Card",
                "card": {
                    "brand": card.brand,
                    "last4": card.last_4,
                    "expMonth": card.exp_month,
                    "expYear": card.exp_year,
                    "cardType": "CREDIT",
                    "prepaidType": "NOT_PREPAID",
                },
                "billing": { "postalCode": entered.postal_code },
            });
            let id = format!("cnon:{}", random(22));
            let token = Token { id: id.clone(), card, outcome, created_at: now, used: false };
            bank.commit(&mut bank.ledger(), vec![Change::Token(token)])?;
            json!({ "status": "OK", "token": id, "details": details })
        }
    }))
}
