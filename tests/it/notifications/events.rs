//! What other systems are told: all subscribed events, at once, and only after a commit.

use std::time::Duration;

use serde_json::{Value, json};
use shop_base::clock::Clock;
use shop_demo::square::faults::{Operation, Point};
use shop_platform::jobs::model::Pace;
use shop_platform::jobs::worker::run_due;
use shop_platform::webhooks::model::NotificationKind;
use shop_platform::webhooks::service::listeners;
use uuid::Uuid;

use super::{Endpoint, HOUR, Scene, everything, made};
use crate::admin::orders::{Desk, chosen, parcel};
use crate::admin::products;
use crate::checkout::bench::PIPE_TOOL;
use crate::support::{Receiver, Test, TestShop, Worker, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    every_step_of_an_order_is_told,
    who_never_bought_is_not_told_of,
    what_is_taken_for_a_canceled_order_is_not_told_as_paid,
    products_and_scarce_stock_are_told,
    each_act_is_told_at_once,
    each_edit_is_told_at_once,
    what_is_rolled_back_is_not_told,
];

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
        // The first name and the ZIP code with what is before them, since without it a part of an id could match.
        for private in
            ["\"ada", "reed", "high street", "columbus", "\"43215", " 43215", ":43215", "buyer-", "@", "token"]
        {
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

/// Staff cancel it while the provider captures its money.
async fn what_is_taken_for_a_canceled_order_is_not_told_as_paid(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let receiver = Receiver::open().await;
    made(&desk.bench.shop, &desk.admin, everything(&receiver.url)).await;
    let mut hold = desk.bench.stand_in.faults.hold(Operation::CompletePayment, Point::BeforeAnswer);
    let number = desk.placed(&[(PIPE_TOOL, 1)], |_| {}).await;
    let app = desk.bench.shop.app.clone();
    let capturing = tokio::spawn(async move { run_due(&app.worker()).await });
    assert!(hold.reached().await, "in the middle of the capture");
    let whole = json!({ "restock": true, "by_shopper": true });
    desk.act(&desk.admin, &number, "cancellation", whole).await.assert_status(204);
    hold.release();
    capturing.await.unwrap().unwrap();
    desk.settle().await;
    let told = ["order.canceled", "order.refunded", "order.paid"].map(|kind| receiver.of_kind(kind).len());
    assert_eq!((told, desk.payment_status(&number).await), ([1, 1, 0], "refunded".to_owned()));
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
    let _worker = Worker::looking(&bench.shop.app, SELDOM).await;
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
    let _worker = Worker::looking(&desk.shop.app, SELDOM).await;
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
