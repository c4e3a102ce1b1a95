//! Cancellations before shipping.

use serde_json::json;
use shop_domain::sales::order_links;
use uuid::Uuid;

use super::{Desk, chosen, parcel};
use crate::admin::overview::props;
use crate::checkout::bench::{BUTANE, PIPE_TOOL};
use crate::checkout::emails::{emails, open};
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_whole_order_is_canceled_and_its_money_let_go,
    what_was_canceled_is_said_to_be,
    an_order_for_nothing_counts_like_others_when_it_is_canceled,
    a_part_is_canceled_and_its_money_given_back,
    what_was_given_back_as_an_amount_can_still_be_canceled,
    a_piece_that_was_refunded_is_canceled_without_another_refund,
    a_refund_counts_for_what_had_been_sent_by_then,
    what_cannot_go_back_on_the_shelf_is_not_said_to,
    what_nobody_picked_up_is_canceled_as_such,
];

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

/// Staff decide about an order that they had a hand in, and the buyer reads why it was canceled.
async fn what_nobody_picked_up_is_canceled_as_such(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let desk = Desk::at(bench).await;
    let number = desk.to_pick_up(PIPE_TOOL).await;
    let id = desk.bench.id("SELECT id FROM orders").await;
    let link = json!({ "href": order_links::href(&desk.bench.shop.app.config, id) });
    let cancel = async |number: &str, not_picked_up: bool| {
        let body = json!({ "restock": true, "by_shopper": false, "not_picked_up": not_picked_up });
        desk.act(&desk.admin, number, "cancellation", body).await
    };
    let told = async |number: &str| {
        desk.bench.work().await;
        let to = desk.text("SELECT email FROM orders WHERE number = $1", number).await;
        let got = emails(&mailbox, &to).await;
        got.into_iter().find(|(subject, _)| subject.ends_with("was canceled")).expect("an email").1
    };
    cancel(&number, true).await.assert_problem(409, "not_ready");
    desk.act(&desk.staff, &number, "ready", json!({})).await.assert_status(204);
    assert_eq!(desk.bench.confirmation(&link).await["paid_with"], "In our store, when you pick it up");
    cancel(&number, true).await.assert_status(204);
    let canceled = told(&number).await;
    assert!(canceled.contains("because it wasn’t picked up."), "{canceled}");
    let page = desk.bench.confirmation(&link).await;
    assert_eq!(page["paid_with"], json!(null), "there is nothing to pay any more");
    assert!(page["timeline"].to_string().contains("it wasn’t picked up"), "{}", page["timeline"]);
    let refused = desk.to_pick_up(PIPE_TOOL).await;
    cancel(&refused, false).await.assert_status(204);
    let canceled = told(&refused).await;
    assert!(canceled.contains(&format!("We’ve canceled your order {refused}.")), "{canceled}");
    desk.bench.assert_stock_is_exact().await;
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
    assert!(canceled.contains("You weren’t charged."), "{canceled}");
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
        let tax =
            "SELECT CAST(SUM(r.tax) AS BIGINT) FROM refunds r JOIN orders o ON o.id = r.order_id WHERE o.number = $1";
        assert_eq!(desk.figure(tax, &number).await > 0, kept > 0, "with its tax");
        desk.act(&desk.staff, &number, "archive", json!({})).await.assert_status(204);
    }
    // The whole order, after a dollar.
    let number = desk.paid(&[(PIPE_TOOL, 1), (BUTANE, 1)]).await;
    let refund = json!({ "request_id": Uuid::now_v7(), "extra": 100, "reason": "Came late", "expected_amount": 100 });
    desk.act(&desk.admin, &number, "refunds", refund).await.assert_status(200);
    desk.settle().await;
    let whole = json!({ "restock": true, "by_shopper": true });
    desk.act(&desk.admin, &number, "cancellation", whole).await.assert_status(204);
    desk.settle().await;
    assert_eq!(desk.payment_status(&number).await, "refunded");
    let untaxed = "SELECT o.tax_total - CAST(SUM(r.tax) AS BIGINT) FROM refunds r JOIN orders o ON o.id = r.order_id
        WHERE o.number = $1 GROUP BY o.tax_total";
    assert_eq!(desk.figure(untaxed, &number).await, 0, "all of its tax");
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
    let refunded_unsent = async || {
        let page = props(&desk.bench.shop, &desk.staff, &format!("/admin/orders/{number}")).await;
        let lines = page["order"]["lines"].as_array().unwrap().clone();
        lines.into_iter().find(|line| line["id"] == json!(tool)).unwrap()["refunded_unsent"].clone()
    };
    let cancel = async |quantity: i64| {
        let part = json!({ "lines": chosen(&[(tool, quantity)]), "restock": true, "by_shopper": true });
        desk.act(&desk.admin, &number, "cancellation", part).await.assert_status(204);
        desk.settle().await;
    };
    assert_eq!(refunded_unsent().await, 1, "whoever packs is told");
    cancel(1).await;
    assert_eq!(desk.given_back(), 648, "it was paid back before");
    assert_eq!(refunded_unsent().await, 0);
    cancel(1).await;
    assert_eq!(refunded_unsent().await, 0);
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

async fn a_refund_counts_for_what_had_been_sent_by_then(shop: TestShop) {
    let mut desk = Desk::open(&shop).await;
    desk.bench.stock(PIPE_TOOL, 20).await;
    let cases: [(&[&str], i64); 5] = [
        (&["refunds", "shipment", "cancellation"], 648),
        (&["refunds", "cancellation", "shipment"], 648),
        // The one that was sent was damaged; another is paid back when it is canceled.
        (&["shipment", "refunds", "cancellation"], 1_296),
        (&["shipment", "refunds", "undo", "shipment", "cancellation"], 1_296),
        (&["shipment", "cancellation", "undo", "refunds", "shipment", "cancellation"], 1_296),
    ];
    for (acts, given) in cases {
        let number = desk.paid(&[(PIPE_TOOL, 3)]).await;
        let tool = desk.line(&number, PIPE_TOOL).await;
        let before = desk.given_back();
        for &act in acts {
            let one = chosen(&[(tool, 1)]);
            let (body, status) = match act {
                "undo" => (json!({}), 204),
                "shipment" => (parcel(&[(tool, 1)]), 204),
                "refunds" => (json!({ "request_id": Uuid::now_v7(), "lines": one, "expected_amount": 648 }), 200),
                _ => (json!({ "lines": one, "restock": true, "by_shopper": true }), 204),
            };
            let act = match act {
                "undo" => format!("fulfillments/{}/undo", desk.fulfillment(&number).await),
                act => act.to_owned(),
            };
            desk.act(&desk.admin, &number, &act, body).await.assert_status(status);
            desk.settle().await;
        }
        assert_eq!(desk.given_back() - before, given, "{acts:?}");
    }
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
