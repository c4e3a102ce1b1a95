//! Refunds: exact to the cent, executed once, and never more than was paid.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use shop_base::money::Money;
use shop_demo::square::Options;
use shop_demo::square::faults::{Fault, Operation, Rule};
use shop_domain::sales::records::payments::provider::RefundRequest;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::{Desk, chosen, parcel, version};
use crate::checkout::bench::{BUTANE, Bench, PIPE_TOOL};
use crate::checkout::crowd::in_a_crowd;
use crate::notifications::{everything, made};
use crate::support::{Answer, Receiver, Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    all_pieces_add_up_to_the_order,
    a_repeated_click_is_one_refund,
    never_more_than_was_paid,
    what_the_bank_took_back_is_not_refunded_too,
    a_refund_that_the_bank_rejects_late_can_be_made_again,
    nothing_leaves_while_all_its_money_goes_back,
    what_the_card_refused_is_paid_out_by_hand_once,
    what_the_card_took_after_all_is_not_paid_out_by_hand,
    what_the_dashboard_gave_back_counts_beside_what_waits,
    twenty_at_once_never_take_more_than_was_paid,
    any_refunds_stay_within_what_was_paid,
    the_history_names_who_gave_money_back,
    who_may_not_gives_nothing_back,
];

fn wanted(lines: &[(Uuid, i64)], shipping: i64, extra: i64, expected: i64) -> Value {
    json!({
        "request_id": Uuid::now_v7(), "lines": chosen(lines), "shipping": shipping, "extra": extra,
        "reason": if extra > 0 { "A scratch" } else { "" }, "expected_amount": expected,
    })
}

const MINUTE: i64 = 60 * 1000;
const HOUR: i64 = 60 * MINUTE;

impl Desk {
    async fn later(&self, ms: i64) {
        self.bench.shop.clock.advance(ms);
        self.bench.work().await;
    }

    async fn refund(&self, number: &str, body: Value) -> Answer {
        self.act(&self.admin, number, "refunds", body).await
    }

    /// Refunds an amount of an order's payment in the provider's dashboard, and lets the shop learn of it.
    async fn refund_in_dashboard(&mut self, number: &str, amount: i64) {
        const PAYMENT: &str =
            "SELECT a.provider_payment_id FROM payment_attempts a JOIN orders o ON o.attempt_id = a.id
            WHERE o.number = $1";
        let refund = RefundRequest {
            idempotency_key: Uuid::now_v7().simple().to_string(),
            payment_id: self.text(PAYMENT, number).await,
            amount: Money::usd(amount),
            reason: "By hand".to_owned(),
        };
        drop(self.bench.shop.app.parts.providers.square.as_ref().unwrap().refund(&refund).await.unwrap());
        for _ in 0..2 {
            self.later(6 * MINUTE).await;
        }
        self.sign_in().await;
    }

    /// The amount that the refund dialog offers to pay out in the store.
    async fn by_hand_refundable(&self, number: &str) -> i64 {
        let page = self.bench.shop.call("GET", &format!("/admin/orders/{number}"), &self.admin, Value::Null).await;
        page.envelope()["props"]["order"]["totals"]["by_hand_refundable"].as_i64().unwrap()
    }

    /// The amount of the order that is refunded or pending.
    async fn promised(&self, number: &str) -> i64 {
        self.figure(
            "SELECT CAST(COALESCE(SUM(r.amount), 0) AS BIGINT) FROM refunds r JOIN orders o ON o.id = r.order_id
             WHERE o.number = $1 AND r.status <> 'failed'",
            number,
        )
        .await
    }
}

async fn all_pieces_add_up_to_the_order(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    // A discount and a tax that are not divisible by three.
    desk.bench.execute("UPDATE promo_codes SET value = 1133 WHERE code = 'WELCOME10'").await;
    let number = desk.placed(&[(PIPE_TOOL, 3), (BUTANE, 1)], |body| body["promo_code"] = json!("WELCOME10")).await;
    desk.settle().await;
    let (tool, butane) = (desk.line(&number, PIPE_TOOL).await, desk.line(&number, BUTANE).await);
    let line_total = desk
        .figure("SELECT l.total FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE o.number = $1 AND l.sku = 'TWT-SIN'", &number)
        .await;
    assert_ne!(line_total % 3, 0, "a test of rounding");
    let mut of_tool = 0;
    for _ in 0..3 {
        // The error for a wrong amount states the right one.
        let problem = desk.refund(&number, wanted(&[(tool, 1)], 0, 0, 1)).await;
        let detail = problem.assert_problem(409, "amount_changed").json()["detail"].as_str().unwrap().to_owned();
        let cents: String = detail.chars().filter(char::is_ascii_digit).collect();
        let share: i64 = cents.parse().unwrap();
        desk.refund(&number, wanted(&[(tool, 1)], 0, 0, share)).await.assert_status(200);
        desk.settle().await;
        of_tool += share;
    }
    assert_eq!(of_tool, line_total);
    desk.refund(&number, wanted(&[(tool, 1)], 0, 0, 1)).await.assert_problem(422, "invalid");
    assert_eq!(desk.given_back(), line_total);

    // Shipping is refunded in two parts, including its tax: $6.95 up to 500 g and a signature, 8%.
    let shipping = desk.figure("SELECT shipping_total FROM orders WHERE number = $1", &number).await;
    let gross = shipping + (shipping * 8 + 50) / 100;
    let problem =
        desk.refund(&number, wanted(&[], gross + 1, 0, gross + 1)).await.assert_problem(422, "invalid").json();
    assert!(problem["errors"].get("shipping").is_some(), "{problem}");
    desk.refund(&number, wanted(&[], 500, 0, 500)).await.assert_status(200);
    let rest = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await - line_total - 500;
    desk.refund(&number, wanted(&[(butane, 1)], gross - 500, 0, rest)).await.assert_status(200);
    desk.settle().await;
    assert_eq!(desk.payment_status(&number).await, "refunded");
    let tax = "SELECT CAST(SUM(r.tax) AS BIGINT) - o.tax_total FROM refunds r JOIN orders o ON o.id = r.order_id
        WHERE o.number = $1 GROUP BY o.tax_total";
    assert_eq!(desk.figure(tax, &number).await, 0, "the taxes add up, too");
    desk.bench.assert_books_balance().await;
    desk.assert_log_is_sound().await;
}

async fn a_repeated_click_is_one_refund(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 2)]).await;
    let body = wanted(&[(desk.line(&number, PIPE_TOOL).await, 1)], 0, 0, 648);
    let first = desk.refund(&number, body.clone()).await.assert_status(200).json();
    // Repeated with the old version, with the new one, and concurrently.
    let again = desk.refund(&number, body.clone()).await.assert_status(200).json();
    assert_eq!(first, again);
    let (one, two) = tokio::join!(desk.refund(&number, body.clone()), desk.refund(&number, body.clone()));
    assert_eq!((one.json(), two.json()), (first.clone(), first));
    // The answer was lost, and the amount was changed: nobody is told that another amount was refunded.
    let mut changed = body.clone();
    (changed["extra"], changed["reason"], changed["expected_amount"]) = (json!(100), json!("A scratch"), json!(748));
    let problem = desk.refund(&number, changed).await.assert_problem(409, "refunded_already").json();
    assert!(problem["detail"].as_str().unwrap().contains("$6.48"), "{problem}");
    desk.settle().await;
    assert_eq!((desk.given_back(), desk.audited("order.refund").await), (648, 1));
    // The same request id for another order is rejected.
    let other = desk.paid(&[(PIPE_TOOL, 1)]).await;
    desk.refund(&other, body).await.assert_problem(422, "invalid");
}

async fn never_more_than_was_paid(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let held = desk.placed(&[(PIPE_TOOL, 1)], |_| {}).await;
    desk.refund(&held, wanted(&[], 0, 100, 100)).await.assert_problem(409, "not_taken");
    desk.settle().await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let total = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await;
    let line = desk.line(&number, PIPE_TOOL).await;
    for (body, field) in [
        (wanted(&[], 0, 0, 0), "lines"),
        (wanted(&[], 0, -5, -5), "extra"),
        (wanted(&[], -5, 0, -5), "shipping"),
        (json!({ "request_id": Uuid::now_v7(), "extra": 5, "expected_amount": 5 }), "extra"),
        (
            json!({ "request_id": Uuid::now_v7(), "lines": chosen(&[(line, 1)]), "expected_amount": 648, "given_as": "cash" }),
            "given_as",
        ),
    ] {
        let problem = desk.refund(&number, body).await.assert_problem(422, "invalid").json();
        assert!(problem["errors"].get(field).is_some(), "{field}: {problem}");
    }
    desk.refund(&number, wanted(&[], 0, i64::MAX, i64::MAX)).await.assert_problem(409, "above_paid");
    desk.refund(&number, wanted(&[(line, 1)], 0, i64::MAX, 648)).await.assert_problem(409, "above_paid");
    desk.refund(&number, wanted(&[], 0, total - 100, total - 100)).await.assert_status(200);
    let answer = desk.refund(&number, wanted(&[(line, 1)], 0, 0, 648)).await;
    let problem = answer.assert_problem(409, "above_paid").json();
    assert_eq!(problem["detail"], "At most $1.00 of this order can still be refunded.");
    // An amount whose refund the provider rejects can be refunded again.
    desk.settle().await;
    desk.bench.stand_in.faults.add(Rule::once(Operation::CreateRefund, Fault::RejectRefund));
    desk.refund(&number, wanted(&[], 0, 100, 100)).await.assert_status(200);
    desk.settle().await;
    assert_eq!(desk.given_back(), total - 100);
    let attention = desk.text("SELECT COALESCE(attention, '') FROM orders WHERE number = $1", &number).await;
    assert!(attention.contains("A refund failed"), "{attention}");
    desk.refund(&number, wanted(&[], 0, 100, 100)).await.assert_status(200);
    desk.settle().await;
    assert_eq!((desk.given_back(), desk.payment_status(&number).await.as_str()), (total, "refunded"));
}

async fn what_the_bank_took_back_is_not_refunded_too(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let total = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await;
    desk.bench
        .execute(
            "INSERT INTO disputes (provider, provider_dispute_id, order_id, attempt_id, state, reason, amount,
             created_at, updated_at) SELECT provider, 'D1', order_id, id, 'EVIDENCE_REQUIRED', 'NO_KNOWLEDGE', 200, 0, 0
             FROM payment_attempts WHERE status = 'captured'",
        )
        .await;
    desk.refund(&number, wanted(&[], 0, 100, 100)).await.assert_status(200);
    desk.bench.execute("UPDATE disputes SET state = 'LOST'").await;
    let left = total - 300;
    let problem =
        desk.refund(&number, wanted(&[], 0, left + 1, left + 1)).await.assert_problem(409, "above_paid").json();
    let expected = format!(
        "At most {} of this order can still be refunded. The customer’s bank has already taken back $2.00.",
        Money::usd(left).dollars()
    );
    assert_eq!(problem["detail"], expected);
    let page = desk.bench.shop.call("GET", &format!("/admin/orders/{number}"), &desk.admin, Value::Null).await;
    let totals = page.envelope()["props"]["order"]["totals"].clone();
    assert_eq!((&totals["reclaimed"], &totals["refundable"]), (&json!(200), &json!(left)));
    desk.refund(&number, wanted(&[], 0, left, left)).await.assert_status(200);
    assert_eq!(desk.promised(&number).await, total - 200);
}

/// While a refund is pending, the provider counts it as given back; the shop sees that in the meantime.
async fn a_refund_that_the_bank_rejects_late_can_be_made_again(shop: TestShop) {
    let options = Options { refund_ms: HOUR, ..Options::fast(None) };
    let mut desk = Desk::at(Bench::start_with(shop.database, options).await).await;
    let receiver = Receiver::open().await;
    made(&desk.bench.shop, &desk.admin, everything(&receiver.url)).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let total = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await;
    let comparison = 6 * MINUTE;
    desk.bench.stand_in.faults.add(Rule::once(Operation::CreateRefund, Fault::RejectRefund));
    desk.refund(&number, wanted(&[], 0, total, total)).await.assert_status(200);
    desk.bench.work().await;
    desk.later(comparison).await;
    assert_eq!((desk.given_back(), desk.payment_status(&number).await.as_str()), (total, "refunded"));
    // Also if the payment is read before its refund.
    desk.bench.execute("UPDATE jobs SET run_at = run_at + 36000000 WHERE name = 'refund'").await;
    desk.later(HOUR).await;
    desk.later(comparison).await;
    let attention = desk.text("SELECT COALESCE(attention, '') FROM orders WHERE number = $1", &number).await;
    assert!(attention.contains("A refund failed"), "{attention}");
    assert_eq!((desk.given_back(), desk.payment_status(&number).await.as_str()), (0, "paid"));
    assert_eq!(receiver.of_kind("order.paid").len(), 1, "it was paid once");
    let failed = "SELECT COUNT(*) FROM order_history WHERE kind = 'refund_failed'";
    let elsewhere = "SELECT COUNT(*) FROM order_history WHERE kind = 'refunded_elsewhere'";
    assert_eq!((desk.bench.count(failed).await, desk.bench.count(elsewhere).await), (1, 0));
    desk.sign_in().await;
    desk.refund(&number, wanted(&[], 0, total, total)).await.assert_status(200);
    for _ in 0..3 {
        desk.later(HOUR).await;
    }
    assert_eq!((desk.given_back(), desk.payment_status(&number).await.as_str()), (total, "refunded"));
}

/// The provider may take days for a refund.
async fn nothing_leaves_while_all_its_money_goes_back(shop: TestShop) {
    let options = Options { refund_ms: HOUR, ..Options::fast(None) };
    let mut desk = Desk::at(Bench::start_with(shop.database, options).await).await;
    let number = desk.paid(&[(PIPE_TOOL, 2)]).await;
    let tool = desk.line(&number, PIPE_TOOL).await;
    const ELSEWHERE: i64 = 200;
    desk.refund_in_dashboard(&number, ELSEWHERE).await;
    let pickup = |body: &mut Value| body["shipping_method"] = json!("pickup");
    let waiting = desk.placed(&[(PIPE_TOOL, 1)], pickup).await;
    let ready = desk.placed(&[(PIPE_TOOL, 1)], pickup).await;
    desk.bench.work().await;
    desk.act(&desk.staff, &ready, "ready", json!({})).await.assert_status(204);
    let call_again = json!({ "mail": "pickup_ready" });
    let total =
        async |desk: &Desk, number: &str| desk.figure("SELECT total FROM orders WHERE number = $1", number).await;
    // What may leave, and how many are to be sent: by the overview, and by the list to which it leads. How many were given back, by another.
    let offered = async |desk: &Desk| {
        let get = async |path: &str| desk.bench.shop.call("GET", path, &desk.admin, Value::Null).await;
        let page =
            async |number: &str| get(&format!("/admin/orders/{number}")).await.envelope()["props"]["order"].clone();
        let overview = get("/api/admin/overview").await.json();
        let unsent = overview["hands"].as_array().unwrap().iter().find(|hand| hand["kind"] == "unsent").unwrap();
        let list = async |path: &str| get(path).await.envelope()["props"]["list"]["total"].clone();
        let totals = [
            unsent["total"].clone(),
            list(unsent["href"].as_str().unwrap()).await,
            list("/admin/orders?all_refunded=yes").await,
        ];
        let emails = page(&ready).await["emails"].clone();
        let is_called = emails.as_array().unwrap().iter().any(|email| email["mail"] == "pickup_ready");
        let leaves = [
            page(&number).await["acts"]["ship"].clone(),
            page(&waiting).await["acts"]["make_ready"].clone(),
            json!(is_called),
        ];
        (leaves, totals.map(|total| total.as_i64().unwrap()))
    };
    desk.refund(&number, wanted(&[], 0, 100, 100)).await.assert_status(200);
    assert_eq!(offered(&desk).await, ([json!(true), json!(true), json!(true)], [1, 1, 0]));
    for (number, elsewhere) in [(&number, ELSEWHERE), (&waiting, 0), (&ready, 0)] {
        let rest = total(&desk, number).await - desk.promised(number).await - elsewhere;
        desk.refund(number, wanted(&[], 0, rest, rest)).await.assert_status(200);
    }
    for is_sent in [false, true] {
        if is_sent {
            desk.bench.work().await;
        }
        assert_eq!(desk.payment_status(&waiting).await, "paid", "nothing is settled");
        assert_eq!(desk.payment_status(&number).await, "partially_refunded", "in the dashboard");
        desk.act(&desk.staff, &number, "shipment", parcel(&[(tool, 2)])).await.assert_problem(409, "refund_pending");
        desk.act(&desk.staff, &waiting, "ready", json!({})).await.assert_problem(409, "refund_pending");
        desk.act(&desk.staff, &ready, "mails", call_again.clone()).await.assert_problem(409, "refund_pending");
        assert_eq!(offered(&desk).await, ([json!(false), json!(false), json!(false)], [0, 0, 3]));
    }
    for _ in 0..3 {
        desk.later(HOUR).await;
    }
    desk.sign_in().await;
    assert_eq!(desk.payment_status(&number).await, "refunded");
    desk.act(&desk.staff, &number, "shipment", parcel(&[(tool, 2)])).await.assert_problem(409, "not_paid");
    desk.act(&desk.staff, &waiting, "ready", json!({})).await.assert_problem(409, "not_paid");
    desk.act(&desk.staff, &ready, "mails", call_again).await.assert_problem(409, "not_paid");
    let told = "SELECT COUNT(*) FROM order_history WHERE kind IN ('pickup_ready', 'written_again')";
    assert_eq!(desk.bench.count(told).await, 1, "before its money went back");
    // The shop has refunded nothing of it.
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let all = total(&desk, &number).await;
    desk.refund_in_dashboard(&number, all).await;
    let (_, totals) = offered(&desk).await;
    assert_eq!(totals, [0, 0, 4]);
}

/// Of a refund that the bank rejects, the customer gets cash: neither a cancellation nor the dashboard pays that once more.
async fn what_the_card_refused_is_paid_out_by_hand_once(shop: TestShop) {
    const REFUNDED: &str =
        "SELECT a.refunded FROM payment_attempts a JOIN orders o ON o.attempt_id = a.id WHERE o.number = $1";
    let mut desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 2)]).await;
    let total = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await;
    let in_cash = |amount: i64| {
        let mut body = wanted(&[], 0, amount, amount);
        body["given_as"] = json!("cash");
        body
    };
    desk.refund(&number, in_cash(100)).await.assert_problem(422, "invalid");
    desk.bench.stand_in.faults.add(Rule::once(Operation::CreateRefund, Fault::RejectRefund));
    desk.refund(&number, wanted(&[], 0, 600, 600)).await.assert_status(200);
    desk.settle().await;
    assert_eq!((desk.given_back(), desk.payment_status(&number).await.as_str()), (0, "paid"));
    assert_eq!(desk.by_hand_refundable(&number).await, 600);
    let problem = desk.refund(&number, in_cash(601)).await.assert_problem(422, "invalid").json();
    assert_eq!(problem["errors"]["given_as"][0], "Only $6.00 can be paid out in store. The rest goes to the card.");
    desk.refund(&number, in_cash(400)).await.assert_status(200);
    assert_eq!(desk.by_hand_refundable(&number).await, 200);
    desk.refund(&number, in_cash(201)).await.assert_problem(422, "invalid");
    desk.refund(&number, in_cash(200)).await.assert_status(200);
    let problem = desk.refund(&number, in_cash(1)).await.assert_problem(422, "invalid").json();
    assert!(problem["errors"].get("given_as").is_some(), "{problem}");
    assert_eq!(desk.by_hand_refundable(&number).await, 0);
    assert_eq!((desk.figure(REFUNDED, &number).await, desk.promised(&number).await), (600, 600));

    // The provider knows only of its own refunds.
    desk.refund_in_dashboard(&number, 100).await;
    assert_eq!((desk.figure(REFUNDED, &number).await, desk.given_back()), (700, 100));
    assert_eq!(desk.payment_status(&number).await, "partially_refunded");
    let cancellation = json!({ "restock": true, "by_shopper": true });
    desk.act(&desk.admin, &number, "cancellation", cancellation).await.assert_status(204);
    desk.settle().await;
    desk.later(6 * MINUTE).await;
    assert_eq!((desk.given_back(), desk.payment_status(&number).await.as_str()), (total - 600, "refunded"));
    assert_eq!(desk.promised(&number).await, total - 100);
    desk.assert_log_is_sound().await;
}

async fn what_the_card_took_after_all_is_not_paid_out_by_hand(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 2)]).await;
    let reject = async |amount: i64| {
        desk.bench.stand_in.faults.add(Rule::once(Operation::CreateRefund, Fault::RejectRefund));
        desk.refund(&number, wanted(&[], 0, amount, amount)).await.assert_status(200);
        desk.settle().await;
    };
    // What went to the card before the failure replaces nothing.
    desk.refund(&number, wanted(&[], 0, 50, 50)).await.assert_status(200);
    desk.settle().await;
    reject(600).await;
    assert_eq!(desk.by_hand_refundable(&number).await, 600);
    desk.refund(&number, wanted(&[], 0, 600, 600)).await.assert_status(200);
    // Pending, and settled.
    for _ in 0..2 {
        assert_eq!(desk.by_hand_refundable(&number).await, 0);
        let mut in_cash = wanted(&[], 0, 600, 600);
        in_cash["given_as"] = json!("cash");
        let problem = desk.refund(&number, in_cash).await.assert_problem(422, "invalid").json();
        assert!(problem["errors"].get("given_as").is_some(), "{problem}");
        desk.settle().await;
    }
    assert_eq!((desk.given_back(), desk.promised(&number).await), (650, 650));
    // Another one that goes well takes nothing off what fails later.
    desk.refund(&number, wanted(&[], 0, 300, 300)).await.assert_status(200);
    desk.settle().await;
    // What is tried again, and fails again, is one amount.
    for _ in 0..2 {
        reject(100).await;
        assert_eq!(desk.by_hand_refundable(&number).await, 100);
    }
    let mut in_cash = wanted(&[], 0, 100, 100);
    in_cash["given_as"] = json!("cash");
    desk.refund(&number, in_cash).await.assert_status(200);
    assert_eq!(desk.by_hand_refundable(&number).await, 0);
}

/// A refund of ours that the provider has not counted yet is in addition to what was refunded in its dashboard.
async fn what_the_dashboard_gave_back_counts_beside_what_waits(shop: TestShop) {
    let mut desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 2)]).await;
    let total = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await;
    desk.bench.stand_in.faults.add(Rule::once(Operation::CreateRefund, Fault::RejectRefund));
    desk.refund(&number, wanted(&[], 0, 600, 600)).await.assert_status(200);
    desk.settle().await;
    let refund = RefundRequest {
        idempotency_key: Uuid::now_v7().simple().to_string(),
        payment_id: desk.bench.stand_in.payments()[0]["id"].as_str().unwrap().to_owned(),
        amount: Money::usd(600),
        reason: "To another card".to_owned(),
    };
    drop(desk.bench.shop.app.parts.providers.square.as_ref().unwrap().refund(&refund).await.unwrap());
    for _ in 0..3 {
        desk.later(6 * MINUTE).await;
    }
    desk.sign_in().await;
    assert_eq!((desk.given_back(), desk.by_hand_refundable(&number).await), (600, 600));
    desk.refund(&number, wanted(&[], 0, total - 600, total - 600)).await.assert_status(200);
    // It is not sent yet; after that it is settled, and the payment is not read again yet.
    for is_sent in [false, true] {
        if is_sent {
            desk.settle().await;
        }
        desk.refund(&number, wanted(&[], 0, 100, 100)).await.assert_problem(409, "above_paid");
        assert_eq!(desk.by_hand_refundable(&number).await, 0);
    }
    assert_eq!((desk.given_back(), desk.payment_status(&number).await.as_str()), (total, "refunded"));
}

async fn twenty_at_once_never_take_more_than_was_paid(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let total = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await;
    let each = total / 5;
    // Each one reloads after a version conflict, as people do.
    let mut clicks = JoinSet::new();
    for _ in 0..20 {
        let (shop, admin, number) = (desk.bench.shop.clone(), desk.admin.clone(), number.clone());
        clicks.spawn(async move {
            let mut body = wanted(&[], 0, each, each);
            loop {
                body["version"] = json!(version(&shop, &number).await);
                let path = format!("/api/admin/orders/{number}/refunds");
                let answer = in_a_crowd(|| shop.call("POST", &path, &admin, body.clone())).await;
                if answer.status != 409 || answer.json()["code"] != "changed_meanwhile" {
                    return answer.status.as_u16();
                }
            }
        });
    }
    let statuses = clicks.join_all().await;
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 5, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 409).count(), 15, "{statuses:?}");
    desk.settle().await;
    assert_eq!((desk.given_back(), desk.audited("order.refund").await), (5 * each, 5));
    assert!(desk.promised(&number).await <= total);
    desk.assert_log_is_sound().await;
}

/// Random refunds of an order with five of one item and a second line; the books are checked after each.
async fn any_refunds_stay_within_what_was_paid(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let mut runner = TestRunner::deterministic();
    let step = (0i64..4, 0i64..2, 0i64..600, 0i64..900);
    for _ in 0..crate::support::rounds(3, 30) {
        let number = desk.paid(&[(PIPE_TOOL, 5), (BUTANE, 1)]).await;
        let (tool, butane) = (desk.line(&number, PIPE_TOOL).await, desk.line(&number, BUTANE).await);
        let total = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await;
        let steps = proptest::collection::vec(step.clone(), 4..12).new_tree(&mut runner).unwrap().current();
        for (tools, butanes, shipping, extra) in steps {
            let before = desk.promised(&number).await;
            let mut body = wanted(&[(tool, tools), (butane, butanes)], shipping, extra, 0);
            let told = desk.refund(&number, body.clone()).await;
            if told.status == 409 && told.json()["code"] == "amount_changed" {
                let detail = told.json()["detail"].as_str().unwrap().to_owned();
                let cents: String = detail.chars().filter(char::is_ascii_digit).collect();
                let amount: i64 = cents.parse().unwrap();
                body["expected_amount"] = json!(amount);
                desk.refund(&number, body).await.assert_status(200);
                assert_eq!(desk.promised(&number).await, before + amount);
            } else {
                assert!([409, 422].contains(&told.status.as_u16()), "{}", told.text());
                assert_eq!(desk.promised(&number).await, before);
            }
            assert!(desk.promised(&number).await <= total);
        }
        let over =
            "SELECT COUNT(*) FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE o.number = $1 AND l.total <
            (SELECT COALESCE(SUM(f.amount), 0) FROM refund_lines f WHERE f.line_id = l.id)";
        assert_eq!(desk.figure(over, &number).await, 0);
    }
    desk.settle().await;
    let sum = "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM refunds WHERE status = 'settled'";
    assert_eq!(desk.given_back(), desk.bench.count(sum).await);
}

async fn the_history_names_who_gave_money_back(shop: TestShop) {
    const STARTED: &str = "SELECT COUNT(*) FROM order_history h JOIN orders o ON o.id = h.order_id
        WHERE o.number = $1 AND h.kind = 'refund_started' AND h.actor LIKE 'staff %'";
    const REFUNDED: &str = "SELECT COUNT(*) FROM order_history h JOIN orders o ON o.id = h.order_id
        WHERE o.number = $1 AND h.kind = 'refunded' AND h.actor LIKE 'staff %'";
    const CANCELED: &str = "SELECT COUNT(*) FROM order_history h JOIN orders o ON o.id = h.order_id
        WHERE o.number = $1 AND h.kind = 'canceled' AND h.actor LIKE 'staff %'";
    const REASON: &str = "SELECT r.reason FROM refunds r JOIN orders o ON o.id = r.order_id
        WHERE o.number = $1 ORDER BY r.created_at DESC, r.id DESC LIMIT 1";
    let desk = Desk::open(&shop).await;
    // To a card: staff begin it, and the provider ends it.
    let number = desk.paid(&[(PIPE_TOOL, 3)]).await;
    let tool = desk.line(&number, PIPE_TOOL).await;
    desk.refund(&number, wanted(&[], 0, 100, 100)).await.assert_status(200);
    desk.settle().await;
    assert_eq!((desk.figure(STARTED, &number).await, desk.figure(REFUNDED, &number).await), (1, 0));
    let part = json!({ "lines": chosen(&[(tool, 1)]), "restock": true, "by_shopper": true });
    desk.act(&desk.admin, &number, "cancellation", part).await.assert_status(204);
    assert_eq!(desk.figure(STARTED, &number).await, 2);
    let whole = json!({ "restock": true, "by_shopper": true });
    desk.act(&desk.admin, &number, "cancellation", whole).await.assert_status(204);
    assert_eq!((desk.figure(STARTED, &number).await, desk.figure(CANCELED, &number).await), (3, 1));
    assert_eq!(desk.text(REASON, &number).await, "Canceled before shipping", "the buyer asked for it");
    // In cash: staff pay it out.
    let number = desk.to_pick_up(PIPE_TOOL).await;
    desk.act(&desk.staff, &number, "payment", json!({ "tender": "cash", "id_checked": true })).await.assert_status(204);
    let mut in_cash = wanted(&[], 0, 100, 100);
    in_cash["given_as"] = json!("cash");
    desk.refund(&number, in_cash).await.assert_status(200);
    assert_eq!(desk.figure(REFUNDED, &number).await, 1);
    let whole = json!({ "restock": true, "by_shopper": false, "given_as": "cash" });
    desk.act(&desk.admin, &number, "cancellation", whole).await.assert_status(204);
    assert_eq!((desk.figure(REFUNDED, &number).await, desk.figure(CANCELED, &number).await), (2, 1));
    desk.settle().await;
    desk.bench.assert_books_balance().await;
}

async fn who_may_not_gives_nothing_back(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let body = wanted(&[], 0, 100, 100);
    desk.act(&desk.staff, &number, "refunds", body.clone()).await.assert_problem(403, "forbidden");
    desk.bench.shop.clock.advance(16 * 60 * 1000);
    desk.act(&desk.admin, &number, "refunds", body.clone()).await.assert_problem(403, "stale_sign_in");
    // Canceling refunds everything.
    let cancellation = json!({ "restock": true, "by_shopper": true });
    desk.act(&desk.admin, &number, "cancellation", cancellation).await.assert_problem(403, "stale_sign_in");
    assert_eq!(desk.promised(&number).await, 0);
    let again = desk.bench.shop.sign_in("boss", &["admin"]).await;
    desk.act(&again, &number, "refunds", body).await.assert_status(200);
    desk.settle().await;
    assert_eq!(desk.given_back(), 100);
}
