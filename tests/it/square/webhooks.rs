use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use shop_base::config::Secret;
use shop_demo::square::Options;
use shop_demo::square::faults::{Fault, Rule};
use shop_domain::sales::records::payments::provider::PaymentProvider;
use shop_integrations::square::webhook::{Event, SIGNATURE, verify};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::bench::{Bench, authorization, listen, refund};
use crate::support::{Test, temporary_folder};
use crate::tests;

pub const TESTS: &[Test] = tests![
    every_change_is_told_and_signed,
    what_is_refused_is_told_again,
    events_come_twice_late_and_in_any_order,
    what_was_not_told_is_told_after_a_restart,
];

/// A webhook endpoint that fails as often as it is told to.
struct Receiver {
    url: String,
    events: mpsc::UnboundedReceiver<(Event, Option<String>)>,
}

#[derive(Clone)]
struct Shared {
    url: String,
    refusals: Arc<AtomicU32>,
    sender: mpsc::UnboundedSender<(Event, Option<String>)>,
}

async fn receive(State(shared): State<Shared>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let signature = headers[SIGNATURE].to_str().unwrap();
    let key = Secret::new("stand-in-webhook-key");
    assert!(verify(&key, &shared.url, &body, signature));
    let value: serde_json::Value = serde_json::from_slice(&body).unwrap();
    let anew = serde_json::to_vec_pretty(&value).unwrap();
    assert!(!verify(&key, &shared.url, &anew, signature), "written anew");
    let reason = headers.get("square-retry-reason").map(|reason| reason.to_str().unwrap().to_owned());
    shared.sender.send((Event::parse(&body).unwrap(), reason)).unwrap();
    let refuse = shared.refusals.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok();
    if refuse { StatusCode::INTERNAL_SERVER_ERROR } else { StatusCode::OK }
}

impl Receiver {
    async fn start(refusals: u32) -> Self {
        let (listener, base_url) = listen().await;
        let url = base_url.join("webhooks/square").unwrap().to_string();
        let (sender, events) = mpsc::unbounded_channel();
        let shared = Shared { url: url.clone(), refusals: Arc::new(AtomicU32::new(refusals)), sender };
        let router = Router::new().route("/webhooks/square", post(receive)).with_state(shared);
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, events }
    }

    fn options(&self) -> Options {
        Options::fast(Some(self.url.clone()))
    }

    async fn next(&mut self) -> (Event, Option<String>) {
        timeout(Duration::from_secs(10), self.events.recv()).await.expect("an event").unwrap()
    }

    /// Kinds of the next events.
    async fn kinds(&mut self, count: usize) -> Vec<String> {
        let mut kinds = Vec::new();
        for _ in 0..count {
            kinds.push(self.next().await.0.kind);
        }
        kinds
    }
}

async fn every_change_is_told_and_signed() {
    let mut receiver = Receiver::start(0).await;
    let bench = Bench::with(receiver.options()).await;
    let held = bench.square.authorize(&authorization("a", 1000)).await.unwrap();
    let (created, _) = receiver.next().await;
    assert_eq!((created.kind.as_str(), created.payment_id()), ("payment.created", Some(held.id.as_str())));
    assert_eq!(created.data.object.unwrap()["payment"]["status"], "APPROVED");
    bench.square.capture(&held.id, None).await.unwrap();
    let (updated, _) = receiver.next().await;
    assert_eq!(updated.data.object.unwrap()["payment"]["card_details"]["status"], "CAPTURED");
    bench.square.refund(&refund("1", &held.id, 400)).await.unwrap();
    let mut events = [receiver.next().await.0, receiver.next().await.0, receiver.next().await.0];
    events.sort_by(|a, b| a.kind.cmp(&b.kind));
    let kinds: Vec<&str> = events.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, ["payment.updated", "refund.created", "refund.updated"]);
    assert_eq!(events[1].id, events[2].id, "the id alone is not unique");
    assert!(events.iter().all(|event| event.payment_id() == Some(held.id.as_str())));
}

async fn what_is_refused_is_told_again() {
    let mut receiver = Receiver::start(2).await;
    let bench = Bench::with(receiver.options()).await;
    bench.square.authorize(&authorization("a", 1000)).await.unwrap();
    let (first, none) = receiver.next().await;
    assert_eq!(none, None);
    for _ in 0..2 {
        let (again, reason) = receiver.next().await;
        assert_eq!((again.id.as_str(), reason.as_deref()), (first.id.as_str(), Some("http_error")));
    }
}

async fn events_come_twice_late_and_in_any_order() {
    let mut receiver = Receiver::start(0).await;
    let bench = Bench::with(receiver.options()).await;
    let faults = &bench.stand_in.faults;

    let twice = faults.add(Rule::webhooks(Fault::DuplicateWebhook, 1));
    let held = bench.square.authorize(&authorization("a", 100)).await.unwrap();
    assert_eq!(receiver.kinds(2).await, ["payment.created"; 2]);
    bench.assert_fired(twice, 1);

    let lost = faults.add(Rule::webhooks(Fault::LoseAck, 1));
    bench.square.capture(&held.id, None).await.unwrap();
    assert_eq!(receiver.next().await.1, None);
    assert_eq!(receiver.next().await.1.as_deref(), Some("http_timeout"));
    bench.assert_fired(lost, 1);

    let reorder = faults.add(Rule::webhooks(Fault::ReorderWebhook, 1));
    let held = bench.square.authorize(&authorization("b", 100)).await.unwrap();
    bench.square.capture(&held.id, None).await.unwrap();
    assert_eq!(receiver.kinds(2).await, ["payment.updated", "payment.created"]);
    bench.assert_fired(reorder, 1);

    let late = faults.add(Rule::webhooks(Fault::DelayWebhook { ms: 3_000 }, 1));
    let held = bench.square.authorize(&authorization("c", 100)).await.unwrap();
    bench.square.capture(&held.id, None).await.unwrap();
    assert_eq!(receiver.kinds(2).await, ["payment.updated", "payment.created"]);
    bench.assert_fired(late, 1);
}

async fn what_was_not_told_is_told_after_a_restart() {
    let journal = temporary_folder().join("square.jsonl");
    let mut receiver = Receiver::start(0).await;
    let options = Options { journal: Some(journal), ..receiver.options() };
    let bench = Bench::with(options.clone()).await;
    let late = bench.stand_in.faults.add(Rule::webhooks(Fault::DelayWebhook { ms: 600_000 }, 1));
    let wanted = authorization("a", 1000);
    let held = bench.square.authorize(&wanted).await.unwrap();
    drop(bench);

    let again = Bench::with(options).await;
    let (event, _) = receiver.next().await;
    assert_eq!(event.payment_id(), Some(held.id.as_str()));
    assert_eq!(again.stand_in.faults.fired(late), 0, "faults do not outlive a restart");
    assert_eq!(again.square.authorize(&wanted).await.unwrap(), held, "keys do");
    assert_eq!(again.statuses(), ["APPROVED"]);
}
