//! Many buyers at once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::bench::{Bench, PIPE_TOOL};
use crate::support::{Answer, Test, TestShop, is_full, rounds};
use crate::tests;

pub const TESTS: &[Test] = tests![
    two_hundred_buyers_for_fifty_pieces,
    one_click_sent_twenty_times_is_one_payment,
    a_click_of_another_checkout_is_refused,
    what_changes_nothing_waits_for_nobody,
];

const BUYERS: usize = 200;
const PIECES: i64 = 50;

/// Less than how long a statement waits for a row, or a request for a connection.
const WAIT: Duration = Duration::from_millis(2_900);

/// The answer to one of so many that on a busy machine some wait for a connection or a row in vain, and send the same again.
pub async fn in_a_crowd<F: Future<Output = Answer>>(send: impl Fn() -> F) -> Answer {
    let mut again = 0..20;
    loop {
        let begun = Instant::now();
        let answer = send().await;
        let has_waited = begun.elapsed() > WAIT;
        if answer.status != 503 || !has_waited || again.next().is_none() {
            return answer;
        }
    }
}

/// The same beside other tests. The long proof has the machine for itself: there nobody waits in vain.
pub async fn beside_others<F: Future<Output = Answer>>(send: impl Fn() -> F) -> Answer {
    if is_full() { send().await } else { in_a_crowd(send).await }
}

pub async fn pay_in_a_crowd(shop: &TestShop, cookies: &str, order: &Value) -> u16 {
    in_a_crowd(|| Bench::pay_at(shop, cookies, order)).await.status.as_u16()
}

async fn two_hundred_buyers_for_fifty_pieces(shop: TestShop) {
    let mut bench = Bench::start(shop.database).await;
    let mut orders = Vec::new();
    for _ in 0..BUYERS {
        orders.push(bench.order(PIPE_TOOL, 1).await);
    }
    let all = rounds(4, 20);
    for round in 0..all {
        bench.execute("DELETE FROM stock_reservations").await;
        bench.stock(PIPE_TOOL, PIECES).await;
        let shared = Arc::new(bench);
        let mut buyers = JoinSet::new();
        for order in &orders {
            let (bench, mut order) = (Arc::clone(&shared), order.clone());
            order["checkout_id"] = json!(uuid::Uuid::now_v7());
            order["click_id"] = json!(uuid::Uuid::now_v7());
            buyers.spawn(async move { pay_in_a_crowd(&bench.shop, &bench.shop.age_cookie(), &order).await });
        }
        let statuses = buyers.join_all().await;
        let count = |wanted: u16| i64::try_from(statuses.iter().filter(|status| **status == wanted).count()).unwrap();
        assert_eq!((count(200), count(409)), (PIECES, 150), "round {round}: {statuses:?}");
        bench = Arc::into_inner(shared).unwrap();
        bench.work().await;
        bench.assert_stock_is_exact().await;
        let left = "SELECT on_hand + reserved FROM stock_levels WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')";
        assert_eq!(bench.count(left).await, 0);
    }
    let captured = bench.payments().iter().filter(|status| *status == "COMPLETED").count();
    assert_eq!(captured, all * usize::try_from(PIECES).unwrap());
    assert_eq!(bench.payments().len(), captured, "nobody who came too late was charged");
}

async fn one_click_sent_twenty_times_is_one_payment(shop: TestShop) {
    let bench = Arc::new(Bench::start(shop.database).await);
    let order = bench.order(PIPE_TOOL, 1).await;
    let mut clicks = JoinSet::new();
    for _ in 0..20 {
        let (bench, order) = (Arc::clone(&bench), order.clone());
        clicks.spawn(async move { in_a_crowd(|| bench.pay(&order)).await.assert_status(200).json() });
    }
    let answers = clicks.join_all().await;
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    // Twenty different clicks on the same checkout, too.
    let order = bench.order(PIPE_TOOL, 1).await;
    let mut clicks = JoinSet::new();
    for _ in 0..20 {
        let (bench, mut order) = (Arc::clone(&bench), order.clone());
        order["click_id"] = json!(uuid::Uuid::now_v7());
        clicks.spawn(async move { in_a_crowd(|| bench.pay(&order)).await.assert_status(200).json() });
    }
    assert_eq!(clicks.join_all().await.len(), 20);
    bench.work().await;
    assert_eq!(bench.payments(), ["COMPLETED", "COMPLETED"]);
    bench.assert_books_balance().await;
}

async fn a_click_of_another_checkout_is_refused(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let first = bench.order(PIPE_TOOL, 1).await;
    bench.pay(&first).await.assert_status(200);
    let mut second = bench.order(PIPE_TOOL, 1).await;
    second["click_id"] = first["click_id"].clone();
    bench.pay(&second).await.assert_problem(409, "click_used");
    second["click_id"] = json!(uuid::Uuid::now_v7());
    bench.pay(&second).await.assert_status(200);
    bench.work().await;
    assert_eq!(bench.payments(), ["COMPLETED"; 2]);
    bench.assert_books_balance().await;
}

async fn what_changes_nothing_waits_for_nobody(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let paid = bench.order(PIPE_TOOL, 1).await;
    let placed = bench.pay(&paid).await.assert_status(200).json();
    let mut refused = bench.order(PIPE_TOOL, 1).await;
    refused["expected_total"] = json!(1);
    // On SQLite this locks the only writer, on PostgreSQL the row that a payment would lock.
    let mut tx = bench.shop.app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    shop_base::sql!(&mut conn, c => sqlx::query("UPDATE stock_levels SET updated_at = updated_at").execute(c).await.map(drop))
        .unwrap();
    // What waits for such a lock ends as a 503.
    bench.pay(&refused).await.assert_problem(409, "total_changed");
    assert_eq!(bench.pay(&paid).await.assert_status(200).json(), placed);
}
