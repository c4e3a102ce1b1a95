//! Packages, handovers, and cancellations before shipping.

use serde_json::{Value, json};
use shop_domain::sales::order_links;
use uuid::Uuid;

use super::{Desk, chosen, parcel};
use crate::admin::overview::props;
use crate::checkout::bench::{BUTANE, PAPERS, PIPE_TOOL};
use crate::checkout::emails::{emails, open};
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    an_order_leaves_in_parcels,
    an_order_is_found_by_its_number_and_its_parcels,
    nothing_leaves_without_what_its_goods_call_for,
    what_todays_rules_forbid_leaves_only_as_an_exception,
    a_signature_that_a_new_rule_requires_is_asked_for,
    what_todays_rules_forbid_is_not_handed_over,
    what_somebody_else_changed_is_not_overwritten,
    two_parcels_at_once_hold_no_more_than_there_is,
    a_whole_order_is_canceled_and_its_money_let_go,
    what_was_canceled_is_said_to_be,
    an_order_for_nothing_counts_like_others_when_it_is_canceled,
    a_part_is_canceled_and_its_money_given_back,
    what_was_given_back_as_an_amount_can_still_be_canceled,
    a_piece_that_was_refunded_is_canceled_without_another_refund,
    what_cannot_go_back_on_the_shelf_is_not_said_to,
    goods_are_handed_over_to_adults_who_paid,
];

async fn an_order_leaves_in_parcels(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 3), (BUTANE, 1)]).await;
    let (tool, butane) = (desk.line(&number, PIPE_TOOL).await, desk.line(&number, BUTANE).await);
    let ship = async |lines: &[(Uuid, i64)]| desk.act(&desk.staff, &number, "shipment", parcel(lines)).await;
    for (wrong, says) in [
        (vec![], "Choose at least one item."),
        (vec![(tool, 4)], "That’s more than the order has."),
        (vec![(tool, -1)], "That’s more than the order has."),
        (vec![(Uuid::nil(), 1)], "This order has no such item."),
    ] {
        let problem = ship(&wrong).await.assert_problem(422, "invalid").json();
        assert_eq!(problem["errors"]["lines"][0], says);
    }
    ship(&[(tool, 2)]).await.assert_status(204);
    assert_eq!(desk.fulfillment_status(&number).await, "partially_fulfilled");
    ship(&[(tool, 2)]).await.assert_problem(422, "invalid");
    ship(&[(tool, 1), (butane, 1)]).await.assert_status(204);
    assert_eq!(desk.fulfillment_status(&number).await, "fulfilled");
    ship(&[(tool, 1)]).await.assert_problem(409, "nothing_open");

    let parcels = "SELECT COUNT(*) FROM fulfillments f JOIN orders o ON o.id = f.order_id WHERE o.number = $1";
    assert_eq!(desk.figure(parcels, &number).await, 2);
    for (left, status) in [(1, "fulfilled"), (0, "delivered")] {
        let id: Uuid = {
            let mut reader = desk.bench.shop.app.db.read().await.unwrap();
            let mut conn = reader.conn();
            shop_base::sql!(&mut conn, c => sqlx::query_scalar("SELECT id FROM fulfillments WHERE delivered_at IS NULL LIMIT 1")
                .fetch_one(c).await)
            .unwrap()
        };
        let act = format!("fulfillments/{id}/delivery");
        desk.act(&desk.staff, &number, &act, json!({})).await.assert_status(204);
        assert_eq!(desk.fulfillment_status(&number).await, status, "{left} on its way");
        desk.act(&desk.staff, &number, &act, json!({})).await.assert_problem(409, "not_on_its_way");
    }
    assert_eq!((desk.audited("order.ship").await, desk.audited("order.deliver").await), (2, 2));
    desk.assert_log_is_sound().await;
}

async fn an_order_is_found_by_its_number_and_its_parcels(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let mut numbers = Vec::new();
    for tracking in ["1Z 999 AA1", "9400111"] {
        let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
        let mut body = parcel(&[(desk.line(&number, PIPE_TOOL).await, 1)]);
        body["tracking_number"] = json!(tracking);
        desk.act(&desk.staff, &number, "shipment", body).await.assert_status(204);
        numbers.push(number);
    }
    let list = async |typed: &str| {
        let path = format!("/admin/orders/_payload.json?q={typed}");
        let page = desk.bench.shop.call("GET", &path, &desk.staff, Value::Null).await;
        page.assert_status(200).json()["props"]["orders"].clone()
    };
    let plain = numbers[0].replace('-', "").to_lowercase();
    for (typed, number) in [
        (plain.as_str(), &numbers[0]),
        (numbers[1].as_str(), &numbers[1]),
        ("1Z%20999%20AA1", &numbers[0]),
        ("9400%20111", &numbers[1]),
    ] {
        let listed = list(typed).await;
        let listed: Vec<_> = listed.as_array().unwrap().iter().map(|order| order["number"].clone()).collect();
        assert_eq!(listed, [json!(number)], "{typed}");
        let found =
            desk.bench.shop.call("GET", &format!("/api/admin/search?q={typed}"), &desk.staff, Value::Null).await;
        assert_eq!(found.json()["orders"][0]["label"], json!(number), "{typed}");
    }
    assert_eq!(list("9400112").await, json!([]));
}

async fn nothing_leaves_without_what_its_goods_call_for(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.placed(&[(BUTANE, 1)], |_| {}).await;
    let line = desk.line(&number, BUTANE).await;
    let whole = parcel(&[(line, 1)]);
    desk.act(&desk.staff, &number, "shipment", whole.clone()).await.assert_problem(409, "not_paid");
    desk.bench.work().await;
    for field in ["adult_signature", "label"] {
        let mut missing = whole.clone();
        missing[field] = json!(false);
        let problem = desk.act(&desk.staff, &number, "shipment", missing).await.assert_problem(422, "invalid").json();
        assert!(problem["errors"].get(field).is_some(), "{problem}");
    }
    for url in ["https://ups.example/\n1".to_owned(), format!("https://ups.example/{}", "1".repeat(500))] {
        let mut odd = whole.clone();
        odd["tracking_url"] = json!(url);
        let problem = desk.act(&desk.staff, &number, "shipment", odd).await.assert_problem(422, "invalid").json();
        assert!(problem["errors"].get("tracking_url").is_some(), "{problem}");
    }
    // All errors are reported at once.
    let nothing = json!({ "lines": [], "carrier": "", "tracking_number": "", "tracking_url": "ups" });
    let problem = desk.act(&desk.staff, &number, "shipment", nothing).await.assert_problem(422, "invalid").json();
    for field in ["lines", "carrier", "tracking_number", "tracking_url", "adult_signature", "label"] {
        assert!(problem["errors"].get(field).is_some(), "{field}: {problem}");
    }
    desk.act(&desk.staff, &number, "handover", json!({ "id_checked": true }))
        .await
        .assert_problem(409, "not_to_hand_over");
    desk.act(&desk.staff, &number, "shipment", whole).await.assert_status(204);
    // A package without fuel needs no hazmat label.
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let mut plain = parcel(&[(desk.line(&number, PIPE_TOOL).await, 1)]);
    plain["label"] = json!(false);
    desk.act(&desk.staff, &number, "shipment", plain).await.assert_status(204);
}

async fn what_todays_rules_forbid_leaves_only_as_an_exception(shop: TestShop) {
    let mut desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1), (BUTANE, 1)]).await;
    let (tool, butane) = (desk.line(&number, PIPE_TOOL).await, desk.line(&number, BUTANE).await);
    desk.bench
        .execute(
            "UPDATE compliance_rules SET may_ship = FALSE, adult_signature = TRUE, reason = 'No fuel goes to Ohio.' WHERE class = 'lighter_fluid_hazmat'",
        )
        .await;
    let body = parcel(&[(tool, 1), (butane, 1)]);
    let problem = desk.act(&desk.staff, &number, "shipment", body).await.assert_problem(409, "rules_forbid").json();
    let detail = problem["detail"].as_str().unwrap().to_owned();
    let title = desk.text("SELECT title FROM order_lines WHERE sku = $1", BUTANE).await;
    for part in [title.as_str(), "No fuel goes to Ohio.", "Cancel and refund"] {
        assert!(detail.contains(part), "{part} is not in {detail}");
    }
    // What the rules allow leaves as before.
    desk.act(&desk.staff, &number, "shipment", parcel(&[(tool, 1)])).await.assert_status(204);
    // Only who may edit the rules, and has signed in recently, confirms an exception.
    let mut body = parcel(&[(butane, 1)]);
    body["adult_signature"] = json!(false);
    // Not what was read: nothing.
    body["confirm_rules"] = json!("Today’s rules don’t let these items leave.");
    desk.act(&desk.admin, &number, "shipment", body.clone()).await.assert_problem(409, "rules_forbid");
    body["confirm_rules"] = json!(detail);
    desk.act(&desk.staff, &number, "shipment", body.clone()).await.assert_problem(403, "forbidden");
    desk.bench.shop.clock.advance(16 * 60 * 1000);
    desk.act(&desk.admin, &number, "shipment", body.clone()).await.assert_problem(403, "stale_sign_in");
    desk.sign_in().await;
    // The rule that forbids it also says how it would have to travel.
    desk.act(&desk.admin, &number, "shipment", body.clone()).await.assert_problem(422, "invalid");
    body["adult_signature"] = json!(true);
    desk.act(&desk.admin, &number, "shipment", body).await.assert_status(204);
    assert_eq!(desk.fulfillment_status(&number).await, "fulfilled");
    let told = "SELECT h.data FROM order_history h JOIN orders o ON o.id = h.order_id
        WHERE o.number = $1 AND h.kind = 'rules_confirmed' AND h.actor LIKE 'staff %' AND h.is_public = FALSE";
    assert!(desk.text(told, &number).await.contains("No fuel goes to Ohio."));
    let logged =
        desk.text("SELECT after FROM audit_entries WHERE action = $1 ORDER BY seq DESC LIMIT 1", "order.ship").await;
    assert!(logged.contains("\"confirmed_rules\"") && logged.contains("No fuel goes to Ohio."), "{logged}");
    let page = props(&desk.bench.shop, &desk.admin, &format!("/admin/orders/{number}")).await;
    assert!(page["order"]["timeline"].to_string().contains("No fuel goes to Ohio."), "{}", page["order"]["timeline"]);
    desk.assert_log_is_sound().await;
}

async fn a_signature_that_a_new_rule_requires_is_asked_for(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    const WITHOUT: &str = "UPDATE compliance_rules SET adult_signature = FALSE WHERE class = 'smoking_accessory'";
    const WITH: &str = "UPDATE compliance_rules SET adult_signature = TRUE WHERE class = 'smoking_accessory'";
    desk.bench.execute(WITHOUT).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let shown =
        async || props(&desk.bench.shop, &desk.staff, &format!("/admin/orders/{number}")).await["order"].clone();
    assert_eq!(shown().await["adult_signature"], false);
    desk.bench.execute(WITH).await;
    assert_eq!(shown().await["adult_signature"], true, "the dialog asks for it");
    let mut body = parcel(&[(desk.line(&number, PIPE_TOOL).await, 1)]);
    body["adult_signature"] = json!(false);
    let problem = desk.act(&desk.staff, &number, "shipment", body.clone()).await.assert_problem(422, "invalid").json();
    assert!(problem["errors"].get("adult_signature").is_some(), "{problem}");
    body["adult_signature"] = json!(true);
    desk.act(&desk.staff, &number, "shipment", body).await.assert_status(204);
    let signed = "SELECT COUNT(*) FROM fulfillments f JOIN orders o ON o.id = f.order_id
        WHERE o.number = $1 AND f.adult_signature = TRUE";
    assert_eq!(desk.figure(signed, &number).await, 1);
}

async fn what_todays_rules_forbid_is_not_handed_over(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.to_pick_up(PAPERS).await;
    let cash = json!({ "tender": "cash", "id_checked": true });
    desk.act(&desk.staff, &number, "payment", cash).await.assert_status(204);
    // It no longer goes to any address, which does not matter here.
    desk.bench.execute("UPDATE compliance_rules SET may_pick_up = FALSE, may_ship = FALSE, reason = 'Recalled.'").await;
    // Nobody is asked to come for it, and staff see why before anything is paid.
    desk.act(&desk.admin, &number, "ready", json!({})).await.assert_problem(409, "rules_forbid");
    let mut body = json!({ "id_checked": true });
    let refused = desk.act(&desk.admin, &number, "handover", body.clone()).await;
    let problem = refused.assert_problem(409, "rules_forbid").json();
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("Recalled."));
    let page = props(&desk.bench.shop, &desk.staff, &format!("/admin/orders/{number}")).await;
    assert_eq!(page["order"]["forbidden"], detail);
    body["confirm_rules"] = json!(detail);
    desk.act(&desk.staff, &number, "handover", body.clone()).await.assert_problem(403, "forbidden");
    assert_eq!(desk.fulfillment_status(&number).await, "unfulfilled");
    desk.act(&desk.admin, &number, "handover", body).await.assert_status(204);
    assert_eq!(desk.fulfillment_status(&number).await, "fulfilled");
    let confirmed = "SELECT COUNT(*) FROM order_history h JOIN orders o ON o.id = h.order_id
        WHERE o.number = $1 AND h.kind = 'rules_confirmed'";
    assert_eq!(desk.figure(confirmed, &number).await, 1);
    desk.assert_log_is_sound().await;
}

async fn what_somebody_else_changed_is_not_overwritten(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 2)]).await;
    let line = desk.line(&number, PIPE_TOOL).await;
    let seen = desk.version(&number).await;
    desk.act(&desk.staff, &number, "shipment", parcel(&[(line, 1)])).await.assert_status(204);
    let call = async |act: &str, mut body: serde_json::Value| {
        body["version"] = json!(seen);
        let method = if act == "address" { "PUT" } else { "POST" };
        desk.call(&desk.admin, method, &format!("{number}/{act}"), body).await
    };
    let address = json!({
        "first_name": "Ada", "last_name": "Reed", "line1": "14 High Street", "city": "Columbus", "state": "OH",
        "postal_code": "43215",
    });
    let refund = json!({ "request_id": Uuid::now_v7(), "lines": chosen(&[(line, 1)]), "expected_amount": 648 });
    for (act, body) in [
        ("shipment", parcel(&[(line, 1)])),
        ("cancellation", json!({ "restock": true, "by_shopper": true })),
        ("address", json!({ "address": address })),
        ("refunds", refund),
        ("returns", json!({ "lines": chosen(&[(line, 1)]), "reason": "Too small" })),
        ("archive", json!({})),
        ("attention", json!({ "note": "Done" })),
    ] {
        call(act, body).await.assert_problem(409, "changed_meanwhile");
    }
    // Nothing was changed, and none of it is in the audit log.
    assert_eq!(desk.version(&number).await, seen + 1);
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM audit_entries").await, 1);
    desk.bench.work().await;
    assert_eq!(desk.given_back(), 0);
}

async fn two_parcels_at_once_hold_no_more_than_there_is(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let body = parcel(&[(desk.line(&number, PIPE_TOOL).await, 1)]);
    let ship = || desk.act(&desk.staff, &number, "shipment", body.clone());
    let (first, second) = tokio::join!(ship(), ship());
    let mut statuses = [first.status.as_u16(), second.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 409]);
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM fulfillments").await, 1);
    assert_eq!(desk.audited("order.ship").await, 1);
}

async fn a_whole_order_is_canceled_and_its_money_let_go(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let before = desk.on_hand(PIPE_TOOL).await;
    let cancel = async |number: &str, restock: bool| {
        let body = json!({ "restock": restock, "by_shopper": true });
        desk.act(&desk.staff, number, "cancellation", body.clone()).await.assert_problem(403, "forbidden");
        desk.act(&desk.admin, number, "cancellation", body.clone()).await.assert_status(204);
        desk.settle().await;
        desk.act(&desk.admin, number, "cancellation", body).await.assert_problem(409, "not_placed");
    };
    // While the payment is only authorized.
    let held = desk.placed(&[(PIPE_TOOL, 1)], |_| {}).await;
    cancel(&held, true).await;
    assert_eq!(desk.payment_status(&held).await, "voided");
    // After the payment was captured.
    let taken = desk.paid(&[(PIPE_TOOL, 2)]).await;
    cancel(&taken, true).await;
    assert_eq!(desk.payment_status(&taken).await, "refunded");
    assert_eq!(desk.on_hand(PIPE_TOOL).await, before);
    desk.bench.assert_books_balance().await;
    // Lost goods are not restocked.
    let lost = desk.paid(&[(PIPE_TOOL, 1)]).await;
    cancel(&lost, false).await;
    assert_eq!(desk.payment_status(&lost).await, "refunded");
    assert_eq!(desk.on_hand(PIPE_TOOL).await, before - 1);
    desk.bench.assert_stock_is_exact().await;
    assert_eq!((desk.audited("order.cancel").await, desk.audited("order.refund").await), (3, 2));
    // Goods, shipping and taxes are what they were.
    for number in [&taken, &lost] {
        let parts = "SELECT o.total - r.shipping - r.extra - CAST(SUM(l.amount) AS BIGINT) FROM refunds r
            JOIN orders o ON o.id = r.order_id JOIN refund_lines l ON l.refund_id = r.id
            WHERE o.number = $1 AND r.extra = 0 AND r.tax = o.tax_total GROUP BY o.total, r.shipping, r.extra";
        assert_eq!(desk.figure(parts, number).await, 0);
    }
    desk.assert_log_is_sound().await;
}

/// Nobody who packs a canceled order is told that it is of another kind.
async fn what_was_canceled_is_said_to_be(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let (sent, picked_up) = (desk.paid(&[(PIPE_TOOL, 1)]).await, desk.to_pick_up(PIPE_TOOL).await);
    let line = desk.line(&sent, PIPE_TOOL).await;
    for number in [&sent, &picked_up] {
        let whole = json!({ "restock": true, "by_shopper": true });
        desk.act(&desk.admin, number, "cancellation", whole).await.assert_status(204);
    }
    let address = json!({
        "first_name": "Ada", "last_name": "Reed", "line1": "80 Broad Street", "city": "Columbus", "state": "OH",
        "postal_code": "43215",
    });
    for (number, act, body) in [
        (&sent, "shipment", parcel(&[(line, 1)])),
        (&sent, "address", json!({ "address": address })),
        (&picked_up, "handover", json!({ "id_checked": true })),
    ] {
        let problem = desk.act(&desk.staff, number, act, body).await.assert_problem(409, "not_placed").json();
        assert_eq!(problem["detail"], "This order is canceled or archived.", "{act}");
    }
    let page = desk.bench.shop.call("GET", &format!("/admin/orders/{sent}"), &desk.staff, json!(null)).await;
    assert!(page.text().contains("Invoice") && !page.text().contains("Packing slip"), "there is nothing to pack");
}

async fn an_order_for_nothing_counts_like_others_when_it_is_canceled(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    bench.execute("UPDATE promo_codes SET value = 10000 WHERE code = 'WELCOME10'").await;
    let mut body = bench.pickup(PIPE_TOOL, 2).await;
    (body["promo_code"], body["expected_total"]) = (json!("WELCOME10"), json!(0));
    body["payment_method"] = json!("square");
    let free = bench.pay_known(&body).await.assert_status(200).json()["number"].as_str().unwrap().to_owned();
    let desk = Desk::at(bench).await;
    let paid = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let sold = async || {
        let now = props(&desk.bench.shop, &desk.admin, "/admin/overview").await["now"].clone();
        (now["orders"].as_i64().unwrap(), now["units"].as_i64().unwrap())
    };
    assert_eq!(sold().await, (2, 3));
    for number in [&free, &paid] {
        let whole = json!({ "restock": true, "by_shopper": true });
        desk.act(&desk.admin, number, "cancellation", whole).await.assert_status(204);
    }
    desk.settle().await;
    assert_eq!(sold().await, (2, 3), "what was ordered, before refunds");
    assert_eq!(
        (desk.payment_status(&free).await, desk.payment_status(&paid).await),
        ("paid".into(), "refunded".into())
    );
    let got = emails(&mailbox, body["email"].as_str().unwrap()).await;
    let (_, canceled) = got.iter().find(|(subject, _)| subject.ends_with("was canceled")).expect("an email");
    assert!(canceled.contains("You haven’t been charged."), "{canceled}");
    desk.bench.assert_stock_is_exact().await;
}

async fn a_part_is_canceled_and_its_money_given_back(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let before = desk.on_hand(PIPE_TOOL).await;
    let number = desk.placed(&[(PIPE_TOOL, 3), (BUTANE, 1)], |_| {}).await;
    let (tool, butane) = (desk.line(&number, PIPE_TOOL).await, desk.line(&number, BUTANE).await);
    let cancel = async |lines: &[(Uuid, i64)]| {
        let body = json!({ "lines": chosen(lines), "restock": true, "by_shopper": false });
        desk.act(&desk.admin, &number, "cancellation", body).await
    };
    cancel(&[(tool, 1)]).await.assert_problem(409, "not_paid");
    desk.bench.work().await;
    cancel(&[(tool, 4)]).await.assert_problem(422, "invalid");
    cancel(&[(tool, 0), (butane, 0)]).await.assert_problem(422, "invalid");
    desk.act(&desk.staff, &number, "shipment", parcel(&[(tool, 1)])).await.assert_status(204);
    cancel(&[(tool, 3)]).await.assert_problem(422, "invalid");
    cancel(&[(tool, 2)]).await.assert_status(204);
    desk.settle().await;
    // 3 × $6.00 plus 8%: two of three are $12.96.
    assert_eq!(desk.given_back(), 1_296);
    assert_eq!(desk.payment_status(&number).await, "partially_refunded");
    assert_eq!(desk.on_hand(PIPE_TOOL).await, before - 1);
    assert_eq!(desk.fulfillment_status(&number).await, "partially_fulfilled");
    // The remaining items can still be shipped; after that nothing can be canceled.
    desk.act(&desk.staff, &number, "shipment", parcel(&[(butane, 1), (tool, 1)])).await.assert_problem(422, "invalid");
    desk.act(&desk.staff, &number, "shipment", parcel(&[(butane, 1)])).await.assert_status(204);
    assert_eq!(desk.fulfillment_status(&number).await, "fulfilled");
    // The buyer sees which ones did not leave.
    let href = order_links::href(&desk.bench.shop.app.config, desk.bench.id("SELECT id FROM orders").await);
    let order = desk.bench.confirmation(&json!({ "href": href })).await;
    for (sku, canceled) in [(PIPE_TOOL, 2), (BUTANE, 0)] {
        let line = order["lines"].as_array().unwrap().iter().find(|line| line["sku"] == sku).unwrap();
        assert_eq!(line["canceled"], canceled, "{line}");
    }
    cancel(&[]).await.assert_problem(409, "left_already");
    desk.bench.assert_stock_is_exact().await;
}

async fn what_was_given_back_as_an_amount_can_still_be_canceled(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let there = desk.on_hand(BUTANE).await;
    // All of it, or all but a dollar.
    for kept in [0, 100] {
        let number = desk.paid(&[(PIPE_TOOL, 1), (BUTANE, 1)]).await;
        let total = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await;
        let tool = desk.line(&number, PIPE_TOOL).await;
        desk.act(&desk.staff, &number, "shipment", parcel(&[(tool, 1)])).await.assert_status(204);
        let before = desk.given_back();
        let amount = total - kept;
        let refund = json!({
            "request_id": Uuid::now_v7(), "extra": amount, "reason": "Came late", "expected_amount": amount,
        });
        desk.act(&desk.admin, &number, "refunds", refund).await.assert_status(200);
        desk.settle().await;
        let rest = json!({ "restock": true, "by_shopper": true });
        desk.act(&desk.admin, &number, "cancellation", rest).await.assert_status(204);
        desk.settle().await;
        assert_eq!(desk.given_back() - before, total, "what was left, and no more");
        assert_eq!(desk.fulfillment_status(&number).await, "fulfilled");
        assert_eq!(desk.payment_status(&number).await, "refunded");
        desk.act(&desk.staff, &number, "archive", json!({})).await.assert_status(204);
    }
    assert_eq!(desk.on_hand(BUTANE).await, there);
    desk.bench.assert_stock_is_exact().await;
    desk.assert_log_is_sound().await;
}

async fn a_piece_that_was_refunded_is_canceled_without_another_refund(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 3), (BUTANE, 1)]).await;
    let tool = desk.line(&number, PIPE_TOOL).await;
    let refund = json!({ "request_id": Uuid::now_v7(), "lines": chosen(&[(tool, 1)]), "expected_amount": 648 });
    desk.act(&desk.admin, &number, "refunds", refund).await.assert_status(200);
    desk.settle().await;
    let cancel = async |quantity: i64| {
        let part = json!({ "lines": chosen(&[(tool, quantity)]), "restock": true, "by_shopper": true });
        desk.act(&desk.admin, &number, "cancellation", part).await.assert_status(204);
        desk.settle().await;
    };
    cancel(1).await;
    assert_eq!(desk.given_back(), 648, "it was paid back before");
    cancel(1).await;
    let pieces = "SELECT CAST(SUM(l.quantity) AS BIGINT) FROM refund_lines l JOIN refunds r ON r.id = l.refund_id
        JOIN orders o ON o.id = r.order_id WHERE o.number = $1";
    assert_eq!(
        desk.figure(pieces, &number).await,
        2,
        "the second piece is paid back when it is canceled, and the third is sent"
    );
    desk.act(&desk.staff, &number, "shipment", parcel(&[(tool, 1)])).await.assert_status(204);
    desk.bench.assert_stock_is_exact().await;
}

async fn what_cannot_go_back_on_the_shelf_is_not_said_to(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1), (BUTANE, 1)]).await;
    let there = desk.on_hand(BUTANE).await;
    let cancel = async |restock: bool| {
        let whole = json!({ "restock": restock, "by_shopper": true });
        desk.act(&desk.admin, &number, "cancellation", whole).await
    };
    desk.bench
        .execute(
            "DELETE FROM stock_reservations WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')",
        )
        .await;
    cancel(true).await.assert_problem(409, "not_sold");
    desk.bench.execute("UPDATE order_lines SET variant_id = NULL WHERE sku = 'TWT-SIN'").await;
    let problem = cancel(true).await.assert_problem(422, "invalid").json();
    assert!(problem["errors"]["lines"][0].as_str().unwrap().contains("no longer exists"), "{problem}");
    assert_eq!((desk.audited("order.cancel").await, desk.on_hand(BUTANE).await), (0, there));
    cancel(false).await.assert_status(204);
    assert_eq!(desk.text("SELECT status FROM orders WHERE number = $1", &number).await, "canceled");
}

async fn goods_are_handed_over_to_adults_who_paid(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.to_pick_up(PAPERS).await;
    let act = async |act: &str, body| desk.act(&desk.staff, &number, act, body).await;
    act("handover", json!({ "id_checked": true })).await.assert_problem(409, "not_paid");
    let problem = act("payment", json!({ "tender": "cash" })).await.assert_problem(422, "invalid").json();
    assert!(problem["errors"]["id_checked"][0].as_str().unwrap().contains("21"));
    act("payment", json!({ "tender": "cash", "id_checked": true })).await.assert_status(204);
    act("payment", json!({ "tender": "cash", "id_checked": true })).await.assert_problem(409, "nothing_due");
    assert_eq!(desk.payment_status(&number).await, "paid");
    act("shipment", parcel(&[])).await.assert_problem(409, "not_to_ship");
    act("handover", json!({})).await.assert_problem(422, "invalid");
    act("handover", json!({ "id_checked": true })).await.assert_status(204);
    assert_eq!(desk.fulfillment_status(&number).await, "fulfilled");
    act("handover", json!({ "id_checked": true })).await.assert_problem(409, "nothing_open");

    // Cash is refunded over the counter, too.
    let total = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await;
    let mut refund = json!({
        "request_id": Uuid::now_v7(), "lines": chosen(&[(desk.line(&number, PAPERS).await, 1)]), "expected_amount": total,
    });
    desk.act(&desk.admin, &number, "refunds", refund.clone()).await.assert_problem(422, "invalid");
    refund["given_as"] = json!("cash");
    desk.act(&desk.admin, &number, "refunds", refund).await.assert_status(200);
    assert_eq!(desk.payment_status(&number).await, "refunded", "at once");
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM jobs WHERE name = 'refund'").await, 0);
    assert_eq!((desk.audited("order.take_payment").await, desk.audited("order.hand_over").await), (1, 1));
}
