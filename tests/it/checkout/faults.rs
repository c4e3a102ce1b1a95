//! Failures between the shop and the payment provider lose nothing. Each test asserts that its fault occurred.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use shop_demo::square::faults::{Fault, Operation, Point, Rule};
use shop_domain::sales::flows::reconcile::reconcile;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use super::bench::{Bench, PIPE_TOOL};
use super::crowd::pay_in_a_crowd;
use crate::support::{Test, TestShop, rounds};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_hundred_lost_answers_are_a_hundred_captures,
    a_payment_that_was_made_unheard_is_found,
    a_payment_that_was_never_made_is_forbidden_and_the_stock_freed,
    a_payment_that_comes_after_all_is_let_go,
    a_payment_that_nobody_can_ask_for_ends_after_eight_days,
    a_click_that_is_sent_again_takes_the_place_of_a_lost_one,
    a_click_that_is_sent_again_waits_for_no_clock,
    money_for_goods_that_are_gone_goes_back,
    money_that_was_taken_for_them_all_the_same_is_refunded,
    stock_that_nobody_pays_for_is_freed,
    what_was_stored_while_the_clock_was_ahead_is_looked_at,
    what_was_stored_minutes_ahead_is_looked_at_at_once,
    a_payment_that_ends_before_it_is_taken_cancels_the_order,
    a_shopper_who_goes_away_still_has_paid,
    a_shopper_who_goes_away_while_a_click_is_sent_again_has_paid,
];

async fn a_hundred_lost_answers_are_a_hundred_captures(shop: TestShop) {
    let mut bench = Bench::start(shop.database).await;
    bench.stock(PIPE_TOOL, 1_000).await;
    let rules = [Operation::CreatePayment, Operation::CompletePayment].map(|operation| {
        // The response to each first attempt is lost; the retry with the same key gets one.
        bench.stand_in.faults.add(Rule { times: 100, ..Rule::once(operation, Fault::LoseResponse) })
    });
    let bench = Arc::new(bench);
    let mut buyers = JoinSet::new();
    for _ in 0..100 {
        let order = bench.order(PIPE_TOOL, 1).await;
        let bench = Arc::clone(&bench);
        buyers.spawn(async move { pay_in_a_crowd(&bench.shop, &bench.shop.age_cookie(), &order).await });
    }
    let statuses = buyers.join_all().await;
    assert!(statuses.iter().all(|status| [200, 202].contains(status)), "{statuses:?}");
    bench.let_pass(180).await;
    for rule in rules {
        assert_eq!(bench.stand_in.faults.fired(rule), 100);
    }
    assert_eq!(bench.payments(), vec!["COMPLETED"; 100]);
    bench.assert_books_balance().await;
}

/// Pays without getting a response before the client gives up.
async fn pay_unheard(bench: &Bench, fault: Fault) -> Value {
    let rule = bench.stand_in.faults.add(Rule { times: 3, ..Rule::once(Operation::CreatePayment, fault) });
    let order = bench.order(PIPE_TOOL, 1).await;
    let answer = bench.pay(&order).await.assert_status(202).json();
    assert_eq!(answer["status"], "pending");
    assert_eq!(bench.stand_in.faults.fired(rule), 3);
    order
}

async fn status(bench: &Bench, order: &Value) -> u16 {
    let path = format!("/api/checkout/{}", order["checkout_id"].as_str().unwrap());
    bench.shop.get(&path).await.status.as_u16()
}

async fn a_payment_that_was_made_unheard_is_found(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let order = pay_unheard(&bench, Fault::LoseResponse).await;
    assert_eq!(bench.payments(), ["APPROVED"]);
    assert_eq!(status(&bench, &order).await, 202);
    // While the outcome is unknown, another click returns the pending attempt instead of making a second one.
    let mut again = order.clone();
    again["click_id"] = json!(uuid::Uuid::now_v7());
    bench.pay(&again).await.assert_status(202);
    bench.let_pass(120).await;
    assert_eq!((status(&bench, &order).await, bench.payments()), (200, vec!["COMPLETED".to_owned()]));
    bench.assert_books_balance().await;
}

async fn a_payment_that_was_never_made_is_forbidden_and_the_stock_freed(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let order = pay_unheard(&bench, Fault::ServerError).await;
    bench.let_pass(120).await;
    assert_eq!(status(&bench, &order).await, 409, "it ended without money");
    let mut again = order.clone();
    again["click_id"] = json!(uuid::Uuid::now_v7());
    bench.pay(&again).await.assert_status(200);
    bench.work().await;
    bench.assert_books_balance().await;
    // And one to which the buyer never returns.
    pay_unheard(&bench, Fault::ServerError).await;
    bench.let_pass(120).await;
    bench.shop.clock.advance(20 * 60 * 1000);
    bench.work().await;
    assert_eq!(bench.count("SELECT COUNT(*) FROM stock_reservations WHERE state = 'held'").await, 0);
    bench.assert_books_balance().await;
}

async fn a_payment_that_comes_after_all_is_let_go(shop: TestShop) {
    let bench = Arc::new(Bench::start(shop.database).await);
    // Held for longer than the shop waits, so the shop has canceled the payment before it is executed.
    let mut hold = bench.stand_in.faults.hold(Operation::CreatePayment, Point::BeforeCommit);
    let order = bench.order(PIPE_TOOL, 1).await;
    let paying = {
        let (bench, order) = (Arc::clone(&bench), order.clone());
        tokio::spawn(async move { bench.pay(&order).await.status.as_u16() })
    };
    assert!(hold.reached().await);
    bench.let_pass(120).await;
    assert_eq!(bench.count("SELECT COUNT(*) FROM payment_attempts WHERE status = 'voided'").await, 1);
    hold.release();
    assert_eq!(paying.await.unwrap(), 409);
    bench.let_pass(10).await;
    assert_eq!(bench.payments(), ["CANCELED"]);
    bench.assert_books_balance().await;
}

/// The account at the provider is closed, for example.
async fn a_payment_that_nobody_can_ask_for_ends_after_eight_days(shop: TestShop) {
    const HOUR: i64 = 60 * 60 * 1000;
    const DAY: i64 = 24 * HOUR;
    const HELD: &str = "SELECT COUNT(*) FROM stock_reservations WHERE state = 'held'";
    let bench = Bench::start(shop.database).await;
    let order = pay_unheard(&bench, Fault::LoseResponse).await;
    for operation in [Operation::ListPayments, Operation::GetPayment] {
        bench.stand_in.faults.add(Rule { times: u64::MAX, ..Rule::once(operation, Fault::Unauthorized) });
    }
    bench.shop.clock.advance(7 * DAY);
    bench.let_pass(60).await;
    assert_eq!((status(&bench, &order).await, bench.count(HELD).await), (202, 1), "its money may still be held");
    bench.shop.clock.advance(2 * DAY);
    bench.let_pass(60).await;
    assert_eq!(status(&bench, &order).await, 202, "a few failed looks say nothing of the next one");
    for _ in 0..12 {
        bench.shop.clock.advance(HOUR);
        bench.work().await;
    }
    assert_eq!((status(&bench, &order).await, bench.count(HELD).await), (409, 0));
    assert_eq!(
        bench.count("SELECT COUNT(*) FROM orders WHERE attention IS NOT NULL").await,
        1,
        "staff were told before"
    );
    assert_eq!(bench.count("SELECT COUNT(*) FROM payment_attempts WHERE status = 'voided'").await, 1);
    bench.assert_stock_is_exact().await;
}

async fn a_click_that_is_sent_again_takes_the_place_of_a_lost_one(shop: TestShop) {
    for point in [Point::BeforeCommit, Point::BeforeAnswer] {
        let bench = Arc::new(Bench::start(shop.database).await);
        // To its buyer, a request that waits for long is like one whose process was killed.
        let mut hold = bench.stand_in.faults.hold(Operation::CreatePayment, point);
        let order = bench.order(PIPE_TOOL, 1).await;
        let lost = pay_in_background(&bench, &order);
        assert!(hold.reached().await);
        bench.shop.clock.advance(5_000);
        if point == Point::BeforeAnswer {
            // What the provider says of another card is not believed.
            let mut other = order.clone();
            other["source_id"] = json!("cnon:card-nonce-declined");
            bench.pay(&other).await.assert_status(202);
        }
        bench.pay(&order).await.assert_status(200);
        hold.release();
        assert_eq!(lost.await.unwrap(), 200);
        bench.work().await;
        assert_eq!(bench.payments(), ["COMPLETED"]);
        bench.assert_books_balance().await;
    }
}

/// A node was killed before it had the answer, and its clock was ahead of that of the one which gets the click then.
async fn a_click_that_is_sent_again_waits_for_no_clock(shop: TestShop) {
    const LEFT: &str = "UPDATE payment_attempts
        SET status = 'sending', created_at = created_at + 40000, updated_at = updated_at + 40000";
    let bench = Bench::start(shop.database).await;
    let order = pay_unheard(&bench, Fault::LoseResponse).await;
    bench.execute(LEFT).await;
    let again = timeout(Duration::from_secs(20), bench.pay(&order)).await.expect("it is answered soon");
    again.assert_status(200);
    bench.work().await;
    assert_eq!(bench.payments(), ["COMPLETED"]);
    bench.assert_books_balance().await;
}

/// Pays for the last piece, which staff write off while the card is being charged.
async fn pay_for_what_is_gone(bench: &Bench) {
    let mut hold = bench.stand_in.faults.hold(Operation::CreatePayment, Point::BeforeAnswer);
    let order = bench.order(PIPE_TOOL, 1).await;
    let (answer, ()) = tokio::join!(bench.pay(&order), async {
        assert!(hold.reached().await);
        bench.execute("UPDATE stock_reservations SET state = 'released'").await;
        bench.execute("UPDATE stock_levels SET reserved = 0, on_hand = 0 WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')").await;
        hold.release();
    });
    assert!(
        answer.assert_problem(409, "stock_lost").json()["detail"].as_str().unwrap().contains("refunded to your card")
    );
}

async fn money_for_goods_that_are_gone_goes_back(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    pay_for_what_is_gone(&bench).await;
    bench.work().await;
    assert_eq!(bench.payments(), ["CANCELED"], "the hold on the card is gone");
    let seen = "SELECT COUNT(*) FROM orders WHERE status = 'canceled' AND cancel_reason = 'stock_lost' AND attention IS NOT NULL";
    assert_eq!(bench.count(seen).await, 1, "staff see it");
}

async fn money_that_was_taken_for_them_all_the_same_is_refunded(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    pay_for_what_is_gone(&bench).await;
    // Somebody captures the authorized payment in the provider's dashboard before the shop voids it.
    let payment = &bench.stand_in.payments()[0];
    let square = bench.shop.app.parts.providers.square.clone().unwrap();
    square.capture(payment["id"].as_str().unwrap(), None).await.unwrap();
    let lost = bench.stand_in.faults.add(Rule::once(Operation::CreateRefund, Fault::LoseResponse));
    bench.let_pass(30).await;
    assert_eq!(bench.stand_in.faults.fired(lost), 1);
    let refunds = bench.stand_in.refunds();
    assert_eq!(refunds.len(), 1, "{refunds:?}");
    assert_eq!((&refunds[0]["status"], &refunds[0]["amount_money"]), (&json!("COMPLETED"), &payment["amount_money"]));
    assert_eq!(
        bench.count("SELECT COUNT(*) FROM orders WHERE payment_status = 'refunded' AND status = 'canceled'").await,
        1
    );
    assert_eq!(bench.count("SELECT COUNT(*) FROM refunds WHERE status = 'settled'").await, 1);
    // A refund that the provider accepts and then rejects is left to staff.
    let refused = bench.stand_in.faults.add(Rule::once(Operation::CreateRefund, Fault::RejectRefund));
    bench.execute("UPDATE stock_levels SET on_hand = 1 WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')").await;
    pay_for_what_is_gone(&bench).await;
    let payments = bench.stand_in.payments();
    let held = payments.iter().find(|payment| payment["status"] == "APPROVED").unwrap();
    square.capture(held["id"].as_str().unwrap(), None).await.unwrap();
    bench.let_pass(60).await;
    assert_eq!(bench.stand_in.faults.fired(refused), 1);
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders WHERE attention LIKE '%A refund failed%'").await, 1);
}

async fn stock_that_nobody_pays_for_is_freed(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let mut order = bench.order(PIPE_TOOL, 2).await;
    order["source_id"] = json!("cnon:card-nonce-declined");
    bench.pay(&order).await.assert_status(402);
    let held = "SELECT COUNT(*) FROM stock_reservations WHERE state = 'held'";
    bench.shop.clock.advance(14 * 60 * 1000);
    bench.work().await;
    assert_eq!(bench.count(held).await, 1, "held for a quarter of an hour");
    bench.shop.clock.advance(2 * 60 * 1000);
    bench.work().await;
    assert_eq!(bench.count(held).await, 0);
    bench.assert_stock_is_exact().await;
    // The buyer returns and can still pay.
    order["source_id"] = json!("cnon:card-nonce-ok");
    order["click_id"] = json!(uuid::Uuid::now_v7());
    bench.pay(&order).await.assert_status(200);
    bench.work().await;
    bench.assert_books_balance().await;
    // A checkout to which the buyer does not return is abandoned after a day.
    let mut order = bench.order(PIPE_TOOL, 1).await;
    order["source_id"] = json!("cnon:card-nonce-declined");
    bench.pay(&order).await.assert_status(402);
    bench.shop.clock.advance(25 * 60 * 60 * 1000);
    bench.work().await;
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders WHERE cancel_reason = 'abandoned'").await, 1);
    order["click_id"] = json!(uuid::Uuid::now_v7());
    bench.pay(&order).await.assert_problem(409, "checkout_over");
}

/// A clock was a day ahead, and was corrected.
async fn what_was_stored_while_the_clock_was_ahead_is_looked_at(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let order = pay_unheard(&bench, Fault::LoseResponse).await;
    bench
        .execute(
            "UPDATE payment_attempts SET created_at = created_at + 86400000, updated_at = updated_at + 86400000,
            look_at = updated_at + 86400000, absent_at = updated_at + 86400000",
        )
        .await;
    bench.let_pass(120).await;
    assert_eq!((status(&bench, &order).await, bench.payments()), (200, vec!["COMPLETED".to_owned()]));
    bench.assert_books_balance().await;

    let mut order = bench.order(PIPE_TOOL, 2).await;
    order["source_id"] = json!("cnon:card-nonce-declined");
    bench.shop.clock.advance(24 * 60 * 60 * 1000);
    // Ages are proven for a day.
    bench.pay_as(&bench.shop.age_cookie(), &order).await.assert_status(402);
    bench.shop.clock.advance(-24 * 60 * 60 * 1000);
    bench.let_pass(20 * 60).await;
    assert_eq!(bench.count("SELECT COUNT(*) FROM stock_reservations WHERE state = 'held'").await, 0);
}

/// By more than the clocks of two nodes may differ, and by less than the provider's and the shop's.
async fn what_was_stored_minutes_ahead_is_looked_at_at_once(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let order = pay_unheard(&bench, Fault::LoseResponse).await;
    bench
        .execute("UPDATE payment_attempts SET created_at = created_at + 240000, updated_at = updated_at + 240000")
        .await;
    bench.shop.clock.advance(60_000);
    assert_eq!(status(&bench, &order).await, 202);
    reconcile(&bench.shop.app.payments()).await.unwrap();
    assert_eq!(status(&bench, &order).await, 200);
    bench.work().await;
    assert_eq!(bench.payments(), ["COMPLETED"]);
    bench.assert_books_balance().await;
}

async fn a_payment_that_ends_before_it_is_taken_cancels_the_order(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    let id = bench.stand_in.payments()[0]["id"].as_str().unwrap().to_owned();
    bench.shop.app.parts.providers.square.as_ref().unwrap().void(&id).await.unwrap();
    bench.work().await;
    let seen = "SELECT COUNT(*) FROM orders WHERE status = 'canceled' AND cancel_reason = 'payment_lost' AND attention IS NOT NULL
        AND payment_status = 'voided'";
    assert_eq!(bench.count(seen).await, 1);
    assert_eq!(
        bench.count("SELECT COUNT(*) FROM stock_reservations WHERE state = 'sold'").await,
        0,
        "back on the shelf"
    );
    bench.assert_books_balance().await;
}

fn pay_in_background(bench: &Arc<Bench>, order: &Value) -> JoinHandle<u16> {
    let (bench, order) = (Arc::clone(bench), order.clone());
    tokio::spawn(async move { bench.pay(&order).await.status.as_u16() })
}

/// Closes the connection, which drops the request's future.
async fn go_away(paying: JoinHandle<u16>) {
    paying.abort();
    assert!(paying.await.unwrap_err().is_cancelled());
}

async fn paid(bench: &Bench, order: &Value) {
    while status(bench, order).await == 202 {
        tokio::task::yield_now().await;
    }
    assert_eq!(status(bench, order).await, 200);
}

async fn a_shopper_who_goes_away_still_has_paid(shop: TestShop) {
    let mut bench = Bench::start(shop.database).await;
    bench.stock(PIPE_TOOL, 1_000).await;
    let bench = Arc::new(bench);
    let shoppers = rounds(10, 200);
    for number in 0..shoppers {
        // The provider has not made the payment yet, or is about to say that it has.
        let point = [Point::BeforeCommit, Point::BeforeAnswer][number % 2];
        let mut hold = bench.stand_in.faults.hold(Operation::CreatePayment, point);
        let order = bench.order(PIPE_TOOL, 1).await;
        let paying = pay_in_background(&bench, &order);
        assert!(hold.reached().await);
        go_away(paying).await;
        hold.release();
        paid(&bench, &order).await;
    }
    bench.work().await;
    assert_eq!(bench.payments(), vec!["COMPLETED"; shoppers]);
    bench.assert_books_balance().await;
}

async fn a_shopper_who_goes_away_while_a_click_is_sent_again_has_paid(shop: TestShop) {
    let bench = Arc::new(Bench::start(shop.database).await);
    let mut first = bench.stand_in.faults.hold(Operation::CreatePayment, Point::BeforeCommit);
    let order = bench.order(PIPE_TOOL, 1).await;
    let lost = pay_in_background(&bench, &order);
    assert!(first.reached().await);
    bench.shop.clock.advance(5_000);
    let mut second = bench.stand_in.faults.hold(Operation::CreatePayment, Point::BeforeAnswer);
    let again = pay_in_background(&bench, &order);
    assert!(second.reached().await);
    go_away(again).await;
    second.release();
    paid(&bench, &order).await;
    first.release();
    assert_eq!(lost.await.unwrap(), 200);
    bench.work().await;
    assert_eq!(bench.payments(), ["COMPLETED"]);
    bench.assert_books_balance().await;
}
