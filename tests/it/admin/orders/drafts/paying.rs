//! A draft order is paid through its link, by the rules of the checkout.

use std::sync::Arc;

use serde_json::{Value, json};
use shop_demo::square::faults::{Operation, Point};
use shop_domain::retention::service::clean;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::{DAY_MS, terms};
use crate::admin::orders::Desk;
use crate::checkout::bench::{BUTANE, PAPERS, PIPE_TOOL};
use crate::checkout::crowd::in_a_crowd;
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_link_is_paid_and_becomes_an_order,
    twenty_clicks_at_once_are_one_order,
    what_is_paid_needs_no_second_payment,
    the_promised_price_holds_and_the_stock_does_not,
    the_promised_discount_holds_until_the_link_ends,
    rules_hold_when_it_is_made_and_when_it_is_paid,
    nobody_changes_what_is_being_paid,
    a_refused_card_and_an_abandoned_try_leave_the_link_good,
    an_order_belongs_to_whom_it_was_made_for,
    the_checkout_of_a_draft_is_good_for_nothing_else,
    what_nobody_picks_up_is_told_to_staff,
    a_draft_goes_after_its_order_that_nobody_paid,
];

async fn a_link_is_paid_and_becomes_an_order(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.drafted(terms()).await;
    let (shown, link) = (desk.draft(&number).await, desk.link(&number).await);
    assert_eq!((&shown["state"], &shown["may_change"]), (&json!("open"), &json!(true)));
    assert_eq!(shown["quote"]["problems"], json!([]));
    let packer = desk.bench.shop.call("GET", &format!("/admin/orders/drafts/{number}"), &desk.staff, Value::Null).await;
    assert_eq!(packer.assert_status(200).envelope()["props"]["draft"]["link"], Value::Null, "who may not, has no link");

    let page = desk.bench.shop.get_verified(&link).await;
    assert_eq!(page.assert_status(200).header("cache-control"), "private, no-store");
    assert!(!page.text().contains("Test boss"), "nobody learns who made it");
    let opened = page.envelope()["props"]["draft"].clone();
    assert_eq!((&opened["number"], &opened["good_until"]), (&json!(number), &json!("2026-11-28")));
    assert_eq!(opened["address"]["line1"], "12 High Street");
    // The age gate applies as on every page; nobody can pay without passing it.
    assert_eq!(desk.bench.shop.get(&link).await.envelope()["shared"]["age_verified"], false);
    let body = desk.click(&link).await;
    desk.bench.pay_as("", &body).await.assert_problem(403, "forbidden");

    let placed = desk.bench.pay(&body).await.assert_status(200).json();
    desk.bench.work().await;
    let order = placed["number"].as_str().unwrap();
    assert_eq!((desk.status_of(&number).await.as_str(), desk.payment_status(order).await.as_str()), ("placed", "paid"));
    let shown = desk.draft(&number).await;
    assert_eq!(shown["order"], json!({ "number": order, "payment_status": "paid" }));
    assert_eq!((&shown["link"], &shown["may_change"]), (&Value::Null, &json!(false)));
    let page = desk.bench.shop.call("GET", &format!("/admin/orders/{order}"), &desk.admin, Value::Null).await;
    let timeline = page.envelope()["props"]["order"]["timeline"].clone();
    let entry = timeline.as_array().unwrap().iter().find(|item| item["text"].as_str().unwrap().contains(&number));
    let entry = entry.unwrap_or_else(|| panic!("{timeline}"));
    assert_eq!((&entry["who"], &entry["is_public"]), (&json!("Test boss"), &json!(false)));
    assert_eq!(desk.audited("draft_order.create").await, 1);
    desk.assert_log_is_sound().await;
    desk.bench.assert_books_balance().await;
    desk.bench.assert_stock_is_exact().await;
}

async fn twenty_clicks_at_once_are_one_order(shop: TestShop) {
    let desk = Arc::new(Desk::open(&shop).await);
    let number = desk.drafted(terms()).await;
    let link = desk.link(&number).await;
    let mut clicks = JoinSet::new();
    for _ in 0..20 {
        let (desk, link) = (Arc::clone(&desk), link.clone());
        clicks.spawn(async move {
            let body = desk.click(&link).await;
            in_a_crowd(|| desk.bench.pay(&body)).await
        });
    }
    let answers = clicks.join_all().await;
    let numbers: Vec<Value> = answers.iter().map(|answer| answer.assert_status(200).json()["number"].clone()).collect();
    assert!(numbers.iter().all(|each| each.is_string() && *each == numbers[0]), "{numbers:?}");
    desk.bench.work().await;
    assert_eq!(desk.bench.payments(), ["COMPLETED"]);
    assert_eq!(desk.status_of(&number).await, "placed");
    desk.bench.assert_books_balance().await;
    desk.bench.assert_stock_is_exact().await;
}

async fn what_is_paid_needs_no_second_payment(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.drafted(terms()).await;
    let link = desk.link(&number).await;
    let body = desk.click(&link).await;
    let placed = desk.bench.pay(&body).await.assert_status(200).json();
    desk.bench.work().await;
    let again = desk.bench.shop.get_verified(&link).await;
    let over = again.assert_status(200).envelope()["props"]["over"].clone();
    assert_eq!(over["state"], "placed");
    assert_eq!(over["order"], json!({ "label": placed["number"], "href": placed["href"] }));
    assert!(again.root().contains("This order has been placed"));
    // A page that stayed open, whose button is clicked again.
    let mut late = body.clone();
    late["click_id"] = json!(Uuid::now_v7());
    assert_eq!(desk.bench.pay(&late).await.assert_status(200).json(), placed);
    assert_eq!(desk.bench.payments(), ["COMPLETED"]);
    desk.on_draft(&number, "withdrawal").await.assert_problem(409, "placed");
    desk.on_draft(&number, "letter").await.assert_problem(409, "placed");
}

async fn the_promised_price_holds_and_the_stock_does_not(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.drafted(terms()).await;
    let link = desk.link(&number).await;
    let promised = desk.click(&link).await;
    desk.bench.execute("UPDATE product_variants SET price = price + 1000 WHERE sku = 'TWT-SIN'").await;
    let body = desk.click(&link).await;
    assert_eq!(body["expected_total"], promised["expected_total"], "what was promised holds");
    assert_ne!(desk.bench.order(PIPE_TOOL, 2).await["expected_total"], body["expected_total"], "for this order only");
    let quote = desk.bench.quote(&body).await;
    assert_eq!((&quote["changes"], &quote["problems"]), (&json!([]), &json!([])));

    desk.bench.execute("UPDATE stock_levels SET on_hand = 1, reserved = 0 WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')").await;
    let quote = desk.bench.quote(&body).await;
    assert_eq!(quote["problems"][0]["code"], "sold_out", "{quote}");
    let refused = desk.bench.pay(&body).await;
    refused.assert_problem(409, "cart_changed");
    assert!(refused.json()["detail"].as_str().unwrap().contains("Only 1"), "{}", refused.text());
    assert_eq!(desk.draft(&number).await["quote"]["problems"][0]["code"], "sold_out", "staff see it, too");
    desk.on_draft(&number, "letter").await.assert_problem(409, "not_payable");
    assert!(desk.bench.payments().is_empty());

    // Staff revise it at current prices.
    let mut fewer = terms();
    fewer["lines"][0]["quantity"] = json!(1);
    desk.rewrite(&number, &fewer).await.assert_status(200);
    desk.bench.pay(&body).await.assert_problem(409, "cart_changed");
    let body = desk.click(&link).await;
    assert_eq!(desk.bench.quote(&body).await["lines"][0]["price"], 1_600);
    desk.bench.pay(&body).await.assert_status(200);
}

async fn the_promised_discount_holds_until_the_link_ends(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let mut reduced = terms();
    reduced["promo_code"] = json!("WELCOME10");
    let number = desk.drafted(reduced).await;
    let body = desk.click(&desk.link(&number).await).await;
    let id = desk.bench.id("SELECT id FROM promo_codes WHERE code = 'WELCOME10'").await;
    let change = async |field: &str, value: Value| {
        let version = desk.figure("SELECT version FROM promo_codes WHERE code = $1", "WELCOME10").await;
        let mut grant = json!({
            "kind": "percent", "value": 1_000, "once_per_customer": true, "active": true, "version": version,
        });
        grant[field] = value;
        desk.bench.shop.call("PUT", &format!("/api/admin/settings/promotions/{id}"), &desk.admin, grant).await
    };
    for (field, value) in [("value", json!(500)), ("kind", json!("amount")), ("min_subtotal", json!(100))] {
        let refused = change(field, value).await.assert_problem(409, "promised").json();
        assert!(refused["detail"].as_str().unwrap().contains("until November 28, 2026"), "{refused}");
    }
    assert_eq!(desk.audited("promo.update").await, 0);
    assert_eq!(desk.bench.quote(&body).await["total"], body["expected_total"]);
    // Who may use it, and until when, is known to prevent a payment.
    change("ends_on", json!("2026-11-01")).await.assert_status(204);
    let refused = desk.bench.pay(&body).await.assert_problem(409, "cart_changed").json();
    assert_eq!(refused["detail"], "Promo code WELCOME10: This code has expired. Please contact us.");
    desk.on_draft(&number, "withdrawal").await.assert_status(204);
    change("value", json!(500)).await.assert_status(204);
    // Nor does a link that has expired promise anything.
    let mut reduced = terms();
    reduced["promo_code"] = json!("WELCOME10");
    desk.drafted(reduced).await;
    change("value", json!(1_000)).await.assert_problem(409, "promised");
    desk.bench.execute("UPDATE draft_orders SET expires_at = 1").await;
    change("value", json!(1_000)).await.assert_status(204);
}

async fn rules_hold_when_it_is_made_and_when_it_is_paid(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let mut alaska = terms();
    alaska["lines"] = json!([{ "sku": BUTANE, "quantity": 1 }]);
    alaska["address"]["state"] = json!("AK");
    alaska["address"]["city"] = json!("Anchorage");
    alaska["address"]["postal_code"] = json!("99501");
    let shown = desk.make(&alaska).await.assert_status(200).json();
    assert_eq!(shown["quote"]["problems"][0]["code"], "restricted", "it is told before anything is stored");
    alaska["expected_total"] = json!(2_000);
    desk.make(&alaska).await.assert_problem(409, "cart_changed");
    // Goods that require an ID check at pickup cannot be paid through a link.
    let mut papers = terms();
    papers["lines"] = json!([{ "sku": PAPERS, "quantity": 1 }]);
    papers["shipping_method"] = json!("pickup");
    papers["expected_total"] = desk.drafts_total(&papers).await;
    desk.make(&papers).await.assert_problem(409, "not_online");
    // Nobody can sign for a delivery at a PO box.
    let mut boxed = terms();
    boxed["address"]["line1"] = json!("PO Box 7");
    boxed["expected_total"] = desk.drafts_total(&boxed).await;
    assert!(desk.make(&boxed).await.assert_problem(422, "invalid").text().contains("address.line1"));
    let missing = desk.make(&json!({ "lines": [{ "sku": PIPE_TOOL, "quantity": 1 }], "expected_total": 1 })).await;
    for field in ["email", "address.line1", "address.state", "shipping_method"] {
        assert!(missing.assert_problem(422, "invalid").json()["errors"][field].is_array(), "{field}");
    }
    let mut dearer = terms();
    dearer["expected_total"] = json!(1);
    let changed = desk.make(&dearer).await.assert_problem(409, "total_changed").json();
    assert_eq!(changed["detail"], "The total has changed. Review it, then try again.", "staff do not pay");
    desk.make(&json!({ "lines": [{ "sku": "NONE", "quantity": 1 }] })).await.assert_problem(422, "invalid");
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM draft_orders").await, 0);

    let mut fuel = terms();
    fuel["lines"] = json!([{ "sku": BUTANE, "quantity": 1 }]);
    let number = desk.drafted(fuel).await;
    let link = desk.link(&number).await;
    // The buyer enters an address to which these goods may not be shipped.
    let mut body = desk.click(&link).await;
    let total = body["expected_total"].clone();
    body["address"] = alaska["address"].clone();
    assert_eq!(desk.bench.quote(&body).await["problems"][0]["code"], "restricted");
    desk.bench.pay(&body).await.assert_problem(409, "cart_changed");
    // The rules change after the link was sent and before it is paid.
    desk.bench
        .execute(
            "UPDATE compliance_rules SET may_ship = FALSE, reason = 'No more.' WHERE class = 'lighter_fluid_hazmat'",
        )
        .await;
    let mut body = desk.click(&link).await;
    body["expected_total"] = total;
    desk.bench.pay(&body).await.assert_problem(409, "cart_changed");
    assert!(desk.bench.payments().is_empty());
}

async fn nobody_changes_what_is_being_paid(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.drafted(terms()).await;
    let body = desk.click(&desk.link(&number).await).await;
    let mut hold = desk.bench.stand_in.faults.hold(Operation::CreatePayment, Point::BeforeAnswer);
    let (answer, ()) = tokio::join!(desk.bench.pay(&body), async {
        assert!(hold.reached().await);
        desk.on_draft(&number, "withdrawal").await.assert_problem(409, "being_paid");
        desk.rewrite(&number, &terms()).await.assert_problem(409, "being_paid");
        hold.release();
    });
    answer.assert_status(200);
    assert_eq!(desk.status_of(&number).await, "placed");

    // It expires before the response arrives: the paid order is placed nevertheless.
    let number = desk.drafted(terms()).await;
    let body = desk.click(&desk.link(&number).await).await;
    let mut hold = desk.bench.stand_in.faults.hold(Operation::CreatePayment, Point::BeforeAnswer);
    let (answer, ()) = tokio::join!(desk.bench.pay(&body), async {
        assert!(hold.reached().await);
        desk.bench.execute("UPDATE draft_orders SET expires_at = 0 WHERE status = 'open'").await;
        hold.release();
    });
    answer.assert_status(200);
    assert_eq!(desk.status_of(&number).await, "placed");
    desk.bench.work().await;
    desk.bench.assert_books_balance().await;
}

async fn a_refused_card_and_an_abandoned_try_leave_the_link_good(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.drafted(terms()).await;
    let link = desk.link(&number).await;
    let mut refused = desk.click(&link).await;
    refused["source_id"] = json!("cnon:card-nonce-declined");
    for _ in 0..5 {
        refused["click_id"] = json!(Uuid::now_v7());
        desk.bench.pay(&refused).await.assert_problem(402, "declined");
    }
    refused["click_id"] = json!(Uuid::now_v7());
    let many = desk.bench.pay(&refused).await;
    assert!(many.assert_problem(409, "too_many_attempts").text().contains("tomorrow"));
    assert_eq!(desk.status_of(&number).await, "open");
    let first = desk.opened(&link).await["draft"]["checkout_id"].clone();
    // The unpaid order is abandoned after a day, and the link then opens a new checkout.
    desk.bench.shop.clock.advance(DAY_MS + 60_000);
    desk.bench.work().await;
    assert_ne!(desk.opened(&link).await["draft"]["checkout_id"], first);
    desk.bench.pay(&refused).await.assert_problem(409, "checkout_over");
    desk.bench.pay(&desk.click(&link).await).await.assert_status(200);
    desk.bench.work().await;
    assert_eq!(desk.bench.payments().iter().filter(|status| *status == "COMPLETED").count(), 1);
    desk.bench.assert_books_balance().await;
    desk.bench.assert_stock_is_exact().await;
}

async fn an_order_belongs_to_whom_it_was_made_for(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let cookie = desk.bench.shop.sign_in("reader", &["customer"]).await;
    let reader = desk.user("reader").await;
    let mut theirs = terms();
    theirs["user_id"] = json!(reader);
    // Their cart has the same item and keeps it.
    let cart = json!({ "items": [{ "id": desk.bench.variant(PIPE_TOOL).await, "qty": 2 }] });
    desk.bench.shop.call("POST", "/api/cart/sync", &cookie, cart).await.assert_status(200);
    let number = desk.drafted(theirs.clone()).await;
    desk.bench.pay(&desk.click(&desk.link(&number).await).await).await.assert_status(200);
    let placed = "SELECT COUNT(*) FROM orders o JOIN users u ON u.id = o.user_id WHERE u.subject = $1";
    assert_eq!(desk.figure(placed, "reader").await, 1, "a guest has paid for the account's owner");
    let cart = desk.bench.shop.call("GET", "/api/cart", &cookie, Value::Null).await.json();
    assert_eq!(cart["items"][0]["qty"], 2);

    // If somebody else is signed in, the order belongs to that account.
    let payer = format!("{}; {}", desk.bench.shop.sign_in("payer", &["customer"]).await, desk.bench.shop.age_cookie());
    let number = desk.drafted(theirs.clone()).await;
    desk.bench.pay_as(&payer, &desk.click(&desk.link(&number).await).await).await.assert_status(200);
    assert_eq!((desk.figure(placed, "payer").await, desk.figure(placed, "reader").await), (1, 1));
    // Each has tried a card, and the last one was good.
    let link = desk.link(&desk.drafted(theirs.clone()).await).await;
    let mut declined = desk.click(&link).await;
    declined["source_id"] = json!("cnon:card-nonce-declined");
    desk.bench.pay_as(&payer, &declined).await.assert_problem(402, "declined");
    let owner = format!("{cookie}; {}", desk.bench.shop.age_cookie());
    desk.bench.pay_as(&owner, &desk.click(&link).await).await.assert_status(200);

    theirs["user_id"] = json!(Uuid::now_v7());
    theirs["expected_total"] = desk.drafts_total(&theirs).await;
    assert!(desk.make(&theirs).await.assert_problem(422, "invalid").text().contains("user_id"));
    // Deleting an account deletes its drafts.
    theirs["user_id"] = json!(reader);
    desk.drafted(theirs).await;
    let export = desk.bench.shop.call("GET", "/api/me/export", &cookie, Value::Null).await.assert_status(200).json();
    assert_eq!(export["draft_orders"].as_array().unwrap().len(), 4, "{export}");
    // The networks and cards of others are not theirs, though the orders are.
    let payments = export["orders"].as_array().unwrap().iter().map(|order| order["payments"].as_array().unwrap());
    let mut payments: Vec<Vec<bool>> =
        payments.map(|tries| tries.iter().map(|payment| payment["network"].is_string()).collect()).collect();
    payments.sort();
    assert_eq!(payments, [vec![false], vec![false, true]], "{export}");
    for payment in export["orders"].as_array().unwrap().iter().flat_map(|order| order["payments"].as_array().unwrap()) {
        let is_own = payment["network"].is_string();
        for field in ["card_brand", "card_last_4", "card_fingerprint"] {
            assert_eq!(payment.get(field).is_some(), is_own, "{field}: {payment}");
        }
        assert!(payment["amount"].is_i64() && payment["status"].is_string(), "{payment}");
    }
    let gone = desk.bench.shop.call("DELETE", "/api/me", &cookie, json!({ "confirm": "reader@shop.example" })).await;
    assert!(gone.status.is_success(), "{}", gone.text());
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM draft_orders").await, 0, "all were made for this account");
}

async fn the_checkout_of_a_draft_is_good_for_nothing_else(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.drafted(terms()).await;
    let body = desk.click(&desk.link(&number).await).await;
    // Other goods under the same checkout id, with either total.
    let mut other = desk.bench.order(BUTANE, 1).await;
    other["checkout_id"] = body["checkout_id"].clone();
    for total in [other["expected_total"].clone(), body["expected_total"].clone()] {
        other["expected_total"] = total;
        desk.bench.pay(&other).await.assert_problem(409, "cart_changed");
    }
    // The same goods at another price.
    let mut cheaper = body.clone();
    cheaper["items"][0]["price"] = json!(1);
    cheaper["expected_total"] = json!(2);
    desk.bench.pay(&cheaper).await.assert_problem(409, "total_changed");
    assert_eq!(desk.status_of(&number).await, "open");
    assert!(desk.bench.payments().is_empty());
    desk.bench.pay(&body).await.assert_status(200);
}

/// A draft order that is to be paid for in the store: the order's number.
async fn ordered_for_pickup(desk: &Desk) -> String {
    let link = desk.link(&desk.drafted(terms()).await).await;
    let mut body = desk.click(&link).await;
    (body["shipping_method"], body["payment_method"], body["source_id"]) =
        (json!("pickup"), json!("pickup"), json!(""));
    body["expected_total"] = desk.bench.quote(&body).await["total"].clone();
    desk.bench.pay(&body).await.assert_status(200).json()["number"].as_str().unwrap().to_owned()
}

async fn what_nobody_picks_up_is_told_to_staff(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = ordered_for_pickup(&desk).await;
    for days in [3, 4, 1] {
        desk.bench.shop.clock.advance(days * DAY_MS + 600_000);
        desk.bench.work().await;
    }
    assert_eq!(desk.text("SELECT status FROM orders WHERE number = $1", &number).await, "placed", "staff decide");
    let why = desk.text("SELECT COALESCE(attention, '') FROM orders WHERE number = $1", &number).await;
    assert!(why.starts_with("This order hasn’t been picked up"), "{why}");
}

/// Staff have canceled it.
async fn a_draft_goes_after_its_order_that_nobody_paid(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = ordered_for_pickup(&desk).await;
    let cancel = json!({ "restock": true, "by_shopper": true });
    desk.act(&desk.admin, &number, "cancellation", cancel).await.assert_status(204);
    desk.bench.work().await;
    desk.bench.shop.clock.advance(98 * DAY_MS);
    for (left, what) in [(1, "its order is deleted"), (0, "and it with the next cleaning")] {
        clean(&desk.bench.shop.app).await.unwrap();
        let drafts = desk.bench.count("SELECT COUNT(*) FROM draft_orders").await;
        assert_eq!((desk.bench.count("SELECT COUNT(*) FROM orders").await, drafts), (0, left), "{what}");
    }
}
