//! Reconciliation with the provider's records: changes without a webhook are found, page by page, and nothing blocks it.

use serde_json::{Value, json};
use shop_base::money::Money;
use shop_base::recent_errors;
use shop_base::recent_errors::RecentErrors;
use shop_demo::square::faults::{Fault, Operation, Rule};
use shop_domain::sales::flows::compare;
use shop_domain::sales::flows::reconcile::reconcile;
use shop_domain::sales::records::payments::model::Records;
use shop_domain::sales::records::payments::provider::{Authorization, RefundRequest};
use tracing::instrument::WithSubscriber;
use tracing_subscriber::layer::SubscriberExt;
use uuid::Uuid;

use super::bench::{Bench, PIPE_TOOL};
use crate::notifications::{everything, made};
use crate::support::{Database, Receiver, Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    what_changes_late_is_found_page_by_page,
    what_agrees_is_left_alone,
    a_provider_that_is_away_leaves_the_watermark,
    a_payment_that_makes_no_sense_hides_no_other,
    an_attempt_that_cannot_be_settled_holds_up_no_other,
    staff_who_were_not_told_of_an_unknown_outcome_are_told_later,
    attempts_that_are_looked_up_together_are_put_off_together,
    a_payment_of_another_program_is_no_error,
    late_money_for_other_goods_goes_back,
    late_money_for_goods_that_were_paid_for_again_belongs_to_none,
    a_refund_in_the_dashboard_is_recorded_once,
];

pub const MINUTE: i64 = 60 * 1000;
const DAY: i64 = 24 * 60 * MINUTE;

/// A paid order with the id and the amount of its payment.
async fn paid(bench: &Bench) -> (Value, String, i64) {
    // Payments with the same time have no defined order.
    bench.shop.clock.advance(1);
    let order = bench.order(PIPE_TOOL, 1).await;
    bench.pay(&order).await.assert_status(200);
    bench.work().await;
    let payment = bench.stand_in.payments().pop().unwrap();
    (order, payment["id"].as_str().unwrap().to_owned(), payment["amount_money"]["amount"].as_i64().unwrap())
}

/// Refunds in the provider's dashboard, without a webhook to the shop.
async fn refund_unheard(bench: &Bench, payment_id: &str, amount: i64) {
    let refund = RefundRequest {
        idempotency_key: Uuid::now_v7().simple().to_string(),
        payment_id: payment_id.to_owned(),
        amount: Money::usd(amount),
        reason: "By hand".to_owned(),
    };
    bench.shop.app.parts.providers.square.as_ref().unwrap().refund(&refund).await.unwrap();
}

/// Payments of the same seller that do not belong to the shop.
async fn strangers(bench: &Bench, count: usize) {
    for _ in 0..count {
        authorize_elsewhere(bench, "at-the-till").await;
        bench.shop.clock.advance(10);
    }
}

/// A payment that the shop has not stored; returns its id.
async fn authorize_elsewhere(bench: &Bench, reference: &str) -> String {
    let authorization = Authorization {
        idempotency_key: Uuid::now_v7().simple().to_string(),
        reference: reference.to_owned(),
        source: "cnon:card-nonce-ok".to_owned(),
        amount: Money::usd(500),
        buyer_email: "buyer@shop.example".to_owned(),
        note: String::new(),
    };
    bench.shop.app.parts.providers.square.as_ref().unwrap().authorize(&authorization).await.unwrap().id
}

/// Counts the requests of an operation.
fn watch(bench: &Bench, operation: Operation) -> usize {
    bench.stand_in.faults.add(Rule { times: 0, ..Rule::once(operation, Fault::ServerError) })
}

fn matched(bench: &Bench, rule: usize) -> u64 {
    bench.stand_in.faults.counts()[rule].matched
}

async fn position(bench: &Bench) -> i64 {
    bench.count("SELECT position FROM provider_watermarks WHERE records = 'payments'").await
}

pub async fn later(bench: &Bench, ms: i64) {
    bench.shop.clock.advance(ms);
    bench.work().await;
}

const REFUNDED: &str = "SELECT COUNT(*) FROM orders WHERE payment_status IN ('refunded', 'partially_refunded')";

async fn what_changes_late_is_found_page_by_page(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let (_, payment, _) = paid(&bench).await;
    later(&bench, 6 * MINUTE).await;
    // A month later, after many changes that do not concern the shop.
    bench.shop.clock.advance(30 * DAY);
    strangers(&bench, 250).await;
    refund_unheard(&bench, &payment, 100).await;
    assert_eq!(bench.count(REFUNDED).await, 0);
    let lists = watch(&bench, Operation::ListPayments);
    later(&bench, 6 * MINUTE).await;
    assert_eq!(bench.count(REFUNDED).await, 1);
    assert_eq!(matched(&bench, lists), 3, "three pages, each asked for once");
    // A change that appears late in the list is found once it appears.
    let (_, late, _) = paid(&bench).await;
    bench.stand_in.faults.set_list_lag(9 * MINUTE);
    refund_unheard(&bench, &late, 100).await;
    later(&bench, 6 * MINUTE).await;
    assert_eq!(bench.count(REFUNDED).await, 1);
    later(&bench, 6 * MINUTE).await;
    assert_eq!(bench.count(REFUNDED).await, 2);
}

async fn what_agrees_is_left_alone(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    for _ in 0..5 {
        paid(&bench).await;
    }
    let touched = "SELECT CAST(SUM(updated_at) AS BIGINT) FROM (SELECT updated_at FROM payment_attempts UNION ALL SELECT updated_at FROM orders) t";
    let before = bench.count(touched).await;
    let (lists, finds) = (watch(&bench, Operation::ListPayments), watch(&bench, Operation::GetPayment));
    for _ in 0..3 {
        later(&bench, 6 * MINUTE).await;
    }
    assert_eq!((matched(&bench, lists), matched(&bench, finds)), (3, 0));
    assert_eq!(bench.count(touched).await, before, "nothing was written");
    assert_eq!(bench.count("SELECT COUNT(*) FROM jobs WHERE name = 'compare'").await, 0);
}

async fn a_provider_that_is_away_leaves_the_watermark(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let (_, payment, _) = paid(&bench).await;
    later(&bench, 6 * MINUTE).await;
    let before = position(&bench).await;
    let away =
        bench.stand_in.faults.add(Rule { times: 10_000, ..Rule::once(Operation::ListPayments, Fault::Unauthorized) });
    refund_unheard(&bench, &payment, 100).await;
    for _ in 0..100 {
        later(&bench, 30 * MINUTE).await;
    }
    assert!(bench.stand_in.faults.fired(away) > 50, "it was asked again and again");
    assert_eq!((position(&bench).await, bench.count(REFUNDED).await), (before, 0));
    bench.stand_in.faults.clear();
    later(&bench, 6 * MINUTE).await;
    assert_eq!(bench.count(REFUNDED).await, 1, "two days later");
    assert!(position(&bench).await > before);
}

async fn a_payment_that_makes_no_sense_hides_no_other(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let (strange, strange_payment, _) = paid(&bench).await;
    let (_, payment, _) = paid(&bench).await;
    later(&bench, 20 * MINUTE).await;
    refund_unheard(&bench, &strange_payment, 100).await;
    bench.shop.clock.advance(10);
    refund_unheard(&bench, &payment, 100).await;
    bench.stand_in.faults.show_with_status(&strange_payment, "UNDER_REVIEW");
    let before = position(&bench).await;
    later(&bench, 6 * MINUTE).await;
    assert_eq!(bench.count(REFUNDED).await, 1);
    assert!(position(&bench).await > before);
    let attention = "SELECT COUNT(*) FROM orders WHERE attention LIKE '%can’t be read%'";
    assert_eq!(bench.count(attention).await, 1);
    let told = "SELECT COUNT(*) FROM order_history WHERE kind = 'attention'";
    later(&bench, 6 * MINUTE).await;
    assert_eq!(bench.count(told).await, 1, "told once");
    // Nor does it block the search for an attempt with an unknown outcome.
    let rule =
        bench.stand_in.faults.add(Rule { times: 3, ..Rule::once(Operation::CreatePayment, Fault::LoseResponse) });
    let unheard = bench.order(PIPE_TOOL, 1).await;
    assert_eq!(unheard["expected_total"], strange["expected_total"], "found by the same amount");
    bench.pay(&unheard).await.assert_status(202);
    assert_eq!(bench.stand_in.faults.fired(rule), 3);
    bench.let_pass(120).await;
    bench.pay(&unheard).await.assert_status(200);
}

/// Pays with a lost response; the payment is made.
async fn pay_unheard(bench: &Bench) -> Value {
    let rule =
        bench.stand_in.faults.add(Rule { times: 3, ..Rule::once(Operation::CreatePayment, Fault::LoseResponse) });
    let order = bench.order(PIPE_TOOL, 1).await;
    bench.pay(&order).await.assert_status(202);
    assert_eq!(bench.stand_in.faults.fired(rule), 3);
    order
}

async fn an_attempt_that_cannot_be_settled_holds_up_no_other(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let poisoned = pay_unheard(&bench).await;
    // Its order cannot be placed: more is held for it than is reserved.
    bench.execute("UPDATE stock_reservations SET quantity = 1000").await;
    bench.shop.clock.advance(1_000);
    let sound = pay_unheard(&bench).await;
    bench.let_pass(120).await;
    bench.pay(&sound).await.assert_status(200);
    bench.pay(&poisoned).await.assert_status(202);
    let waits = "SELECT looks FROM payment_attempts WHERE status IN ('sending', 'unknown')";
    assert!((2..=5).contains(&bench.count(waits).await), "looked at again, less and less often");
    // Once the data is repaired, the payment is settled.
    bench.execute("UPDATE stock_reservations SET quantity = 1 WHERE quantity = 1000").await;
    later(&bench, 5 * MINUTE).await;
    bench.let_pass(60).await;
    bench.pay(&poisoned).await.assert_status(200);
    bench.assert_books_balance().await;
}

/// A node has died between its tenth look and telling them.
async fn staff_who_were_not_told_of_an_unknown_outcome_are_told_later(shop: TestShop) {
    const TOLD: &str =
        "SELECT COUNT(*) FROM order_history WHERE kind = 'attention' AND data LIKE '%outcome is unknown%'";
    let bench = Bench::start(shop.database).await;
    pay_unheard(&bench).await;
    bench.stand_in.faults.add(Rule { times: u64::MAX, ..Rule::once(Operation::ListPayments, Fault::Unauthorized) });
    bench.execute("UPDATE payment_attempts SET looks = 10").await;
    for _ in 0..21 {
        later(&bench, 60 * MINUTE).await;
    }
    assert_eq!(bench.count(TOLD).await, 1, "once, while nobody has cleared it");
    bench.execute("UPDATE orders SET attention = NULL").await;
    for _ in 0..10 {
        later(&bench, 60 * MINUTE).await;
    }
    assert_eq!(bench.count(TOLD).await, 2);
}

/// On SQLite, where each transaction waits for the only writer.
async fn attempts_that_are_looked_up_together_are_put_off_together(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    for _ in 0..3 {
        pay_unheard(&bench).await;
    }
    bench.stand_in.faults.add(Rule { times: u64::MAX, ..Rule::once(Operation::ListPayments, Fault::Unauthorized) });
    bench.shop.clock.advance(MINUTE);
    let before = bench.transactions();
    reconcile(&bench.shop.app.payments()).await.unwrap();
    let expected = if shop.database == Database::Sqlite { 1 } else { 3 };
    assert_eq!(bench.transactions() - before, expected);
    let looked = "SELECT COUNT(*) FROM payment_attempts WHERE status = 'unknown' AND looks = 1";
    assert_eq!(bench.count(looked).await, 3);
}

async fn a_payment_of_another_program_is_no_error(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let at_the_till = authorize_elsewhere(&bench, "at-the-till").await;
    bench.shop.clock.advance(10);
    let without_order = authorize_elsewhere(&bench, &Uuid::now_v7().to_string()).await;
    let payments = bench.shop.app.payments();
    compare::begin(&payments).await.unwrap();
    let from = position(&bench).await;
    let listening = tracing_subscriber::registry().with(RecentErrors);
    compare::step(&payments, Records::Payments, from).with_subscriber(listening).await.unwrap();
    assert!(position(&bench).await > from, "both were compared");
    let about = |payment: &str| {
        let errors = recent_errors::list().into_iter();
        errors.filter(|error| error.fields.iter().any(|(_, value)| value == payment)).count()
    };
    assert_eq!((about(&at_the_till), about(&without_order)), (0, 1));
}

/// Voids an attempt whose payment is captured, since that does not appear in the provider's list in time. Returns its order.
pub async fn pay_late(bench: &Bench) -> Value {
    bench.stand_in.faults.set_list_lag(10 * MINUTE);
    let order = pay_unheard(bench).await;
    let payment = bench.stand_in.payments()[0]["id"].as_str().unwrap().to_owned();
    bench.shop.app.parts.providers.square.as_ref().unwrap().capture(&payment, None).await.unwrap();
    bench.let_pass(120).await;
    assert_eq!(bench.count("SELECT COUNT(*) FROM payment_attempts WHERE status = 'voided'").await, 1);
    order
}

async fn late_money_for_other_goods_goes_back(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let mut order = pay_late(&bench).await;
    // The buyer then orders two pieces, and that card is declined.
    order["items"][0]["qty"] = json!(2);
    order["click_id"] = json!(Uuid::now_v7());
    order["source_id"] = json!("cnon:card-nonce-declined");
    order["expected_total"] = bench.quote(&order).await["total"].clone();
    bench.pay(&order).await.assert_status(402);
    for _ in 0..4 {
        later(&bench, 6 * MINUTE).await;
    }
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders WHERE status = 'placed'").await, 0);
    assert_eq!(bench.count("SELECT COUNT(*) FROM refunds WHERE status = 'settled'").await, 1);
    bench.assert_books_balance().await;
}

async fn late_money_for_goods_that_were_paid_for_again_belongs_to_none(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let mut order = pay_late(&bench).await;
    order["click_id"] = json!(Uuid::now_v7());
    order["expected_total"] = bench.quote(&order).await["total"].clone();
    bench.pay(&order).await.assert_status(200);
    for _ in 0..4 {
        later(&bench, 6 * MINUTE).await;
    }
    // The goods can still be refunded: they were paid for with the second payment.
    assert_eq!(bench.count("SELECT COUNT(*) FROM refunds WHERE status = 'settled' AND amount = extra").await, 1);
    assert_eq!(bench.count("SELECT COUNT(*) FROM refund_lines").await, 0);
    bench.assert_books_balance().await;
}

async fn a_refund_in_the_dashboard_is_recorded_once(shop: TestShop) {
    const ELSEWHERE: &str = "SELECT COUNT(*) FROM order_history WHERE kind = 'refunded_elsewhere'";
    const OF_A_DOLLAR: &str =
        "SELECT COUNT(*) FROM order_history WHERE kind = 'refunded_elsewhere' AND data LIKE '%\"amount\":100%'";
    let bench = Bench::start(shop.database).await;
    let receiver = Receiver::open().await;
    made(&bench.shop, &bench.shop.sign_in("boss", &["admin"]).await, everything(&receiver.url)).await;
    let (order, payment, amount) = paid(&bench).await;
    refund_unheard(&bench, &payment, 100).await;
    for _ in 0..2 {
        later(&bench, 6 * MINUTE).await;
    }
    assert_eq!((bench.count(ELSEWHERE).await, bench.count(OF_A_DOLLAR).await), (1, 1));
    refund_unheard(&bench, &payment, 50).await;
    for _ in 0..2 {
        later(&bench, 6 * MINUTE).await;
    }
    assert_eq!((bench.count(ELSEWHERE).await, bench.count(OF_A_DOLLAR).await), (2, 1));
    // Our own refund is recorded by itself.
    super::refunding::give_back(&bench, &order).await;
    for _ in 0..2 {
        later(&bench, 6 * MINUTE).await;
    }
    let sum = "SELECT CAST(SUM(amount) AS BIGINT) FROM refunds WHERE status = 'settled'";
    assert_eq!((bench.count(ELSEWHERE).await, bench.count(sum).await), (2, amount - 150));
    assert_eq!(bench.count("SELECT COUNT(*) FROM order_history WHERE kind = 'refunded'").await, 1);
    // Other systems are told of each; those of the dashboard are no refunds of the shop.
    let told: Vec<Value> = receiver.of_kind("order.refunded").iter().map(|told| told.json()["data"].clone()).collect();
    let mut amounts: Vec<(i64, bool)> =
        told.iter().map(|data| (data["amount"].as_i64().unwrap(), data["refund"].is_string())).collect();
    amounts.sort_unstable();
    assert_eq!(amounts, [(50, false), (100, false), (amount - 150, true)]);
}
