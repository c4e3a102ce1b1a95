//! Sends events to the shop, repeatedly until it responds with 2xx or the retry table ends.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::redirect::Policy;
use ring::hmac;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::bank::{Bank, WEBHOOK_KEY};
use super::faults::Fault;
use super::ledger::Change;
use super::model::{Event, time};
use super::options::Options;

/// The header with an event's signature.
const SIGNATURE: &str = "x-square-hmacsha256-signature";

/// Minutes before each retry, as others quote Square's documentation.
const RETRY_MINUTES: [u64; 11] = [1, 2, 4, 8, 16, 32, 60, 120, 240, 480, 480];

/// How long the shop may take to respond.
const PATIENCE: Duration = Duration::from_secs(10);

struct Sender {
    bank: Arc<Bank>,
    http: reqwest::Client,
    url: String,
    key: hmac::Key,
    minute: Duration,
}

/// Sends events as they occur; each is retried independently, so later ones overtake those that fail.
pub async fn dispatch(bank: Arc<Bank>, options: Options, mut events: UnboundedReceiver<Event>) {
    let Some(url) = options.webhook_url else { return };
    let http = match reqwest::Client::builder().redirect(Policy::none()).timeout(PATIENCE).build() {
        Ok(http) => http,
        Err(error) => return tracing::error!(%error, "the Square stand-in sends no webhooks"),
    };
    let sender = Arc::new(Sender {
        bank,
        http,
        url,
        key: hmac::Key::new(hmac::HMAC_SHA256, WEBHOOK_KEY.as_bytes()),
        minute: Duration::from_millis(options.retry_minute_ms),
    });
    let mut sending = JoinSet::new();
    let mut held = VecDeque::new();
    while let Some(event) = events.recv().await {
        while sending.try_join_next().is_some() {}
        let fault = sender.bank.faults.of_webhook();
        if fault == Some(Fault::ReorderWebhook) {
            held.push_back(event);
            continue;
        }
        let late = std::mem::take(&mut held);
        let sender = Arc::clone(&sender);
        sending.spawn(async move {
            sender.tell(&event, fault).await;
            for event in late {
                sender.tell(&event, None).await;
            }
        });
    }
}

impl Sender {
    async fn tell(&self, event: &Event, fault: Option<Fault>) {
        sleep(fault.map_or(Duration::ZERO, Fault::delay)).await;
        let mut reason = None;
        for (number, minutes) in RETRY_MINUTES.into_iter().chain([0]).enumerate() {
            let mut failure = self.send(event, number, reason).await.err();
            if number == 0 && fault == Some(Fault::DuplicateWebhook) {
                failure = self.send(event, number, reason).await.err();
            }
            if number == 0 && fault == Some(Fault::LoseAck) {
                failure = Some("http_timeout");
            }
            if failure.is_none() {
                break;
            }
            reason = failure;
            sleep(self.minute * u32::try_from(minutes).unwrap_or(u32::MAX)).await;
        }
        let told = self.bank.ledger().commit(vec![Change::Told(event.sequence)]);
        if let Err(error) = told {
            tracing::error!(%error, "the Square stand-in cannot write its journal");
        }
    }

    /// One delivery attempt. The error is Square's term for why it failed.
    async fn send(&self, event: &Event, number: usize, reason: Option<&'static str>) -> Result<(), &'static str> {
        let body = event.body.to_string();
        let signature = hmac::sign(&self.key, [self.url.as_bytes(), body.as_bytes()].concat().as_slice());
        let mut request = self
            .http
            .post(&self.url)
            .header("content-type", "application/json")
            .header("square-environment", "Sandbox")
            .header("square-initial-delivery-timestamp", time(event.created_at))
            .header(SIGNATURE, STANDARD.encode(signature));
        if let Some(reason) = reason {
            request = request.header("square-retry-number", number).header("square-retry-reason", reason);
        }
        match request.body(body).send().await {
            Ok(response) if response.status().is_success() => Ok(()),
            Ok(_) => Err("http_error"),
            Err(error) if error.is_timeout() => Err("http_timeout"),
            Err(_) => Err("other_error"),
        }
    }
}
