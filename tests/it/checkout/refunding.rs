//! Refunds that take long: rejected credentials, lost responses, banks that take weeks. And those that a bank takes itself.

use serde_json::Value;
use shop_base::db::Conn;
use shop_base::money::Money;
use shop_demo::square::Options;
use shop_demo::square::faults::{Fault, Operation, Rule};
use shop_domain::sales::flows::add_refund::Parts;
use shop_domain::sales::flows::{add_refund, dispute};
use shop_domain::sales::records::orders;
use shop_domain::sales::records::orders::rows::Order;
use shop_domain::sales::records::payments::provider::Dispute;
use shop_domain::sales::records::payments::rows::Attempt;
use shop_domain::sales::records::payments::{attempts, refunds, store};
use uuid::Uuid;

use super::bench::{Bench, PIPE_TOOL};
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    credentials_that_are_refused_end_no_refund,
    a_refusal_after_a_lost_answer_asks_what_was_made,
    a_refund_whose_key_may_be_forgotten_is_looked_for_first,
    a_refund_after_a_restore_is_not_taken_for_one_from_before,
    a_refund_may_be_pending_for_weeks,
    a_refund_whose_job_is_lost_is_found_by_comparison,
    a_refund_that_fails_is_told_of_once,
    a_refund_that_has_ended_is_not_sent_again,
    what_the_bank_takes_back_is_not_refunded_as_well,
];

const HOUR: i64 = 60 * 60 * 1000;
const DAY: i64 = 24 * HOUR;

async fn later(bench: &Bench, ms: i64) {
    bench.shop.clock.advance(ms);
    bench.work().await;
}

/// Pays, and requests a full refund.
async fn pay_and_give_back(bench: &Bench) {
    let order = bench.order(PIPE_TOOL, 1).await;
    bench.pay(&order).await.assert_status(200);
    bench.work().await;
    give_back(bench, &order).await;
}

/// A paid order, locked, and its payment.
async fn locked(conn: &mut Conn<'_>, order: &Value) -> (Order, Attempt) {
    let checkout: Uuid = serde_json::from_value(order["checkout_id"].clone()).unwrap();
    let order = orders::service::find_by_checkout(conn, checkout).await.unwrap().unwrap();
    orders::service::lock(conn, order.id).await.unwrap();
    let attempt = attempts::list(conn, order.id).await.unwrap().pop().unwrap();
    (order, attempt)
}

/// Requests a full refund of a paid order, without sending it yet.
pub async fn give_back(bench: &Bench, order: &Value) {
    let app = &bench.shop.app;
    let mut tx = app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    let (order, mut attempt) = locked(&mut conn, order).await;
    add_refund::add_rest(&mut conn, app, &order, &mut attempt, "Returned", None, None).await.unwrap();
    tx.commit().await.unwrap();
}

/// The same for one dollar of it.
async fn give_back_a_dollar(bench: &Bench, order: &Value) {
    let app = &bench.shop.app;
    let mut tx = app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    let (_, mut attempt) = locked(&mut conn, order).await;
    let parts = Parts { extra: 100, reason: "A dent".to_owned(), ..Parts::default() };
    add_refund::add(&mut conn, app, &mut attempt, &parts).await.unwrap();
    tx.commit().await.unwrap();
}

const PENDING: &str = "SELECT COUNT(*) FROM refunds WHERE status = 'pending'";
const SETTLED: &str = "SELECT COUNT(*) FROM refunds WHERE status = 'settled'";
const GIVEN_BACK: &str = "SELECT refunded FROM payment_attempts";
const TOLD: &str = "SELECT COUNT(*) FROM order_history WHERE kind = 'attention' AND data LIKE '%hasn’t finished%'";
const DEAD: &str = "SELECT COUNT(*) FROM jobs WHERE dead_at IS NOT NULL";

async fn credentials_that_are_refused_end_no_refund(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let rule = Rule { times: 1_000, ..Rule::once(Operation::CreateRefund, Fault::Unauthorized) };
    let rule = bench.stand_in.faults.add(rule);
    pay_and_give_back(&bench).await;
    for _ in 0..40 {
        later(&bench, 2 * HOUR).await;
    }
    assert!(bench.stand_in.faults.fired(rule) > 10);
    let counts = (bench.count(PENDING).await, bench.count(TOLD).await, bench.count(DEAD).await);
    assert_eq!(counts, (1, 1, 0), "it goes on after three days, and staff were told once");
    bench.stand_in.faults.clear();
    later(&bench, 5 * HOUR).await;
    later(&bench, HOUR).await;
    assert_eq!((bench.count(SETTLED).await, bench.stand_in.refunds().len()), (1, 1));
}

async fn a_refusal_after_a_lost_answer_asks_what_was_made(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let rule = bench.stand_in.faults.add(Rule { times: 3, ..Rule::once(Operation::CreateRefund, Fault::LoseResponse) });
    pay_and_give_back(&bench).await;
    bench.work().await;
    assert_eq!((bench.stand_in.faults.fired(rule), bench.stand_in.refunds().len()), (3, 1), "made, unheard");
    assert_eq!(bench.count(PENDING).await, 1);
    // The provider no longer knows the key, so this is a new request, for more than is left.
    bench.stand_in.forget_keys();
    bench.let_pass(60).await;
    assert_eq!((bench.count(SETTLED).await, bench.stand_in.refunds().len()), (1, 1));
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders WHERE attention IS NOT NULL").await, 0);
    bench.assert_books_balance().await;
}

/// What is left of the payment would do for another refund.
async fn a_refund_whose_key_may_be_forgotten_is_looked_for_first(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let order = bench.order(PIPE_TOOL, 1).await;
    bench.pay(&order).await.assert_status(200);
    bench.work().await;
    let faults = &bench.stand_in.faults;
    let lost = faults.add(Rule { times: 3, ..Rule::once(Operation::CreateRefund, Fault::LoseResponse) });
    faults.add(Rule { times: 1_000, ..Rule::once(Operation::CreateRefund, Fault::Unauthorized) });
    give_back_a_dollar(&bench, &order).await;
    for _ in 0..11 {
        later(&bench, HOUR).await;
    }
    assert_eq!((faults.fired(lost), bench.stand_in.refunds().len()), (3, 1), "made, unheard");
    assert_eq!(bench.count(PENDING).await, 1);
    faults.clear();
    bench.stand_in.forget_keys();
    later(&bench, 5 * HOUR).await;
    later(&bench, HOUR).await;
    assert_eq!((bench.count(SETTLED).await, bench.stand_in.refunds().len()), (1, 1));
}

/// The backup is from before the first refund, of which only the provider knows then.
async fn a_refund_after_a_restore_is_not_taken_for_one_from_before(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let order = bench.order(PIPE_TOOL, 1).await;
    bench.pay(&order).await.assert_status(200);
    bench.work().await;
    give_back_a_dollar(&bench, &order).await;
    bench.let_pass(30).await;
    assert_eq!((bench.count(SETTLED).await, bench.stand_in.refunds().len()), (1, 1));
    bench.execute("DELETE FROM refunds").await;
    bench.execute("UPDATE payment_attempts SET refunded = 0, provider_updated_at = 0").await;
    later(&bench, 6 * 60 * 1000).await;
    assert_eq!(bench.count(GIVEN_BACK).await, 100, "the comparison has found it");
    // The same amount for the same reason.
    give_back_a_dollar(&bench, &order).await;
    bench.let_pass(30).await;
    assert_eq!((bench.count(SETTLED).await, bench.stand_in.refunds().len()), (1, 2));
    later(&bench, 6 * 60 * 1000).await;
    assert_eq!(bench.count(GIVEN_BACK).await, 200);
}

async fn a_refund_may_be_pending_for_weeks(shop: TestShop) {
    let bench = Bench::start_with(shop.database, Options { refund_ms: 20 * DAY, ..Options::fast(None) }).await;
    pay_and_give_back(&bench).await;
    for _ in 0..13 * 6 {
        later(&bench, 4 * HOUR).await;
    }
    assert_eq!((bench.count(PENDING).await, bench.count(TOLD).await, bench.count(DEAD).await), (1, 0, 0));
    for _ in 0..2 * 6 {
        later(&bench, 4 * HOUR).await;
    }
    assert_eq!((bench.count(TOLD).await, bench.count(DEAD).await), (1, 0), "staff look after two weeks");
    for _ in 0..6 * 6 {
        later(&bench, 4 * HOUR).await;
    }
    assert_eq!((bench.count(SETTLED).await, bench.count(TOLD).await), (1, 1));
    assert_eq!(bench.stand_in.refunds().len(), 1);
}

async fn a_refund_whose_job_is_lost_is_found_by_comparison(shop: TestShop) {
    let bench = Bench::start_with(shop.database, Options { refund_ms: HOUR, ..Options::fast(None) }).await;
    pay_and_give_back(&bench).await;
    bench.work().await;
    assert_eq!(bench.count(PENDING).await, 1);
    bench.execute("DELETE FROM jobs WHERE name = 'refund'").await;
    bench.execute("UPDATE refunds SET look_at = 9000000000000").await;
    later(&bench, HOUR).await;
    later(&bench, 6 * 60 * 1000).await;
    assert_eq!(bench.count(SETTLED).await, 1);
}

async fn a_refund_that_fails_is_told_of_once(shop: TestShop) {
    const FAILED: &str = "SELECT COUNT(*) FROM order_history WHERE kind = 'refund_failed'";
    let bench = Bench::start(shop.database).await;
    let order = bench.order(PIPE_TOOL, 1).await;
    let placed = bench.pay(&order).await.assert_status(200).json();
    bench.work().await;
    bench.stand_in.faults.add(Rule::once(Operation::CreateRefund, Fault::RejectRefund));
    give_back(&bench, &order).await;
    bench.let_pass(30).await;
    for _ in 0..2 {
        later(&bench, 6 * 60 * 1000).await;
    }
    assert_eq!((bench.count(FAILED).await, bench.count(PENDING).await), (1, 0));
    let timeline = bench.confirmation(&placed).await["timeline"].clone();
    let last = timeline.as_array().unwrap().last().unwrap();
    let amount = Money::usd(order["expected_total"].as_i64().unwrap()).dollars();
    assert_eq!(last["text"], format!("The refund of {amount} didn’t go through. We’ll contact you."), "{timeline}");
}

/// A node that was stopped for longer than its lease continues with what it read before.
async fn a_refund_that_has_ended_is_not_sent_again(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    pay_and_give_back(&bench).await;
    let refund = bench.id("SELECT id FROM refunds").await;
    let set_sent = async || {
        let mut tx = bench.shop.app.db.begin().await.unwrap();
        let is_first = store::set_sent(&mut tx.conn(), refund, 1).await.unwrap();
        tx.commit().await.unwrap();
        is_first
    };
    assert!(set_sent().await);
    assert!(!set_sent().await, "another worker has sent it");
    bench.let_pass(30).await;
    assert_eq!(bench.count(SETTLED).await, 1);
    bench.execute("UPDATE refunds SET sent_at = NULL").await;
    assert!(!set_sent().await, "it has ended");
    let kept = (bench.count(SETTLED).await, bench.count("SELECT COUNT(*) FROM refunds WHERE sent_at = 1").await);
    assert_eq!(kept, (1, 0));
    bench.work().await;
    assert_eq!(bench.stand_in.refunds().len(), 1);
}

async fn what_the_bank_takes_back_is_not_refunded_as_well(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    bench.work().await;
    let app = &bench.shop.app;
    let id = bench.id("SELECT id FROM payment_attempts").await;
    let attempt = attempts::find(&mut app.db.read().await.unwrap().conn(), id).await.unwrap();
    for (state, updated_at, taken) in [
        ("INQUIRY_PROCESSING", 1, 0),
        ("EVIDENCE_REQUIRED", 3, 200),
        // It was read before, and is stored after.
        ("INQUIRY_CLOSED", 2, 200),
        ("PROCESSING", 4, 200),
        ("WON", 5, 0),
        ("LOST", 6, 200),
    ] {
        let dispute = Dispute {
            id: "D".to_owned(),
            payment_id: "P".to_owned(),
            state: state.to_owned(),
            reason: "NOT_AS_DESCRIBED".to_owned(),
            amount: Money::usd(200),
            due_at: None,
            updated_at,
        };
        dispute::record(app, &attempt, &dispute).await.unwrap();
        let left = refunds::remaining(&mut app.db.read().await.unwrap().conn(), &attempt).await.unwrap();
        assert_eq!(left, attempt.amount - taken, "{state}");
    }
    assert_eq!(bench.count("SELECT COUNT(*) FROM order_history WHERE kind = 'dispute'").await, 5);
}
