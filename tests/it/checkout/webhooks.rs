//! Webhooks in any order, however often and late they are delivered, lead to the same final state.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Request, StatusCode};
use axum::routing::post;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use ring::hmac;
use serde_json::{Value, json};
use shop_base::money::Money;
use shop_base::sql;
use shop_demo::square::Options;
use shop_demo::square::faults::{Operation, Point};
use shop_domain::sales::flows::payment_webhook::process;
use shop_domain::sales::records::payments::provider::RefundRequest;
use shop_integrations::square::webhook::SIGNATURE;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use uuid::Uuid;

use super::bench::{Bench, PIPE_TOOL};
use crate::support::{Answer, Test, TestShop, rounds};
use crate::tests;

pub const TESTS: &[Test] = tests![
    every_order_of_events_leads_to_one_end,
    forged_and_changed_events_are_refused,
    events_about_strangers_are_kept_and_looked_at_again,
    an_event_that_was_given_up_is_taken_up_when_it_comes_again,
    a_refund_is_settled_by_what_is_told_of_it,
    a_refund_that_is_told_of_again_is_not_written_again,
    an_event_that_tells_nothing_new_changes_only_its_own_row,
];

const HOUR: i64 = 60 * 60 * 1000;

/// An event as the stand-in sent it.
#[derive(Clone)]
pub struct Webhook {
    pub body: Bytes,
    signature: String,
}

/// Receives the stand-in's webhooks, which the test delivers when it wants.
pub struct PostOffice {
    pub url: String,
    webhooks: mpsc::UnboundedReceiver<Webhook>,
}

async fn take(State(sender): State<mpsc::UnboundedSender<Webhook>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let signature = headers[SIGNATURE].to_str().unwrap().to_owned();
    sender.send(Webhook { body, signature }).unwrap();
    StatusCode::OK
}

impl PostOffice {
    pub async fn open() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}/webhooks/square", listener.local_addr().unwrap());
        let (sender, webhooks) = mpsc::unbounded_channel();
        let router = Router::new().route("/webhooks/square", post(take)).with_state(sender);
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, webhooks }
    }

    pub async fn next(&mut self) -> Webhook {
        self.webhooks.recv().await.unwrap()
    }

    pub async fn start_bench(&self, shop: &TestShop) -> Arc<Bench> {
        let mut bench = Bench::telling(shop.database, Some(self.url.clone())).await;
        bench.stock(PIPE_TOOL, 10_000).await;
        Arc::new(bench)
    }
}

pub async fn deliver(bench: &Bench, webhook: &Webhook) -> Answer {
    let request = Request::post("/webhooks/square").header(SIGNATURE, &webhook.signature);
    bench.shop.send(request.body(Body::from(webhook.body.clone())).unwrap()).await
}

/// A webhook that the test signs itself.
pub fn signed(url: &str, body: &Value) -> Webhook {
    let body = Bytes::from(body.to_string());
    let key = hmac::Key::new(hmac::HMAC_SHA256, b"stand-in-webhook-key");
    let signature = STANDARD.encode(hmac::sign(&key, [url.as_bytes(), &body].concat().as_slice()));
    Webhook { body, signature }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Paid,
    Declined,
    Voided,
    Refunded,
}

/// How the webhooks of a case are delivered.
struct Telling {
    rng: StdRng,
    copies: usize,
    /// Whether the first event arrives before the response to the payment.
    is_early: bool,
    shuffles: bool,
    /// Whether all events are delivered a day late.
    is_late: bool,
}

struct Case {
    fate: Fate,
    order: Value,
    /// Events that have not been delivered yet.
    webhooks: Vec<Webhook>,
}

/// Takes an order through its scenario, with or without delivering webhooks on the way, and then delivers all remaining ones.
async fn run(bench: &Arc<Bench>, office: &mut PostOffice, fate: Fate, telling: &mut Telling) -> Case {
    let mut order = bench.order(PIPE_TOOL, 1).await;
    if fate == Fate::Declined {
        order["source_id"] = json!("cnon:card-nonce-declined");
    }
    let mut case = Case { fate, order, webhooks: Vec::new() };
    let expected = if fate == Fate::Declined { 402 } else { 200 };
    if telling.is_early {
        let mut hold = bench.stand_in.faults.hold(Operation::CreatePayment, Point::BeforeAnswer);
        let (paying, order) = (Arc::clone(bench), case.order.clone());
        let paying = tokio::spawn(async move { paying.pay(&order).await.status.as_u16() });
        assert!(hold.reached().await);
        let webhook = office.next().await;
        deliver(bench, &webhook).await.assert_status(200);
        case.webhooks.extend(vec![webhook; telling.copies]);
        if fate != Fate::Voided {
            bench.work().await;
        }
        hold.release();
        assert_eq!(paying.await.unwrap(), expected);
    } else {
        bench.pay(&case.order).await.assert_status(expected);
        case.hear(office, telling, 1).await;
    }
    let square = Arc::clone(bench.shop.app.parts.providers.square.as_ref().unwrap());
    let payment = bench.stand_in.payments().into_iter().find(|payment| {
        let note = format!("{}", payment["buyer_email_address"]);
        note.contains(case.order["email"].as_str().unwrap())
    });
    let payment_id = payment.unwrap()["id"].as_str().unwrap().to_owned();
    match fate {
        Fate::Declined => {}
        Fate::Voided => {
            drop(square.void(&payment_id).await.unwrap());
            case.hear(office, telling, 1).await;
        }
        Fate::Paid | Fate::Refunded => {
            case.tell_some(bench, telling).await;
            bench.work().await;
            case.hear(office, telling, 1).await;
        }
    }
    if fate == Fate::Refunded {
        case.tell_some(bench, telling).await;
        let amount = Money::usd(case.order["expected_total"].as_i64().unwrap());
        let idempotency_key = Uuid::now_v7().simple().to_string();
        let refund = RefundRequest { idempotency_key, payment_id, amount, reason: "Returned".to_owned() };
        drop(square.refund(&refund).await.unwrap());
        case.hear(office, telling, 3).await;
    }
    if telling.shuffles {
        case.webhooks.shuffle(&mut telling.rng);
    }
    if !telling.is_late {
        case.tell_all(bench, telling).await;
    }
    case
}

impl Case {
    async fn hear(&mut self, office: &mut PostOffice, telling: &Telling, count: usize) {
        for _ in 0..count {
            let webhook = office.next().await;
            self.webhooks.extend(vec![webhook; telling.copies]);
        }
    }

    /// Delivers some of the available events before the next ones exist.
    async fn tell_some(&mut self, bench: &Bench, telling: &mut Telling) {
        if !telling.shuffles || telling.is_late {
            return;
        }
        for webhook in &self.webhooks {
            if telling.rng.random_ratio(1, 4) {
                deliver(bench, webhook).await.assert_status(200);
            }
        }
    }

    async fn tell_all(&mut self, bench: &Bench, telling: &mut Telling) {
        for webhook in self.webhooks.drain(..) {
            deliver(bench, &webhook).await.assert_status(200);
            if telling.rng.random_ratio(1, 4) {
                bench.work().await;
            }
        }
        bench.work().await;
    }

    /// The complete state of the order that must not depend on how its webhooks are delivered.
    async fn end(&self, bench: &Bench) -> String {
        const ORDER: &str = "SELECT o.id, o.status || ' ' || o.payment_status || ' ' || COALESCE(o.cancel_reason, '') || ' ' || a.status
            || ' ' || CAST(a.refunded AS TEXT) || ' ' || COALESCE(a.card_last_4, '') || ' ' || COALESCE(a.decline_code, '') || ' ' || s.state
            FROM orders o JOIN payment_attempts a ON a.order_id = o.id JOIN stock_reservations s ON s.order_id = o.id
            WHERE o.checkout_id = $1";
        const HISTORY: &str = "SELECT kind || data FROM order_history WHERE order_id = $1 ORDER BY kind, data";
        let checkout: Uuid = serde_json::from_value(self.order["checkout_id"].clone()).unwrap();
        let mut reader = bench.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        let rows: Vec<(Uuid, String)> =
            sql!(&mut conn, c => sqlx::query_as(ORDER).bind(checkout).fetch_all(c).await).unwrap();
        let [(id, order)] = rows.as_slice() else { panic!("one order with one attempt: {rows:?}") };
        let history: Vec<String> =
            sql!(&mut conn, c => sqlx::query_scalar(HISTORY).bind(id).fetch_all(c).await).unwrap();
        format!("{order} {history:?}")
    }
}

const FATES: [Fate; 4] = [Fate::Paid, Fate::Declined, Fate::Voided, Fate::Refunded];

async fn every_order_of_events_leads_to_one_end(shop: TestShop) {
    let mut office = PostOffice::open().await;
    let bench = office.start_bench(&shop).await;
    // Each event once, in order, on time.
    let mut ends = BTreeMap::new();
    for fate in FATES {
        let rng = StdRng::seed_from_u64(0);
        let mut plain = Telling { rng, copies: 1, is_early: false, shuffles: false, is_late: false };
        let case = run(&bench, &mut office, fate, &mut plain).await;
        ends.insert(fate, case.end(&bench).await);
    }
    for (fate, start) in
        [(Fate::Paid, "placed paid"), (Fate::Declined, "draft failed"), (Fate::Voided, "canceled voided payment_lost")]
    {
        assert!(ends[&fate].starts_with(start), "{ends:?}");
    }
    assert!(ends[&Fate::Refunded].starts_with("placed refunded"), "{ends:?}");
    assert_eq!(ends[&Fate::Refunded].matches("refunded_elsewhere").count(), 1, "{ends:?}");
    let mut late = Vec::new();
    let mut early = 0;
    for number in 0..rounds(100, 1_000) {
        let mut rng = StdRng::seed_from_u64(u64::try_from(number).unwrap());
        let fate = FATES[number % FATES.len()];
        let is_late = fate != Fate::Declined && rng.random_ratio(1, 5);
        let is_early = !is_late && rng.random();
        let mut telling = Telling { rng, copies: 5, is_early, shuffles: true, is_late };
        let case = run(&bench, &mut office, fate, &mut telling).await;
        early += usize::from(is_early);
        if is_late {
            late.push((number, case, telling));
        } else {
            assert_eq!(case.end(&bench).await, ends[&fate], "case {number}, {fate:?}");
        }
        if number % 40 == 39 {
            // Too many declined cards from one network within an hour would be blocked.
            bench.shop.clock.advance(2 * HOUR);
            bench.work().await;
        }
    }
    assert!(early > 10 && late.len() > 5, "{early} {}", late.len());
    bench.shop.clock.advance(24 * HOUR);
    for (number, mut case, mut telling) in late {
        case.tell_all(&bench, &mut telling).await;
        assert_eq!(case.end(&bench).await, ends[&case.fate], "case {number}, {:?}, a day late", case.fate);
    }
    assert_eq!(bench.count("SELECT COUNT(*) FROM webhook_events WHERE processed_at IS NULL").await, 0);
    bench.assert_books_balance().await;
}

async fn forged_and_changed_events_are_refused(shop: TestShop) {
    let mut office = PostOffice::open().await;
    let bench = office.start_bench(&shop).await;
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    let genuine = office.next().await;
    let value: Value = serde_json::from_slice(&genuine.body).unwrap();
    let anew = Webhook { body: serde_json::to_vec_pretty(&value).unwrap().into(), ..genuine.clone() };
    let elsewhere = signed("https://elsewhere.example/webhooks/square", &value);
    let unsigned = Webhook { signature: String::new(), ..genuine.clone() };
    let mut wrong = genuine.clone();
    wrong.signature = signed(&office.url, &json!({ "another": "body" })).signature;
    for webhook in [anew, elsewhere, unsigned, wrong] {
        deliver(&bench, &webhook).await.assert_status(401);
    }
    let kept = "SELECT (SELECT COUNT(*) FROM webhook_events) + (SELECT COUNT(*) FROM jobs WHERE name = 'webhook')";
    assert_eq!(bench.count(kept).await, 0, "nothing is stored");
    deliver(&bench, &genuine).await.assert_status(200);
    assert_eq!(bench.count(kept).await, 2);
}

async fn events_about_strangers_are_kept_and_looked_at_again(shop: TestShop) {
    let mut office = PostOffice::open().await;
    let bench = office.start_bench(&shop).await;
    // A payment that somebody took at the register, with its refund.
    let http = reqwest::Client::new();
    let payment = json!({
        "source_id": "cnon:card-nonce-ok", "idempotency_key": "at-the-till",
        "amount_money": { "amount": 500, "currency": "USD" },
    });
    let address = bench.stand_in.base_url.join("v2/payments").unwrap();
    let request = http.post(address).bearer_auth("stand-in-access-token").json(&payment);
    let made: Value = request.send().await.unwrap().json().await.unwrap();
    let refund = RefundRequest {
        idempotency_key: "at-the-till".to_owned(),
        payment_id: made["payment"]["id"].as_str().unwrap().to_owned(),
        amount: Money::usd(500),
        reason: "Returned".to_owned(),
    };
    drop(bench.shop.app.parts.providers.square.as_ref().unwrap().refund(&refund).await.unwrap());
    // And a refund of no payment.
    let address = bench.stand_in.base_url.join("emu/refunds").unwrap();
    http.post(address).json(&refund.amount).send().await.unwrap().error_for_status().unwrap();
    let mut webhooks = Vec::new();
    for _ in 0..5 {
        webhooks.push(office.next().await);
    }
    // And events about objects that the provider does not know.
    for kind in ["payment", "refund"] {
        webhooks.push(signed(
            &office.url,
            &json!({ "type": format!("{kind}.updated"), "event_id": "E", "data": { "type": kind, "id": "nowhere" } }),
        ));
    }
    for webhook in &webhooks {
        deliver(&bench, webhook).await.assert_status(200);
    }
    let open = "SELECT COUNT(*) FROM webhook_events WHERE processed_at IS NULL";
    let waiting = "SELECT COUNT(*) FROM jobs WHERE name = 'webhook' AND dead_at IS NULL";
    bench.let_pass(300).await;
    assert_eq!((bench.count(open).await, bench.count(waiting).await), (2, 2), "looked at again and again");
    let elsewhere = "SELECT COUNT(*) FROM webhook_events WHERE outcome LIKE 'the % was not made by this shop'";
    assert_eq!(bench.count(elsewhere).await, 5, "nothing can make it ours");
    let again = "SELECT MIN(attempts) FROM jobs WHERE name = 'webhook'";
    assert!(bench.count(again).await >= 5);
    for _ in 0..10 {
        bench.shop.clock.advance(5 * 60_000);
        bench.work().await;
    }
    assert_eq!((bench.count(open).await, bench.count(waiting).await), (0, 0));
    let left = "SELECT COUNT(*) FROM webhook_events WHERE outcome LIKE 'the %'";
    assert_eq!(bench.count(left).await, 7, "left to staff, with the reason");
}

async fn an_event_that_was_given_up_is_taken_up_when_it_comes_again(shop: TestShop) {
    let mut office = PostOffice::open().await;
    let bench = office.start_bench(&shop).await;
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    let event = office.next().await;
    let dead = "SELECT COUNT(*) FROM jobs WHERE name = 'webhook' AND dead_at IS NOT NULL";
    let open = "SELECT COUNT(*) FROM webhook_events WHERE processed_at IS NULL";
    // NOON: jobs that died long ago are deleted.
    let give_up =
        "UPDATE jobs SET dead_at = 1795280400000, attempts = 60, last_error = 'It did not go.' WHERE name = 'webhook'";
    deliver(&bench, &event).await.assert_status(200);
    bench.execute(give_up).await;
    bench.work().await;
    assert_eq!((bench.count(dead).await, bench.count(open).await), (1, 1));
    // The provider sends it again.
    deliver(&bench, &event).await.assert_status(200);
    bench.work().await;
    assert_eq!((bench.count(dead).await, bench.count(open).await), (0, 0));
    let all = "SELECT COUNT(*) FROM jobs WHERE name = 'webhook'";
    deliver(&bench, &event).await.assert_status(200);
    assert_eq!(bench.count(all).await, 0, "what was understood is nothing new");
    // Staff retry it, and that job dies, too.
    let admin = bench.shop.sign_in("operator", &["admin"]).await;
    let mut reader = bench.shop.app.db.read().await.unwrap();
    let sql = "SELECT event_id, kind FROM webhook_events";
    let (id, kind): (String, String) = sql!(&mut reader.conn(), c => sqlx::query_as(sql).fetch_one(c).await).unwrap();
    drop(reader);
    let replay = json!({ "provider": "square", "event_id": id, "kind": kind });
    let replayed = async || {
        let answer = bench.shop.call("POST", "/api/admin/testing/webhooks", &admin, replay.clone()).await;
        answer.assert_status(204);
    };
    replayed().await;
    bench.execute(give_up).await;
    bench.work().await;
    assert_eq!((bench.count(dead).await, bench.count(open).await), (1, 1));
    replayed().await;
    bench.work().await;
    assert_eq!((bench.count(dead).await, bench.count(open).await), (0, 0));
}

async fn a_refund_is_settled_by_what_is_told_of_it(shop: TestShop) {
    let mut office = PostOffice::open().await;
    let mut bench =
        Bench::start_with(shop.database, Options { refund_ms: HOUR, ..Options::fast(Some(office.url.clone())) }).await;
    bench.stock(PIPE_TOOL, 10).await;
    let order = bench.order(PIPE_TOOL, 1).await;
    bench.pay(&order).await.assert_status(200);
    bench.work().await;
    super::refunding::give_back(&bench, &order).await;
    bench.work().await;
    assert_eq!(bench.count("SELECT COUNT(*) FROM refunds WHERE status = 'pending'").await, 1);
    bench.execute("DELETE FROM jobs").await;
    bench.shop.clock.advance(HOUR);
    loop {
        let webhook = office.next().await;
        deliver(&bench, &webhook).await.assert_status(200);
        if serde_json::from_slice::<Value>(&webhook.body).unwrap()["type"] == "refund.updated" {
            break;
        }
    }
    bench.work().await;
    assert_eq!(bench.count("SELECT COUNT(*) FROM refunds WHERE status = 'settled'").await, 1);
    bench.assert_books_balance().await;
}

/// Reports count a refund on the day of its last change.
async fn a_refund_that_is_told_of_again_is_not_written_again(shop: TestShop) {
    let mut office = PostOffice::open().await;
    let bench = Bench::telling(shop.database, Some(office.url.clone())).await;
    let order = bench.order(PIPE_TOOL, 1).await;
    bench.pay(&order).await.assert_status(200);
    bench.work().await;
    super::refunding::give_back(&bench, &order).await;
    bench.let_pass(30).await;
    assert_eq!(bench.count("SELECT COUNT(*) FROM refunds WHERE status = 'settled'").await, 1);
    let written = bench.count("SELECT updated_at FROM refunds").await;
    bench.shop.clock.advance(24 * HOUR);
    loop {
        let webhook = office.next().await;
        deliver(&bench, &webhook).await.assert_status(200);
        if serde_json::from_slice::<Value>(&webhook.body).unwrap()["type"] == "refund.updated" {
            break;
        }
    }
    bench.work().await;
    assert_eq!(bench.count("SELECT COUNT(*) FROM webhook_events WHERE processed_at IS NULL").await, 0);
    assert_eq!(bench.count("SELECT updated_at FROM refunds").await, written);
}

/// Processes the event of a webhook that was delivered; returns how many transactions it took.
async fn transactions_for(bench: &Bench, webhook: &Webhook) -> u64 {
    let event: Value = serde_json::from_slice(&webhook.body).unwrap();
    let (id, kind) = (event["event_id"].as_str().unwrap(), event["type"].as_str().unwrap());
    let before = bench.transactions();
    process(&bench.shop.app.payments(), "square", id, kind).await.unwrap();
    bench.transactions() - before
}

async fn an_event_that_tells_nothing_new_changes_only_its_own_row(shop: TestShop) {
    const OPEN: &str = "SELECT COUNT(*) FROM webhook_events WHERE processed_at IS NULL";
    const WRITTEN: &str = "SELECT updated_at FROM payment_attempts";
    let mut office = PostOffice::open().await;
    let bench = office.start_bench(&shop).await;
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    bench.work().await;
    let events = [office.next().await, office.next().await];
    let written = bench.count(WRITTEN).await;
    bench.shop.clock.advance(1_000);
    for event in &events {
        deliver(&bench, event).await.assert_status(200);
        assert_eq!(transactions_for(&bench, event).await, 1);
    }
    assert_eq!((bench.count(OPEN).await, bench.count(WRITTEN).await), (0, written));
    // What the shop does not know is settled in the same transaction.
    bench.execute("UPDATE payment_attempts SET provider_version = NULL").await;
    bench.execute("UPDATE webhook_events SET processed_at = NULL").await;
    assert_eq!(transactions_for(&bench, &events[0]).await, 1);
    assert_eq!(bench.count(OPEN).await, 1);
    assert!(bench.count(WRITTEN).await > written);
    assert_eq!(bench.count("SELECT COUNT(*) FROM payment_attempts WHERE provider_version IS NULL").await, 0);
}
