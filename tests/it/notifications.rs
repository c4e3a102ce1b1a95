//! Webhooks to other systems: all subscribed events are sent, signed, retried until accepted, and only after a commit.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use shop_base::clock::Clock;
use shop_base::sql;
use shop_platform::jobs::model::{Lane, Pace};
use shop_platform::jobs::service::tend;
use shop_platform::jobs::store::{Claim, claim};
use shop_platform::jobs::worker::run_due;
use shop_platform::webhooks::model::NotificationKind;
use shop_platform::webhooks::service::listeners;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use url::Url;
use uuid::Uuid;

use crate::admin::orders::{Desk, chosen, parcel};
use crate::admin::products;
use crate::checkout::bench::PIPE_TOOL;
use crate::support::{Answer, Receiver, Test, TestShop, Worker, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    every_step_of_an_order_is_told,
    who_never_bought_is_not_told_of,
    products_and_scarce_stock_are_told,
    each_act_is_told_at_once,
    each_edit_is_told_at_once,
    what_is_rolled_back_is_not_told,
    a_failed_try_is_repeated_under_one_id_until_it_is_taken,
    what_was_committed_is_sent_by_another_node,
    who_is_gone_is_switched_off,
    who_takes_nothing_for_three_days_is_switched_off,
    what_a_former_address_says_concerns_no_later_one,
    a_clock_that_was_ahead_keeps_nothing_from_an_endpoint,
    a_redirect_is_not_followed,
    nothing_private_is_reached,
    a_former_secret_signs_for_a_day,
    who_is_off_hears_nothing,
    one_who_hangs_keeps_nobody_waiting,
    what_a_newer_release_tells_is_sent_and_listed,
    the_log_is_swept,
];

const CALL: &str = "/api/admin/settings/webhooks";
const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

/// An endpoint with its secret, as known to whoever created it.
pub struct Endpoint {
    pub id: String,
    pub secret: String,
}

/// The form for an endpoint that subscribes to all events.
pub fn everything(url: &str) -> Value {
    let events: Vec<&str> = NotificationKind::choices().map(NotificationKind::text).collect();
    json!({ "name": "Warehouse", "url": url, "events": events, "is_enabled": true })
}

pub async fn made(shop: &TestShop, cookie: &str, input: Value) -> Endpoint {
    let answer = shop.call("POST", CALL, cookie, input).await.assert_status(201).json();
    let text = |name: &str| answer[name].as_str().unwrap().to_owned();
    Endpoint { id: text("id"), secret: text("secret") }
}

pub async fn endpoint(shop: &TestShop, cookie: &str, id: &str) -> Value {
    let answer = shop.call("GET", &format!("/admin/settings/webhooks/{id}/_payload.json"), cookie, Value::Null).await;
    answer.assert_status(200).json()["props"]["endpoint"].clone()
}

const INTEGRATOR: &str = "integrator";

/// A separate shop with an admin and a receiver.
pub struct Scene {
    pub shop: TestShop,
    pub receiver: Receiver,
    pub endpoint: Endpoint,
}

impl Scene {
    pub async fn start(shop: &TestShop) -> Self {
        let shop = TestShop::with(shop.database, |_| {}).await;
        let cookie = shop.sign_in(INTEGRATOR, &["admin"]).await;
        let receiver = Receiver::open().await;
        let endpoint = made(&shop, &cookie, everything(&receiver.url)).await;
        Self { shop, receiver, endpoint }
    }

    /// Of a new session: the former may have ended, since the clock jumps.
    pub async fn cookie(&self) -> String {
        self.shop.sign_in(INTEGRATOR, &["admin"]).await
    }

    /// Adds an event.
    pub async fn tell(&self, subject: &str) {
        let mut tx = self.shop.app.db.begin().await.unwrap();
        let mut conn = tx.conn();
        let listeners = listeners(&mut conn, NotificationKind::StockLow).await.unwrap();
        listeners.announce(&mut conn, self.shop.clock.as_ref(), subject, &json!({ "on_hand": 1 })).await.unwrap();
        tx.commit().await.unwrap();
    }

    pub async fn work(&self) {
        while run_due(&self.shop.app.worker()).await.unwrap() > 0 {}
    }

    pub async fn endpoint(&self) -> Value {
        endpoint(&self.shop, &self.cookie().await, &self.endpoint.id).await
    }

    pub async fn call(&self, method: &str, rest: &str, body: Value) -> Answer {
        self.shop.call(method, &format!("{CALL}/{}{rest}", self.endpoint.id), &self.cookie().await, body).await
    }

    /// Updates the endpoint at its current version.
    pub async fn change(&self, change: impl FnOnce(&mut Value)) {
        let mut input = everything(&self.receiver.url);
        change(&mut input);
        let body = json!({ "version": self.endpoint().await["version"], "endpoint": input });
        self.call("PUT", "", body).await.assert_status(204);
    }

    /// The log, the newest first.
    pub async fn log(&self, query: &str) -> Vec<Value> {
        let path = format!("/admin/settings/webhooks/log/_payload.json?{query}");
        let answer = self.shop.call("GET", &path, &self.cookie().await, Value::Null).await.assert_status(200).json();
        answer["props"]["dispatches"].as_array().unwrap().clone()
    }

    async fn execute(&self, statement: &'static str) {
        let mut tx = self.shop.app.db.begin().await.unwrap();
        sql!(&mut tx.conn(), c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
        tx.commit().await.unwrap();
    }

    pub async fn count(&self, statement: &'static str) -> i64 {
        let mut reader = self.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        sql!(&mut conn, c => sqlx::query_scalar(statement).fetch_one(c).await).unwrap()
    }
}

async fn every_step_of_an_order_is_told(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let receiver = Receiver::open().await;
    let Endpoint { secret, .. } = made(&desk.bench.shop, &desk.admin, everything(&receiver.url)).await;
    let number = desk.paid(&[(PIPE_TOOL, 3)]).await;
    let line = desk.line(&number, PIPE_TOOL).await;
    let cancellation = json!({ "lines": chosen(&[(line, 1)]), "restock": true, "by_shopper": true });
    desk.act(&desk.admin, &number, "cancellation", cancellation).await.assert_status(204);
    desk.act(&desk.staff, &number, "shipment", parcel(&[(line, 2)])).await.assert_status(204);
    let body = json!({ "lines": chosen(&[(line, 1)]), "reason": "Reed does not like it" });
    let id = desk.act(&desk.staff, &number, "returns", body).await.assert_status(200).json()["id"].clone();
    let step = async |step: &str, body: Value| {
        let act = format!("returns/{}/{step}", id.as_str().unwrap());
        desk.act(&desk.admin, &number, &act, body).await
    };
    step("approval", json!({})).await.assert_status(204);
    let came = json!({ "lines": [{ "line_id": line, "restocked": 1, "written_off": 0 }] });
    step("receipt", came).await.assert_status(204);
    let refund = json!({ "request_id": Uuid::now_v7(), "lines": chosen(&[(line, 1)]), "expected_amount": 648 });
    step("refund", refund).await.assert_status(200);
    desk.settle().await;

    let mut kinds = receiver.kinds();
    kinds.sort();
    kinds.dedup();
    assert_eq!(
        kinds,
        [
            "order.goods_canceled",
            "order.paid",
            "order.placed",
            "order.refunded",
            "order.shipped",
            "return.approved",
            "return.received",
            "return.refunded",
            "return.requested"
        ]
    );
    for told in receiver.told() {
        assert_eq!((told.signatures_by(&secret), told.header("content-type")), (1, "application/json"));
        let json = told.json();
        assert_eq!(json["id"], told.id());
        assert_eq!(json["data"]["order"]["number"], number);
        assert!(json["occurred_at"].as_str().unwrap().ends_with('Z'));
        let text = json.to_string().to_lowercase();
        // The first name with its opening quote, since without it a part of an id could match.
        for private in ["\"ada", "reed", "high street", "columbus", "43215", "buyer-", "@", "token"] {
            assert!(!text.contains(private), "{private} in {text}");
        }
    }
    let placed = receiver.of_kind("order.placed")[0].json()["data"]["order"].clone();
    assert_eq!((&placed["currency"], &placed["lines"][0]["sku"]), (&json!("USD"), &json!(PIPE_TOOL)));
    assert_eq!(placed["total"], desk.figure("SELECT total FROM orders WHERE number = $1", &number).await);
    let shipped = receiver.of_kind("order.shipped")[0].json()["data"].clone();
    assert_eq!((&shipped["tracking_number"], &shipped["goods"][0]["quantity"]), (&json!("1Z999"), &json!(2)));
    let refunded: Vec<i64> =
        receiver.of_kind("order.refunded").iter().map(|told| told.json()["data"]["amount"].as_i64().unwrap()).collect();
    assert_eq!(refunded.iter().sum::<i64>(), desk.given_back());
    desk.assert_log_is_sound().await;
}

/// Unpaid drafts expire without a notification.
async fn who_never_bought_is_not_told_of(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let receiver = Receiver::open().await;
    made(&desk.bench.shop, &desk.admin, everything(&receiver.url)).await;
    let mut order = desk.bench.order(PIPE_TOOL, 1).await;
    order["source_id"] = json!("cnon:card-nonce-declined");
    desk.bench.pay(&order).await.assert_status(402);
    desk.bench.work().await;
    desk.bench.shop.clock.advance(25 * HOUR);
    desk.bench.work().await;
    let canceled = desk.bench.count("SELECT COUNT(*) FROM orders WHERE status = 'canceled'").await;
    assert_eq!((canceled, receiver.told().len()), (1, 0));
}

async fn products_and_scarce_stock_are_told(shop: TestShop) {
    let desk = products::desk::Desk::start(&shop).await;
    let receiver = Receiver::open().await;
    made(&desk.shop, &desk.cookie().await, everything(&receiver.url)).await;
    let mut content = desk.rack().await;
    content["publish_at"] = json!(desk.shop.clock.now_ms() + HOUR);
    let product = desk.create(&content).await;
    while run_due(&desk.shop.app.worker()).await.unwrap() > 0 {}
    desk.shop.clock.advance(HOUR);
    while run_due(&desk.shop.app.worker()).await.unwrap() > 0 {}
    let variant = product["content"]["variants"][0]["id"].as_str().unwrap();
    for (seen, count) in [(7, 6), (6, 5), (5, 4)] {
        let body = json!({ "seen": seen, "counted": count, "reason": "counted" });
        desk.call("POST", &format!("stock/{variant}"), body).await.assert_status(200);
    }
    while run_due(&desk.shop.app.worker()).await.unwrap() > 0 {}
    assert_eq!(
        receiver.kinds(),
        ["product.created", "product.updated", "stock.low"],
        "told once, when it becomes scarce"
    );
    // Four are there.
    for threshold in [2, 4, 5] {
        let body = json!({ "seen": 4, "reason": "other", "low_stock_threshold": threshold });
        desk.call("POST", &format!("stock/{variant}"), body).await.assert_status(200);
    }
    while run_due(&desk.shop.app.worker()).await.unwrap() > 0 {}
    let thresholds: Vec<Value> =
        receiver.of_kind("stock.low").iter().map(|told| told.json()["data"]["low_stock_threshold"].clone()).collect();
    assert_eq!(thresholds, [5, 4], "and when its threshold is raised, once");
    let [created, updated, low] = [0, 1, 2].map(|at| receiver.told()[at].json()["data"].clone());
    assert_eq!((&created["product"]["status"], &updated["product"]["status"]), (&json!("draft"), &json!("active")));
    assert_eq!(
        (&updated["product"]["version"], &updated["product"]["variants"][0]["price"]),
        (&json!(2), &json!(4_900))
    );
    assert_eq!(
        (&low["on_hand"], &low["variant"]["sku"], &low["variant"]["id"]),
        (&json!(5), &json!("RACK-D"), &json!(variant))
    );
}

/// Workers that poll once an hour: anything earlier is the result of a wake-up.
const SELDOM: Pace = Pace {
    lease: Duration::from_secs(60),
    beat: Duration::from_secs(15),
    look_again: Duration::from_secs(3600),
    silent_after: Duration::from_secs(7200),
};

async fn each_act_is_told_at_once(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let bench = &desk.bench;
    let receiver = Receiver::open().await;
    made(&bench.shop, &desk.admin, everything(&receiver.url)).await;
    bench.work().await;
    let _worker = Worker::start(&bench.shop.app, SELDOM);
    // No wake-up may be left over from the previous action.
    let told = async |kind: &str, times: usize| {
        until(kind, async || receiver.of_kind(kind).len() == times).await;
        let left =
            "SELECT COUNT(*) FROM jobs WHERE name NOT IN ('reconcile', 'release_stock', 'audit', 'roll_up', 'clean',
            'remind_pickups', 'rank_products', 'update_statistics', 'compare', 'refund')";
        until("nothing is left to do", async || bench.count(left).await == 0).await;
    };
    let number = desk.placed(&[(PIPE_TOOL, 4)], |_| {}).await;
    told("order.placed", 1).await;
    told("order.paid", 1).await;
    let line = desk.line(&number, PIPE_TOOL).await;
    let act = async |act: &str, body: Value| desk.act(&desk.admin, &number, act, body).await;
    let cancellation = json!({ "lines": chosen(&[(line, 1)]), "restock": true, "by_shopper": true });
    act("cancellation", cancellation).await.assert_status(204);
    told("order.goods_canceled", 1).await;
    // The provider needs some seconds for the refund.
    until("order.refunded", async || {
        bench.let_pass(5).await;
        receiver.of_kind("order.refunded").len() == 1
    })
    .await;
    act("shipment", parcel(&[(line, 3)])).await.assert_status(204);
    told("order.shipped", 1).await;
    let parcel = bench.id("SELECT id FROM fulfillments").await;
    act(&format!("fulfillments/{parcel}/delivery"), json!({})).await.assert_status(204);
    told("order.delivered", 1).await;
    for (times, step, body, kind) in
        [(1, "approval", json!({}), "return.approved"), (2, "rejection", json!({ "note": "Worn" }), "return.rejected")]
    {
        let wanted = json!({ "lines": chosen(&[(line, 1)]), "reason": "Too small" });
        let id = act("returns", wanted).await.assert_status(200).json()["id"].clone();
        told("return.requested", times).await;
        let step = format!("returns/{}/{step}", id.as_str().unwrap());
        act(&step, body).await.assert_status(204);
        told(kind, 1).await;
        if kind == "return.approved" {
            let came = json!({ "lines": [{ "line_id": line, "restocked": 1, "written_off": 0 }] });
            act(&step.replace("approval", "receipt"), came).await.assert_status(204);
            told("return.received", 1).await;
        }
    }

    let number = desk
        .placed(&[(PIPE_TOOL, 1)], |body| {
            body["shipping_method"] = json!("pickup");
            body["payment_method"] = json!("pickup");
        })
        .await;
    told("order.placed", 2).await;
    let act = async |act: &str, body: Value| desk.act(&desk.admin, &number, act, body).await;
    act("ready", json!({})).await.assert_status(204);
    told("order.ready_for_pickup", 1).await;
    act("payment", json!({ "tender": "cash", "id_checked": true })).await.assert_status(204);
    told("order.paid", 2).await;
    act("handover", json!({ "id_checked": true })).await.assert_status(204);
    told("order.handed_over", 1).await;
    let refund = json!({
        "request_id": Uuid::now_v7(), "extra": 100, "reason": "Late", "expected_amount": 100, "given_as": "cash",
    });
    act("refunds", refund).await.assert_status(200);
    told("order.refunded", 2).await;

    let number = desk.placed(&[(PIPE_TOOL, 1)], |_| {}).await;
    told("order.paid", 3).await;
    let cancellation =
        json!({ "lines": chosen(&[(desk.line(&number, PIPE_TOOL).await, 1)]), "restock": true, "by_shopper": false });
    desk.act(&desk.admin, &number, "cancellation", cancellation).await.assert_status(204);
    told("order.canceled", 1).await;
}

async fn each_edit_is_told_at_once(shop: TestShop) {
    let desk = products::desk::Desk::start(&shop).await;
    let receiver = Receiver::open().await;
    made(&desk.shop, &desk.cookie().await, everything(&receiver.url)).await;
    let _worker = Worker::start(&desk.shop.app, SELDOM);
    let told = async |kind: &str, times: usize| {
        until(kind, async || receiver.of_kind(kind).len() == times).await;
        until("nothing is left to do", async || desk.count("SELECT COUNT(*) FROM jobs").await == 0).await;
    };
    let product = desk.create(&desk.rack().await).await;
    told("product.created", 1).await;
    let product = desk.save(&product, |content| content["subtitle"] = json!("For seven pipes")).await;
    told("product.updated", 1).await;
    let path = format!("products/{}/duplicate", product["id"].as_str().unwrap());
    desk.call("POST", &path, Value::Null).await.assert_status(201);
    told("product.created", 2).await;
    let change =
        json!({ "change": { "kind": "publish" }, "items": [{ "id": product["id"], "version": product["version"] }] });
    desk.call("POST", "products/bulk", change).await.assert_status(200);
    told("product.updated", 2).await;
    let variant = product["content"]["variants"][0]["id"].as_str().unwrap();
    let count = json!({ "seen": 7, "counted": 2, "reason": "counted" });
    desk.call("POST", &format!("stock/{variant}"), count).await.assert_status(200);
    told("stock.low", 1).await;
}

async fn what_is_rolled_back_is_not_told(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    let mut tx = scene.shop.app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    let listeners = listeners(&mut conn, NotificationKind::StockLow).await.unwrap();
    assert!(!listeners.is_empty());
    listeners.announce(&mut conn, scene.shop.clock.as_ref(), "SKU", &json!({})).await.unwrap();
    drop(tx);
    scene.work().await;
    assert!(scene.receiver.told().is_empty() && scene.log("").await.is_empty());
}

async fn a_failed_try_is_repeated_under_one_id_until_it_is_taken(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    scene.receiver.answer(500, "x".repeat(5_000));
    scene.receiver.answer(429, "<script>alert(1)</script>\0");
    scene.tell("SKU-1").await;
    scene.work().await;
    assert_eq!(scene.receiver.told().len(), 1, "not again at once");
    for _ in 0..2 {
        scene.shop.clock.advance(MINUTE);
        scene.work().await;
    }
    scene.shop.clock.advance(24 * HOUR);
    scene.work().await;
    let told = scene.receiver.told();
    assert_eq!(told.len(), 3);
    assert!(told.iter().all(|each| each.id() == told[0].id() && each.body == told[0].body));
    assert!(told.iter().all(|each| each.signatures_by(&scene.endpoint.secret) == 1), "each try has its time signed");
    assert_ne!(told[0].header("webhook-timestamp"), told[2].header("webhook-timestamp"));
    let [entry] = scene.log("").await.try_into().unwrap();
    assert_eq!(
        (&entry["status"], &entry["attempts"], &entry["last_code"]),
        (&json!("delivered"), &json!(3), &json!(200))
    );
    let path = format!("{}/_payload.json", entry["href"].as_str().unwrap());
    let page =
        scene.shop.call("GET", &path, &scene.cookie().await, Value::Null).await.assert_status(200).json()["props"]
            .clone();
    let answers: BTreeMap<i64, &str> = page["attempts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|attempt| (attempt["number"].as_i64().unwrap(), attempt["answer"].as_str().unwrap()))
        .collect();
    assert_eq!(answers[&1].len(), 1024, "no more of an answer is kept");
    assert_eq!((answers[&2], answers[&3]), ("<script>alert(1)</script>", "thanks"));
    assert_eq!(page["webhook_id"], told[0].id());
    assert!(scene.endpoint().await["failing_since"].is_null());
}

/// The node that made the change is killed before it sends anything, or while it sends.
async fn what_was_committed_is_sent_by_another_node(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    scene.tell("SKU-1").await;
    let now = scene.shop.clock.now_ms();
    let mut tx = scene.shop.app.db.begin().await.unwrap();
    let dying =
        Claim { lane: Lane::Dispatches, now, lease: "a node that dies", lease_for: MINUTE, limit: 8, held: &[] };
    let taken = claim(&mut tx.conn(), &dying).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(taken.len(), 1);
    let node = scene.shop.another_node().await;
    run_due(&node.app.worker()).await.unwrap();
    assert!(scene.receiver.told().is_empty(), "somebody may be at it");
    scene.shop.end_leases().await;
    run_due(&node.app.worker()).await.unwrap();
    assert_eq!(scene.receiver.kinds(), ["stock.low"]);
}

async fn hands(scene: &Scene) -> Vec<Value> {
    let page = scene
        .shop
        .call("GET", "/api/admin/overview", &scene.cookie().await, Value::Null)
        .await
        .assert_status(200)
        .json();
    let hands = page["hands"].as_array().unwrap().iter().find(|hands| hands["kind"] == "endpoints").unwrap();
    hands["items"].as_array().unwrap().clone()
}

async fn who_is_gone_is_switched_off(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    scene.receiver.answer(410, "");
    scene.tell("SKU-1").await;
    scene.work().await;
    let endpoint = scene.endpoint().await;
    assert_eq!((&endpoint["is_enabled"], &endpoint["off_why"]), (&json!(false), &json!("gone")));
    let hand = hands(&scene).await[0].clone();
    assert_eq!((&hand["label"], &hand["why"]), (&json!("Warehouse"), &json!("gone")));
    scene.tell("SKU-2").await;
    scene.shop.clock.advance(24 * HOUR);
    scene.work().await;
    assert_eq!((scene.receiver.told().len(), scene.log("").await.len()), (1, 1), "nothing more is written for it");
    // The endpoint is saved again.
    scene.change(|_| {}).await;
    scene.tell("SKU-3").await;
    scene.work().await;
    assert_eq!((scene.receiver.told().len(), hands(&scene).await.len()), (2, 0));
}

async fn who_takes_nothing_for_three_days_is_switched_off(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    for _ in 0..60 {
        scene.receiver.answer(503, "later");
    }
    scene.tell("SKU-1").await;
    let begun = scene.shop.clock.now_ms();
    let mut tries = Vec::new();
    while scene.endpoint().await["is_enabled"] == true {
        scene.work().await;
        tries.push(scene.shop.clock.now_ms() - begun);
        assert!(tries.len() < 60, "{tries:?}");
        let next = scene.count("SELECT COALESCE(MIN(run_at), 0) FROM jobs WHERE name = 'dispatch'").await;
        scene.shop.clock.advance((next - scene.shop.clock.now_ms()).max(0));
    }
    assert_eq!(hands(&scene).await[0]["why"], "failing");
    let last = tries.last().unwrap();
    assert!((72 * HOUR..82 * HOUR).contains(last), "{tries:?}");
    assert!((15..40).contains(&scene.receiver.told().len()), "{tries:?}");
    let [entry] = scene.log("status=failed").await.try_into().unwrap();
    assert_eq!(entry["last_error"], "Responded with 503.");
    assert_eq!(
        scene.count("SELECT COUNT(*) FROM jobs WHERE name = 'dispatch'").await,
        0,
        "no job is left, dead or alive"
    );
}

/// Staff enter another address while the former one is being asked.
async fn what_a_former_address_says_concerns_no_later_one(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    let former = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = format!("http://{}/", former.local_addr().unwrap());
    scene.change(|input| input["url"] = json!(address)).await;
    scene.tell("SKU-1").await;
    let answer = async {
        let (mut connection, _) = former.accept().await.unwrap();
        let mut request = Vec::new();
        while !request.ends_with(b"}") {
            assert_ne!(connection.read_buf(&mut request).await.unwrap(), 0, "the body is JSON");
        }
        scene.change(|_| {}).await;
        connection.write_all(b"HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n").await.unwrap();
    };
    let worker = scene.shop.app.worker();
    let (taken, ()) = tokio::join!(run_due(&worker), answer);
    taken.unwrap();
    let endpoint = scene.endpoint().await;
    assert_eq!((&endpoint["is_enabled"], &endpoint["off_why"]), (&json!(true), &Value::Null));
    assert!(endpoint["failing_since"].is_null());
    scene.shop.clock.advance(MINUTE);
    scene.work().await;
    assert_eq!(scene.receiver.kinds(), ["stock.low"]);
    assert_eq!(scene.log("").await[0]["status"], "delivered");
}

async fn a_clock_that_was_ahead_keeps_nothing_from_an_endpoint(shop: TestShop) {
    const AHEAD: i64 = 7 * 24 * HOUR;
    let scene = Scene::start(&shop).await;
    for _ in 0..3 {
        scene.receiver.answer(500, "");
    }
    scene.tell("SKU-1").await;
    scene.shop.clock.advance(AHEAD);
    scene.work().await;
    scene.shop.clock.advance(MINUTE);
    scene.work().await;
    assert_eq!(scene.receiver.told().len(), 2);

    scene.shop.clock.advance(-AHEAD);
    tend(&scene.shop.app.worker()).await.unwrap();
    scene.work().await;
    assert_eq!(scene.receiver.told().len(), 3, "it does not rest for a week");
    let now = scene.shop.clock.now_ms();
    assert_eq!(scene.count("SELECT MAX(first_at) FROM dispatches").await, now, "its three days begin now");
    assert_eq!(scene.count("SELECT MAX(failing_since) FROM endpoints").await, now);
    scene.shop.clock.advance(MINUTE);
    scene.work().await;
    assert_eq!(scene.log("").await[0]["status"], "delivered");
}

async fn a_redirect_is_not_followed(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    let elsewhere = Receiver::open().await;
    scene.receiver.redirect(&elsewhere.url);
    scene.tell("SKU-1").await;
    scene.work().await;
    assert_eq!((scene.receiver.told().len(), elsewhere.told().len()), (1, 0));
    let [entry] = scene.log("").await.try_into().unwrap();
    assert_eq!((&entry["last_code"], &entry["status"]), (&json!(307), &json!("waiting")));
}

async fn nothing_private_is_reached(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    // Entered while the shop ran on http; the name resolves to this machine.
    scene.change(|input| input["url"] = json!(format!("https://localhost:{port}/"))).await;
    let public = TestShop::with(shop.database, |config| {
        config.data = scene.shop.app.config.data.clone();
        config.secret = scene.shop.app.config.secret.clone();
        config.http.origin = Url::parse("https://shop.example").unwrap();
    })
    .await;
    scene.tell("SKU-1").await;
    while run_due(&public.app.worker()).await.unwrap() > 0 {}
    let [entry] = scene.log("").await.try_into().unwrap();
    assert_eq!(entry["last_error"], "The address isn’t public, so nothing is sent there.");
    let came = tokio::time::timeout(std::time::Duration::ZERO, listener.accept()).await;
    assert!(came.is_err(), "nobody has come");

    let cookie = format!("__Host-{}", public.sign_in("integrator", &["admin"]).await);
    for url in [
        format!("https://localhost:{port}/"),
        "https://127.0.0.1/".to_owned(),
        "https://169.254.169.254/latest/meta-data".to_owned(),
        "https://[::ffff:10.0.0.1]/".to_owned(),
        "https://0x7f.1/".to_owned(),
        "http://hooks.example/".to_owned(),
        scene.receiver.url.clone(),
    ] {
        let answer = public.call("POST", CALL, &cookie, everything(&url)).await;
        let problem = answer.assert_problem(422, "invalid").json();
        assert!(problem["errors"]["url"].is_array(), "{url}: {problem}");
    }
}

async fn a_former_secret_signs_for_a_day(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    let old = &scene.endpoint.secret;
    let version = scene.endpoint().await["version"].clone();
    let rotated = scene.call("POST", "/secret", json!({ "version": version })).await.assert_status(200).json();
    let new = rotated["secret"].as_str().unwrap();
    assert_ne!(new, old);
    scene.tell("SKU-1").await;
    scene.work().await;
    scene.shop.clock.advance(24 * HOUR - 1);
    scene.tell("SKU-2").await;
    scene.work().await;
    scene.shop.clock.advance(1);
    scene.tell("SKU-3").await;
    scene.work().await;
    let by: Vec<_> =
        scene.receiver.told().iter().map(|told| (told.signatures_by(old), told.signatures_by(new))).collect();
    assert_eq!(by, [(1, 1), (1, 1), (0, 1)]);
    assert!(scene.endpoint().await["former_until"].is_null());
}

async fn who_is_off_hears_nothing(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    scene.tell("SKU-1").await;
    scene.change(|input| input["is_enabled"] = json!(false)).await;
    scene.tell("SKU-2").await;
    scene.work().await;
    assert!(scene.receiver.told().is_empty());
    let [entry] = scene.log("").await.try_into().unwrap();
    assert_eq!((&entry["subject"], &entry["status"]), (&json!("SKU-1"), &json!("failed")));
    scene.call("POST", "/test", Value::Null).await.assert_problem(409, "off");
    // Not subscribing to the event has the same effect.
    scene.change(|input| input["events"] = json!(["order.placed"])).await;
    scene.tell("SKU-3").await;
    scene.work().await;
    assert!(scene.receiver.told().is_empty());
}

async fn one_who_hangs_keeps_nobody_waiting(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    for _ in 0..40 {
        scene.receiver.answer(500, "");
    }
    scene.tell("SKU-1").await;
    for _ in 0..6 {
        scene.work().await;
        scene.shop.clock.advance(20 * MINUTE);
    }
    scene.work().await;
    let before = scene.receiver.told().len();
    let healthy = Receiver::open().await;
    made(&scene.shop, &scene.cookie().await, everything(&healthy.url)).await;
    for sku in 0..20 {
        scene.tell(&format!("SKU-{sku}")).await;
    }
    scene.work().await;
    assert_eq!((healthy.told().len(), scene.receiver.told().len()), (20, before), "it is left alone for a while");
    scene.call("POST", "/test", Value::Null).await.assert_status(202);
    scene.work().await;
    assert_eq!(scene.receiver.told().len(), before + 1, "staff may try it nevertheless");
}

/// While two releases run side by side, and after going back to the former one.
async fn what_a_newer_release_tells_is_sent_and_listed(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    scene.tell("SKU-1").await;
    scene.execute("UPDATE dispatches SET kind = 'stock.counted'").await;
    scene.execute("UPDATE endpoints SET events = '[\"stock.low\",\"stock.counted\"]'").await;
    scene.work().await;
    let [entry] = scene.log("").await.try_into().unwrap();
    assert_eq!((&entry["kind"], &entry["status"]), (&json!("stock.counted"), &json!("delivered")));
    let path = format!("{}/_payload.json", entry["href"].as_str().unwrap());
    scene.shop.call("GET", &path, &scene.cookie().await, Value::Null).await.assert_status(200);
    let again = format!("{CALL}/log/{}/again", entry["id"].as_str().unwrap());
    scene.shop.call("POST", &again, &scene.cookie().await, Value::Null).await.assert_status(202);
    scene.work().await;
    assert_eq!((scene.receiver.told().len(), scene.log("event=stock.low").await.len()), (2, 0));
    assert_eq!(scene.endpoint().await["events"], json!(["stock.low"]), "those that this release knows");
    scene.tell("SKU-2").await;
    scene.work().await;
    assert_eq!(scene.receiver.told().len(), 3);
}

async fn the_log_is_swept(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    scene.tell("SKU-1").await;
    scene.work().await;
    scene.shop.clock.advance(29 * 24 * HOUR);
    scene.tell("SKU-2").await;
    scene.work().await;
    let sweep = async || {
        shop_domain::retention::service::clean(&scene.shop.app).await.unwrap();
        scene.count("SELECT COUNT(*) FROM dispatches").await
    };
    assert_eq!(sweep().await, 2);
    scene.shop.clock.advance(24 * HOUR + 1);
    assert_eq!(sweep().await, 1);
    assert_eq!(scene.count("SELECT COUNT(*) FROM dispatch_attempts").await, 1);
}
