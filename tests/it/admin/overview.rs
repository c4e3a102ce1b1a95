//! The overview: figures and what needs attention.

use serde_json::{Value, json};
use shop_base::clock::Clock;
use shop_domain::analytics::service::refresh;
use uuid::Uuid;

use super::orders::Desk;
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::support::{Test, TestShop, statements};
use crate::tests;

pub const TESTS: &[Test] = tests![
    an_order_shows_in_all_figures,
    what_needs_a_hand_is_listed,
    what_is_to_be_picked_up_is_work_as_well,
    a_list_is_counted_if_there_is_more_than_it_shows,
    a_shop_without_a_past_says_so,
    the_admin_area_begins_with_the_overview,
];

const DAY: i64 = 24 * 3_600_000;

pub async fn staff(shop: &TestShop) -> String {
    shop.sign_in("reports-staff", &["staff"]).await
}

/// The props of a page with up-to-date roll-ups.
pub async fn props(shop: &TestShop, cookie: &str, path: &str) -> Value {
    refresh(&shop.app).await.unwrap();
    ask(shop, cookie, path).await
}

async fn ask(shop: &TestShop, cookie: &str, path: &str) -> Value {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let answer = shop.call("GET", &format!("{path}/_payload.json?{query}"), cookie, Value::Null).await;
    answer.assert_status(200).json()["props"].clone()
}

async fn call(shop: &TestShop, cookie: &str, path: &str) -> Value {
    refresh(&shop.app).await.unwrap();
    shop.call("GET", path, cookie, Value::Null).await.assert_status(200).json()
}

/// A visit to these pages, at the current time.
pub async fn visit(shop: &TestShop, pages: &[&str]) {
    let session = Uuid::now_v7();
    let now = shop.clock.now_ms();
    let mut events = Vec::new();
    for page in pages {
        events.push(json!({ "type": "page_view", "page": page }));
        if *page == "/cart" {
            events.push(json!({ "type": "cart_action", "action": "add", "feature": PIPE_TOOL }));
        }
    }
    for (event, at) in events.iter_mut().zip(0..) {
        event["session_id"] = json!(session);
        event["timestamp"] = json!(jiff::Timestamp::from_millisecond(now - 60_000 + at * 1_000).unwrap().to_string());
    }
    let body = json!({ "events": events }).to_string();
    shop.post_json("/api/me/activity", body).await.assert_status(202);
    shop.app.parts.activity.queue.flush().await;
}

async fn an_order_shows_in_all_figures(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let cookie = staff(shop).await;
    visit(shop, &["/"]).await;
    visit(shop, &["/", "/product/briar", "/cart"]).await;
    visit(shop, &["/product/briar", "/cart", "/checkout", "/order-confirmation"]).await;
    let before = call(shop, &cookie, "/api/admin/overview?days=7").await;
    assert_eq!((&before["now"]["orders"], &before["now"]["visits"]), (&json!(0), &json!(3)));
    assert_eq!(before["now"]["buyers"], json!(1), "a confirmation was reached, which says nothing about money");
    let order = bench.order(PIPE_TOOL, 2).await;
    bench.pay(&order).await.assert_status(200);
    bench.work().await;
    shop.clock.advance(6_000);
    let page = props(shop, &cookie, "/admin/overview").await;
    let total = order["expected_total"].as_i64().unwrap();
    let now = &page["now"];
    assert_eq!(
        (&now["revenue"], &now["taken"], &now["orders"], &now["units"]),
        (&json!(total), &json!(total), &json!(1), &json!(2))
    );
    assert_eq!((&now["average_order"], &now["conversion"]), (&json!(total), &json!(3_333)), "one of three visits");
    let funnel = ["visits", "products", "baskets", "checkouts", "buyers"].map(|step| now[step].as_i64().unwrap());
    assert_eq!(funnel, [3, 2, 2, 1, 1]);
    let goods = ["goods", "discounts", "shipping", "tax"].map(|part| now[part].as_i64().unwrap());
    assert_eq!(goods[0] - goods[1] + goods[2] + goods[3], total);
    let days = page["chart"].as_array().unwrap();
    assert_eq!((days.len(), &days[6]["now"]["revenue"], &days[5]["now"]["revenue"]), (7, &json!(total), &json!(0)));
    assert_eq!(page["newest"][0]["total"], json!(total));
    assert_eq!(page["newest"][0]["payment_status"], "paid");
    // Tomorrow it counts as the previous period.
    shop.clock.advance(DAY);
    let cookie = staff(shop).await;
    let today = props(shop, &cookie, "/admin/overview?days=1").await;
    assert_eq!((&today["now"]["orders"], &today["before"]["orders"]), (&json!(0), &json!(1)));
    assert_eq!(today["before"]["is_known"], json!(true));
    let answer = shop.call("GET", "/admin/overview?days=1", &cookie, Value::Null).await;
    let html = answer.assert_status(200).text();
    assert!(html.contains("Paid orders") && html.contains("all of yesterday"), "the page is rendered");
    assert!(html.contains("<th scope=\"row\">Ordered</th>"), "the last step of the funnel");
}

async fn what_needs_a_hand_is_listed(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let cookie = staff(shop).await;
    for _ in 0..4 {
        bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    }
    bench.work().await;
    let kinds = async || {
        let page = call(shop, &cookie, "/api/admin/overview").await;
        let hands = page["hands"].as_array().unwrap().clone();
        hands
            .iter()
            .map(|hand| (hand["kind"].as_str().unwrap().to_owned(), hand["total"].as_i64().unwrap()))
            .collect::<Vec<_>>()
    };
    // Paid orders are waiting to be shipped: something to do, though nothing is wrong.
    assert!(kinds().await.iter().all(|(kind, total)| *total == if kind == "unsent" { 4 } else { 0 }));
    bench.execute("UPDATE orders SET attention = 'Look.' WHERE number = (SELECT MIN(number) FROM orders)").await;
    bench.execute("UPDATE payment_attempts SET status = 'unknown' WHERE id = (SELECT attempt_id FROM orders ORDER BY number LIMIT 1)").await;
    bench.execute("UPDATE orders SET status = 'canceled' WHERE number = (SELECT MAX(number) FROM orders)").await;
    bench.execute("UPDATE jobs SET dead_at = 1, last_error = 'It did not go.' WHERE name = 'clean'").await;
    bench
        .execute(
            "INSERT INTO returns (id, order_id, status, reason, created_at, updated_at)
             SELECT id, id, CASE WHEN number = (SELECT MIN(number) FROM orders) THEN 'requested' ELSE 'approved' END, '', 0, 0 FROM orders",
        )
        .await;
    let of = |kinds: &[(String, i64)], kind: &str| kinds.iter().find(|(name, _)| name == kind).unwrap().1;
    let young = kinds().await;
    assert_eq!((of(&young, "attention"), of(&young, "dead_jobs")), (1, 1));
    assert_eq!(of(&young, "returns"), 1, "an approved one waits for the buyer");
    assert_eq!((of(&young, "stuck_payments"), of(&young, "paid_without_order")), (0, 0), "not before ten minutes");
    shop.clock.advance(10 * 60_000);
    let old = kinds().await;
    assert_eq!((of(&old, "stuck_payments"), of(&old, "paid_without_order")), (1, 1));
    bench
        .execute(
            "INSERT INTO disputes (provider, provider_dispute_id, order_id, attempt_id, state, reason, amount,
             created_at, updated_at) SELECT a.provider, 'D1', o.id, a.id, 'LOST', 'NO_KNOWLEDGE', a.amount, 0, 0
             FROM payment_attempts a JOIN orders o ON o.id = a.order_id WHERE o.status = 'canceled'",
        )
        .await;
    assert_eq!(of(&kinds().await, "paid_without_order"), 0, "the bank has taken it back");
    let page = call(shop, &cookie, "/api/admin/overview").await;
    let item = &page["hands"][0]["items"][0];
    assert_eq!(item["why"], "Look.");
    assert_eq!(item["href"], json!(format!("/admin/orders/{}", item["label"].as_str().unwrap())));
    bench.execute("UPDATE stock_levels SET on_hand = reserved WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')").await;
    let page = call(shop, &cookie, "/api/admin/overview").await;
    let low = page["low_stock"]["items"].as_array().unwrap().iter().find(|item| item["sku"] == PIPE_TOOL).cloned();
    assert_eq!(low.expect("it is among the scarcest")["available"], json!(0));
}

async fn what_is_to_be_picked_up_is_work_as_well(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let shop = &desk.bench.shop;
    // How many the overview counts, of these and of those to send, and how many the list shows to which it leads.
    let counted = async || {
        let page = call(shop, &desk.staff, "/api/admin/overview").await;
        let find = |kind: &str| page["hands"].as_array().unwrap().iter().find(|hand| hand["kind"] == kind).cloned();
        let (waiting, unsent) = (find("to_pick_up").unwrap(), find("unsent").unwrap());
        let list = shop.call("GET", waiting["href"].as_str().unwrap(), &desk.staff, Value::Null).await;
        let listed = list.assert_status(200).envelope()["props"]["list"]["total"].clone();
        [&waiting["total"], &unsent["total"], &listed].map(|total| total.as_i64().unwrap())
    };
    let paid = desk.placed(&[(PIPE_TOOL, 1)], |body| body["shipping_method"] = json!("pickup")).await;
    desk.to_pick_up(PIPE_TOOL).await;
    desk.paid(&[(PIPE_TOOL, 1)]).await;
    assert_eq!(counted().await, [2, 1, 2], "paid by card, or to be paid in the store");
    desk.act(&desk.staff, &paid, "ready", json!({})).await.assert_status(204);
    assert_eq!(counted().await, [2, 1, 2], "it has yet to be handed over");
    desk.act(&desk.staff, &paid, "handover", json!({ "id_checked": true })).await.assert_status(204);
    assert_eq!(counted().await, [1, 1, 1]);
}

async fn a_list_is_counted_if_there_is_more_than_it_shows(shop: TestShop) {
    let mut bench = Bench::start(shop.database).await;
    bench.stock(PIPE_TOOL, 1_000).await;
    let cookie = staff(&bench.shop).await;
    let place = async |orders: usize| {
        for _ in 0..orders {
            bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
        }
        bench.work().await;
    };
    // How many orders are to be sent, how many of them are shown, and the number of the overview's own statements.
    let found = async || {
        let (page, ran) = statements::of(call(&bench.shop, &cookie, "/api/admin/overview")).await;
        let unsent = page["hands"].as_array().unwrap().iter().find(|hand| hand["kind"] == "unsent").unwrap();
        let own = ran.iter().filter(|place| place.contains("admin/overview/queries.rs")).count();
        (unsent["total"].as_i64().unwrap(), unsent["items"].as_array().unwrap().len(), own)
    };
    place(7).await;
    let few = found().await;
    assert_eq!((few.0, few.1), (7, 7));
    place(1).await;
    assert_eq!(found().await, (8, 8, few.2 + 1), "there may be more");
    place(1).await;
    assert_eq!(found().await, (9, 8, few.2 + 1));
}

async fn a_shop_without_a_past_says_so(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = staff(&shop).await;
    for days in [1, 7, 30, 90] {
        let page = props(&shop, &cookie, &format!("/admin/overview?days={days}")).await;
        assert_eq!((&page["days"], &page["now"]["revenue"]), (&json!(days), &json!(0)));
        assert_eq!((&page["before"]["is_known"], &page["now"]["conversion"]), (&json!(false), &Value::Null));
    }
    let odd = props(&shop, &cookie, "/admin/overview?days=12").await;
    assert_eq!(odd["days"], json!(7), "what is no period is a week");
    let answer = shop.call("GET", "/admin/overview", &cookie, Value::Null).await;
    let html = answer.assert_status(200).text();
    assert!(html.contains("No earlier data") && html.contains("No orders yet."));
}

async fn the_admin_area_begins_with_the_overview(shop: TestShop) {
    let answer = shop.get("/admin").await;
    answer.assert_status(303);
    assert_eq!(answer.header("location"), "/admin/overview");
    let answer = shop.get(answer.header("location")).await;
    assert_eq!(answer.assert_status(303).header("location"), "/auth/login?return_to=%2Fadmin%2Foverview");
}
