//! Receives the events of payment providers.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::security::{Cause, Event, Lines};
use shop_domain::sales::flows::payment_webhook;
use shop_domain::sales::records::payments::rows::WebhookEvent;
use shop_integrations::square::webhook;
use shop_platform::metrics::webhooks_received;
use shop_platform::web::client_address::ClientAddress;
use shop_platform::web::extract::{BODY_LIMIT, read_body};

/// `POST /webhooks/square`: responds with 200 once the event is stored.
pub async fn square_webhook(
    State(cx): State<Context>,
    State(lines): State<Arc<Lines>>,
    address: ClientAddress,
    request: Request,
) -> Result<StatusCode, Error> {
    let Some(square) = &cx.config.square else { return Err(Error::NotFound) };
    let signature = request.headers().get(webhook::SIGNATURE).cloned();
    let signature = signature.as_ref().and_then(|value| value.to_str().ok()).unwrap_or_default();
    let body = read_body(request, BODY_LIMIT).await?;
    if !webhook::verify(&square.webhook_key, &square.webhook_url, &body, signature) {
        let cause = Cause { user: None, network: &address.network() };
        lines.record(Event::WebhookSignature, cause, "square");
        webhooks_received::BAD_SIGNATURE.add(1);
        return Err(Error::Unauthorized);
    }
    let event = webhook::Event::parse(&body).map_err(|error| {
        webhooks_received::MALFORMED.add(1);
        Error::BadRequest { detail: error.to_string() }
    })?;
    let event = WebhookEvent {
        provider: "square".to_owned(),
        event_id: event.id,
        kind: event.kind,
        subject: event.data.id,
        body: String::from_utf8_lossy(&body).into_owned(),
        received_at: cx.clock.now_ms(),
    };
    payment_webhook::receive(&cx, &event).await?;
    webhooks_received::ACCEPTED.add(1);
    Ok(StatusCode::OK)
}
