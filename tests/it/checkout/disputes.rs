//! Payments that the buyer's bank wants back.

use serde_json::{Value, json};
use shop_base::money::Money;

use super::bench::{Bench, PIPE_TOOL};
use super::webhooks::{PostOffice, deliver, signed};
use crate::admin::overview::props;
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![a_dispute_is_recorded_once_for_each_state, what_is_lost_is_neither_revenue_nor_spent];

const DAY: i64 = 24 * 60 * 60 * 1000;

/// The bank opens a payment's dispute, or changes its state.
async fn dispute(bench: &Bench, payment: &Value, state: &str) {
    let address = bench.stand_in.base_url.join("emu/disputes").unwrap();
    let body = json!({ "payment_id": payment["id"], "state": state });
    reqwest::Client::new().post(address).json(&body).send().await.unwrap().error_for_status().unwrap();
}

async fn a_dispute_is_recorded_once_for_each_state(shop: TestShop) {
    let mut office = PostOffice::open().await;
    let bench = office.start_bench(&shop).await;
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    bench.work().await;
    // Authorized and captured.
    for _ in 0..2 {
        deliver(&bench, &office.next().await).await.assert_status(200);
    }
    bench.work().await;
    let payment = bench.stand_in.payments()[0].clone();
    for (state, entries) in [("EVIDENCE_REQUIRED", 1), ("LOST", 2)] {
        dispute(&bench, &payment, state).await;
        let webhook = office.next().await;
        for _ in 0..3 {
            deliver(&bench, &webhook).await.assert_status(200);
            bench.work().await;
        }
        // And once more under another event id.
        let mut again: Value = serde_json::from_slice(&webhook.body).unwrap();
        again["event_id"] = json!(format!("again-{state}"));
        deliver(&bench, &signed(&office.url, &again)).await.assert_status(200);
        bench.work().await;
        let told = "SELECT COUNT(*) FROM order_history WHERE kind = 'dispute'";
        assert_eq!(bench.count(told).await, entries, "{state}");
        let attention = "SELECT COUNT(*) FROM order_history WHERE kind = 'attention' AND data LIKE '%bank disputed $%'";
        assert_eq!(bench.count(attention).await, entries, "{state}");
    }
    let seen = "SELECT COUNT(*) FROM orders WHERE attention LIKE '%(not as described): lost.%'";
    assert_eq!(bench.count(seen).await, 1);
    let to_respond = "SELECT COUNT(*) FROM order_history WHERE kind = 'attention' AND data LIKE '%Respond in%'";
    assert_eq!(bench.count(to_respond).await, 1, "nobody can respond to a lost one");
    assert_eq!(bench.count("SELECT COUNT(*) FROM webhook_events WHERE processed_at IS NULL").await, 0);
}

/// The bank changes the states of the disputes of all payments, and the shop is told.
async fn decide(bench: &Bench, office: &mut PostOffice, states: [&str; 2]) {
    for (payment, state) in bench.stand_in.payments().iter().zip(states) {
        dispute(bench, payment, state).await;
        deliver(bench, &office.next().await).await.assert_status(200);
    }
    bench.work().await;
}

const DAYS: &str = "from=2026-11-21&to=2026-11-22&by=day";

/// Revenue and lost disputes of the two days, and what the customer and the guest have spent.
async fn figures(shop: &TestShop) -> [[i64; 2]; 3] {
    let cookie = shop.sign_in("boss", &["admin"]).await;
    let report = props(shop, &cookie, &format!("/admin/analytics?{DAYS}")).await;
    let users = props(shop, &cookie, "/admin/users?role=customer").await;
    let guests = props(shop, &cookie, "/admin/users/guests").await;
    let of_days = |figure: &str| [0_usize, 1].map(|day| report["parts"][day]["now"][figure].as_i64().unwrap());
    let spent = [&users["users"][0], &guests["guests"][0]].map(|who| who["spent"].as_i64().unwrap());
    [of_days("revenue"), of_days("lost_disputes"), spent]
}

async fn what_is_lost_is_neither_revenue_nor_spent(shop: TestShop) {
    let mut office = PostOffice::open().await;
    let bench = office.start_bench(&shop).await;
    let shop = &bench.shop;
    let buyer = format!("{}; {}", shop.sign_in("disputer", &["customer"]).await, shop.age_cookie());
    let order = bench.order(PIPE_TOOL, 1).await;
    let total = order["expected_total"].as_i64().unwrap();
    bench.pay_as(&buyer, &order).await.assert_status(200);
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    bench.work().await;
    // Both are authorized and captured.
    for _ in 0..4 {
        deliver(&bench, &office.next().await).await.assert_status(200);
    }
    decide(&bench, &mut office, ["EVIDENCE_REQUIRED", "INQUIRY_PROCESSING"]).await;
    shop.clock.advance(DAY);
    assert_eq!(figures(shop).await, [[2 * total, 0], [0, 0], [total, total]], "an open one is not lost");

    decide(&bench, &mut office, ["LOST", "ACCEPTED"]).await;
    assert_eq!(figures(shop).await, [[2 * total, -2 * total], [0, 2 * total], [0, 0]]);
    let cookie = shop.sign_in("boss", &["admin"]).await;
    let today = props(shop, &cookie, "/admin/overview?days=1").await;
    assert_eq!(today["now"]["revenue"], json!(-2 * total));
    let file =
        async |path: &str| shop.call("GET", path, &cookie, Value::Null).await.assert_status(200).text().to_owned();
    let sales = file(&format!("/api/admin/analytics/sales.csv?{DAYS}")).await;
    assert!(sales.contains("Revenue,Payments,Refunded,Lost disputes,Refunds,"), "{sales}");
    let lost = Money::usd(2 * total).decimal();
    assert!(sales.contains(&format!("2026-11-22,2026-11-22,-{lost},0.00,0.00,{lost},0,0,0,")), "{sales}");
    let users = file("/api/admin/users.csv?role=customer").await;
    assert!(users.contains("disputer@shop.example,customer,1,0.00,"), "{users}");
    let html = file(&format!("/admin/analytics?{DAYS}")).await;
    assert!(html.contains("Lost disputes"), "the page is rendered");

    // The bank changes its mind: nothing was lost on that day.
    shop.clock.advance(DAY);
    decide(&bench, &mut office, ["WON", "WON"]).await;
    assert_eq!(figures(shop).await, [[2 * total, 0], [0, 0], [total, total]]);
}
