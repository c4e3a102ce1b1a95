//! Returns, step by step.

use std::collections::HashSet;

use serde_json::{Value, json};
use uuid::Uuid;

use super::{Desk, chosen, parcel};
use crate::checkout::bench::{BUTANE, PIPE_TOOL};
use crate::checkout::emails::{emails, open};
use crate::support::{Answer, Test, TestShop, statements};
use crate::tests;

pub const TESTS: &[Test] = tests![
    goods_come_back,
    variants_that_come_back_are_told_apart,
    steps_are_taken_in_order,
    what_is_here_already_is_received_without_an_email,
    fuel_is_not_mailed_back,
    a_note_on_an_approval_has_its_limits,
    what_never_came_can_be_announced_again,
    what_came_back_can_be_closed_without_a_refund,
    an_order_with_an_open_return_is_not_put_away,
    the_page_of_an_order_reads_each_record_once,
];

impl Desk {
    async fn shipped(&self) -> (String, Uuid, Uuid) {
        let number = self.paid(&[(PIPE_TOOL, 3), (BUTANE, 1)]).await;
        let (tool, butane) = (self.line(&number, PIPE_TOOL).await, self.line(&number, BUTANE).await);
        let all = parcel(&[(tool, 3), (butane, 1)]);
        self.act(&self.staff, &number, "shipment", all).await.assert_status(204);
        (number, tool, butane)
    }

    async fn announce(&self, number: &str, lines: &[(Uuid, i64)]) -> Answer {
        let body = json!({ "lines": chosen(lines), "reason": "It does not fit" });
        self.act(&self.staff, number, "returns", body).await
    }

    async fn step(&self, number: &str, id: &Value, step: &str, body: Value) -> Answer {
        let act = format!("returns/{}/{step}", id.as_str().unwrap());
        self.act(&self.admin, number, &act, body).await
    }
}

fn came(line: Uuid, restocked: i64, written_off: i64) -> Value {
    json!({ "line_id": line, "restocked": restocked, "written_off": written_off })
}

async fn goods_come_back(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 3)]).await;
    let line = desk.line(&number, PIPE_TOOL).await;
    desk.announce(&number, &[(line, 1)]).await.assert_problem(422, "invalid");
    desk.act(&desk.staff, &number, "shipment", parcel(&[(line, 3)])).await.assert_status(204);
    let there = desk.on_hand(PIPE_TOOL).await;
    desk.announce(&number, &[(line, 4)]).await.assert_problem(422, "invalid");
    let id = desk.announce(&number, &[(line, 3)]).await.assert_status(200).json()["id"].clone();
    desk.announce(&number, &[(line, 1)]).await.assert_problem(422, "invalid");
    desk.step(&number, &id, "approval", json!({})).await.assert_status(204);
    // One resalable, one damaged, one that never arrived.
    desk.step(&number, &id, "receipt", json!({ "lines": [came(line, 1, 1)] })).await.assert_status(204);
    assert_eq!(desk.on_hand(PIPE_TOOL).await, there + 1);
    let moved = "SELECT COUNT(*) FROM stock_movements m JOIN orders o ON o.id = m.order_id
        WHERE o.number = $1 AND m.kind = 'return' AND m.quantity = 1";
    assert_eq!(desk.figure(moved, &number).await, 1);
    // Only items that arrived are refunded.
    let refund = |quantity: i64, expected: i64| {
        json!({
            "request_id": Uuid::now_v7(), "lines": chosen(&[(line, quantity)]), "expected_amount": expected,
        })
    };
    desk.step(&number, &id, "refund", refund(3, 1_944)).await.assert_problem(422, "invalid");
    let body = refund(2, 1_296);
    let first = desk.step(&number, &id, "refund", body.clone()).await.assert_status(200).json();
    let again = desk.step(&number, &id, "refund", body).await.assert_status(200).json();
    assert_eq!(first, again, "one click");
    desk.step(&number, &id, "refund", refund(1, 648)).await.assert_problem(409, "not_now");
    desk.settle().await;
    assert_eq!((desk.given_back(), desk.payment_status(&number).await.as_str()), (1_296, "partially_refunded"));
    desk.bench.assert_stock_is_exact().await;
    for action in ["return.request", "return.approve", "return.receive", "return.refund", "order.refund"] {
        assert_eq!(desk.audited(action).await, 1, "{action}");
    }
    desk.assert_log_is_sound().await;
}

async fn variants_that_come_back_are_told_apart(shop: TestShop) {
    const BLACK: &str = "APL-BLA";
    const BRASS: &str = "APL-BRA";
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(BLACK, 1), (BRASS, 1)]).await;
    let both = [(desk.line(&number, BLACK).await, 1), (desk.line(&number, BRASS).await, 1)];
    desk.act(&desk.staff, &number, "shipment", parcel(&both)).await.assert_status(204);
    desk.announce(&number, &both).await.assert_status(200);
    let page = desk.bench.shop.call("GET", &format!("/admin/orders/{number}"), &desk.staff, Value::Null).await;
    let lines = page.envelope()["props"]["order"]["returns"][0]["lines"].clone();
    let mut titles: Vec<&str> = lines.as_array().unwrap().iter().map(|line| line["title"].as_str().unwrap()).collect();
    titles.sort_unstable();
    assert_eq!(titles, ["Angled Pipe Lighter, Black", "Angled Pipe Lighter, Brass"]);
}

async fn steps_are_taken_in_order(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let (number, tool, butane) = desk.shipped().await;
    let id = desk.announce(&number, &[(tool, 1)]).await.assert_status(200).json()["id"].clone();
    let receipt = json!({ "lines": [came(tool, 1, 0)] });
    desk.step(&number, &id, "closure", json!({ "note": "Too early" })).await.assert_problem(409, "not_now");
    desk.step(&number, &id, "rejection", json!({})).await.assert_problem(422, "invalid");
    desk.step(&number, &json!(Uuid::nil()), "approval", json!({})).await.assert_problem(404, "not_found");
    desk.step(&number, &id, "approval", json!({})).await.assert_status(204);
    desk.step(&number, &id, "approval", json!({})).await.assert_problem(409, "not_now");
    for lines in [
        json!([]),
        json!([came(tool, 0, 0)]),
        json!([came(tool, 2, 0)]),
        json!([came(tool, 2, -1)]),
        json!([came(butane, 1, 0)]),
        json!([came(tool, 1, 0), came(tool, 1, 0)]),
    ] {
        desk.step(&number, &id, "receipt", json!({ "lines": lines })).await.assert_problem(422, "invalid");
    }
    let before = desk.on_hand(PIPE_TOOL).await;
    desk.step(&number, &id, "receipt", receipt.clone()).await.assert_status(204);
    desk.step(&number, &id, "receipt", receipt).await.assert_problem(409, "not_now");
    desk.step(&number, &id, "rejection", json!({ "note": "Too late" })).await.assert_problem(409, "not_now");
    assert_eq!(desk.on_hand(PIPE_TOOL).await, before + 1);
    // Returned items are restocked only once: canceling has nothing left to restock.
    desk.act(&desk.admin, &number, "cancellation", json!({ "restock": true, "by_shopper": true }))
        .await
        .assert_problem(409, "left_already");
    desk.bench.assert_stock_is_exact().await;
}

/// Such as a package that nobody was there to sign for.
async fn what_is_here_already_is_received_without_an_email(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let desk = Desk::at(bench).await;
    let (number, _, butane) = desk.shipped().await;
    desk.bench.work().await;
    let buyer = desk.text("SELECT email FROM orders WHERE number = $1", &number).await;
    let before = emails(&mailbox, &buyer).await.len();
    let id = desk.announce(&number, &[(butane, 1)]).await.assert_status(200).json()["id"].clone();
    let receipt = json!({ "lines": [came(butane, 1, 0)] });
    desk.step(&number, &id, "receipt", receipt).await.assert_status(204);
    desk.step(&number, &id, "approval", json!({})).await.assert_problem(409, "not_now");
    desk.bench.work().await;
    assert_eq!(emails(&mailbox, &buyer).await.len(), before);
    desk.bench.assert_stock_is_exact().await;
}

async fn fuel_is_not_mailed_back(shop: TestShop) {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let (bench, mailbox) = open(&shop).await;
    let mut desk = Desk::at(bench).await;
    let number = desk.paid(&[(PIPE_TOOL, 2), (BUTANE, 2)]).await;
    let (tool, butane) = (desk.line(&number, PIPE_TOOL).await, desk.line(&number, BUTANE).await);
    let all = parcel(&[(tool, 2), (butane, 2)]);
    desk.act(&desk.staff, &number, "shipment", all).await.assert_status(204);
    let buyer = desk.text("SELECT email FROM orders WHERE number = $1", &number).await;
    let approve = async |desk: &Desk, lines: &[(Uuid, i64)]| {
        let id = desk.announce(&number, lines).await.assert_status(200).json()["id"].clone();
        desk.step(&number, &id, "approval", json!({})).await.assert_status(204);
    };
    approve(&desk, &[(tool, 1), (butane, 1)]).await;
    desk.bench.work().await;
    // Recalled on the next day: no rule says any more how it travels.
    let recall = "UPDATE compliance_rules SET valid_until = '2026-11-22' WHERE class = 'lighter_fluid_hazmat'";
    desk.bench.execute(recall).await;
    desk.bench.shop.clock.advance(DAY);
    desk.sign_in().await;
    approve(&desk, &[(butane, 1)]).await;
    desk.bench.work().await;
    let got = emails(&mailbox, &buyer).await;
    let about: Vec<_> = got.iter().filter(|(subject, _)| subject.contains("Return approved")).collect();
    let [(_, both), (_, fuel)] = about.as_slice() else { panic!("{got:?}") };
    let (sent, kept) = both.split_once("Don’t mail").unwrap();
    assert!(sent.contains("Items to return") && sent.contains("Pipe Tool") && sent.contains("Send to"), "{both}");
    assert!(sent.contains("up to $6.48") && !sent.contains("Butane"), "{both}");
    assert!(kept.contains("Butane") && !kept.contains("Pipe Tool"), "{both}");
    assert!(fuel.contains("Don’t mail") && fuel.contains("Butane"), "{fuel}");
    assert!(!fuel.contains("Items to return") && !fuel.contains("Send to") && !fuel.contains("refund you"), "{fuel}");
}

async fn a_note_on_an_approval_has_its_limits(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let (number, tool, _) = desk.shipped().await;
    let id = desk.announce(&number, &[(tool, 1)]).await.assert_status(200).json()["id"].clone();
    let approve = async |note: &str| desk.step(&number, &id, "approval", json!({ "note": note })).await;
    for wrong in ["\u{7}", &"x".repeat(2_001)] {
        let problem = approve(wrong).await.assert_problem(422, "invalid").json();
        assert!(problem["errors"]["note"].is_array(), "{problem}");
    }
    approve(" ").await.assert_status(204);
}

async fn what_never_came_can_be_announced_again(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let (number, tool, butane) = desk.shipped().await;
    let id = desk.announce(&number, &[(tool, 3), (butane, 1)]).await.assert_status(200).json()["id"].clone();
    desk.step(&number, &id, "approval", json!({})).await.assert_status(204);
    desk.step(&number, &id, "rejection", json!({ "note": "Never arrived" })).await.assert_status(204);
    let id = desk.announce(&number, &[(tool, 3)]).await.assert_status(200).json()["id"].clone();
    desk.step(&number, &id, "approval", json!({})).await.assert_status(204);
    desk.step(&number, &id, "receipt", json!({ "lines": [came(tool, 0, 1)] })).await.assert_status(204);
    desk.announce(&number, &[(tool, 3)]).await.assert_problem(422, "invalid");
    desk.announce(&number, &[(tool, 2), (butane, 1)]).await.assert_status(200);
    desk.bench.assert_stock_is_exact().await;
}

async fn what_came_back_can_be_closed_without_a_refund(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let (number, tool, _) = desk.shipped().await;
    let total = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await;
    let refund = |amount: i64| {
        json!({
            "request_id": Uuid::now_v7(), "extra": amount, "reason": "Sorry", "expected_amount": amount,
        })
    };
    desk.act(&desk.admin, &number, "refunds", refund(total)).await.assert_status(200);
    desk.settle().await;
    let id = desk.announce(&number, &[(tool, 3)]).await.assert_status(200).json()["id"].clone();
    let close = json!({ "note": "Refunded by phone" });
    desk.step(&number, &id, "closure", close.clone()).await.assert_problem(409, "not_now");
    desk.step(&number, &id, "approval", json!({})).await.assert_status(204);
    desk.step(&number, &id, "receipt", json!({ "lines": [came(tool, 2, 1)] })).await.assert_status(204);
    desk.step(&number, &id, "refund", refund(100)).await.assert_problem(409, "above_paid");
    desk.step(&number, &id, "closure", json!({ "note": "" })).await.assert_problem(422, "invalid");
    let act = format!("returns/{}/closure", id.as_str().unwrap());
    desk.act(&desk.staff, &number, &act, close.clone()).await.assert_status(204);
    desk.step(&number, &id, "closure", close).await.assert_problem(409, "not_now");
    desk.step(&number, &id, "refund", refund(100)).await.assert_problem(409, "above_paid");
    desk.announce(&number, &[(tool, 1)]).await.assert_problem(422, "invalid");
    let page = format!("/admin/orders/{number}/_payload.json");
    let page = desk.bench.shop.call("GET", &page, &desk.staff, Value::Null).await.assert_status(200).json();
    let order = &page["props"]["order"];
    assert_eq!((&order["returns"][0]["status"], &order["returns"][0]["closed"]), (&json!("refunded"), &json!(true)));
    let latest = order["timeline"].to_string();
    assert!(latest.contains("Return closed without a refund") && latest.contains("Refunded by phone"), "{latest}");
    let open = "SELECT COUNT(*) FROM returns WHERE status IN ('requested', 'approved', 'received')";
    assert_eq!((desk.bench.count(open).await, desk.audited("return.close").await), (0, 1));
    assert_eq!(desk.given_back(), total);
    desk.bench.assert_stock_is_exact().await;
    desk.assert_log_is_sound().await;
}

async fn an_order_with_an_open_return_is_not_put_away(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let (number, tool, _) = desk.shipped().await;
    let archive = async || desk.act(&desk.staff, &number, "archive", json!({})).await;
    let id = desk.announce(&number, &[(tool, 1)]).await.assert_status(200).json()["id"].clone();
    for (step, body) in [
        ("approval", json!({})),
        ("receipt", json!({ "lines": [came(tool, 1, 0)] })),
        ("closure", json!({ "note": "It was refunded before" })),
    ] {
        archive().await.assert_problem(409, "return_open");
        let bulk = json!({ "act": "archive", "numbers": [number], "preview": true });
        let plan = desk.call(&desk.staff, "POST", "bulk", bulk).await.assert_status(200).json();
        assert_eq!((&plan["changed"], &plan["unchanged"][0]["number"]), (&json!([]), &json!(number)), "{plan}");
        desk.step(&number, &id, step, body).await.assert_status(204);
    }
    archive().await.assert_status(204);
}

async fn the_page_of_an_order_reads_each_record_once(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let (number, tool, _) = desk.shipped().await;
    let id = desk.announce(&number, &[(tool, 2)]).await.assert_status(200).json()["id"].clone();
    desk.step(&number, &id, "approval", json!({})).await.assert_status(204);
    desk.step(&number, &id, "receipt", json!({ "lines": [came(tool, 2, 0)] })).await.assert_status(204);
    let refund = json!({ "request_id": Uuid::now_v7(), "lines": chosen(&[(tool, 1)]), "expected_amount": 648 });
    desk.step(&number, &id, "refund", refund).await.assert_status(200);
    desk.settle().await;
    let path = format!("/admin/orders/{number}");
    let (page, ran) = statements::of(desk.bench.shop.call("GET", &path, &desk.staff, Value::Null)).await;
    let order = page.assert_status(200).envelope()["props"]["order"].clone();
    let shown = ["parcels", "returns", "refunds"].map(|name| order[name].as_array().unwrap().len());
    assert_eq!(shown, [1, 1, 1]);
    let totals = &order["totals"];
    let line = order["lines"].as_array().unwrap().iter().find(|line| line["id"] == json!(tool)).unwrap();
    assert_eq!((&totals["refunded"], &totals["by_hand_refundable"]), (&json!(648), &json!(0)));
    assert_eq!(totals["refundable"], json!(totals["taken"].as_i64().unwrap() - 648));
    assert_eq!((&line["shipped"], &line["refunded"], &line["returnable"]), (&json!(3), &json!(1), &json!(1)));
    // With that of the session.
    let different: HashSet<&String> = ran.iter().collect();
    assert!(ran.len() <= 20 && different.len() == ran.len(), "{}: {ran:#?}", ran.len());
}
