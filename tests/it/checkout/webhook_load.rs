//! Many events of the provider at once, beside purchases: each is taken and processed once, and nobody is refused. How long the provider
//! waits for an answer is measured by `tests/bench/webhooks.mjs`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::{Value, json};
use shop_demo::square::faults::{Fault, Operation, Rule};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::bench::{Bench, PIPE_TOOL};
use super::crowd::beside_others;
use super::webhooks::{deliver, signed};
use crate::support::{QUICK, Test, TestShop, Worker, is_full, rounds, until};
use crate::tests;

pub const TESTS: &[Test] = tests![a_hundred_events_at_a_time_are_each_processed_once];

/// Events that wait for their answer at any time.
const AT_ONCE: usize = 100;
/// Orders that the events are about.
const PAID: usize = 20;
const BUYERS: usize = 8;

/// Sends the next of these events until all are sent; one in five is sent twice at the same time.
async fn send(bench: Arc<Bench>, events: Arc<Vec<Value>>, next: Arc<AtomicUsize>) {
    let url = &bench.shop.app.config.square.as_ref().unwrap().webhook_url;
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let Some(event) = events.get(number) else { return };
        let webhook = signed(url, event);
        let call = || deliver(&bench, &webhook);
        if number % 5 == 4 {
            let (one, other) = tokio::join!(beside_others(call), beside_others(call));
            one.assert_status(200);
            other.assert_status(200);
        } else {
            beside_others(call).await.assert_status(200);
        }
    }
}

/// Buys until the events are sent, at least twice.
async fn buy(bench: Arc<Bench>, is_over: Arc<AtomicBool>) -> usize {
    let mut bought = 0;
    while bought < 2 || !is_over.load(Ordering::Relaxed) {
        let order = bench.order(PIPE_TOOL, 1).await;
        beside_others(|| bench.pay(&order)).await.assert_status(200);
        bought += 1;
    }
    bought
}

/// Whoever waits for a connection or a lock beyond its limit gets an error. In the long proof, which has the machine for itself, nobody waits
/// so long; beside other tests such a call is sent again, and such a job is tried again.
async fn a_hundred_events_at_a_time_are_each_processed_once(shop: TestShop) {
    const HISTORY: &str = "SELECT COUNT(*) FROM order_history";
    const STORED: &str = "SELECT COUNT(*) FROM webhook_events";
    const SETTLED: &str = "SELECT COUNT(*) FROM webhook_events WHERE outcome = 'settled'";
    const OPEN: &str = "SELECT COUNT(*) FROM webhook_events WHERE processed_at IS NULL";
    const JOBS: &str = "SELECT COUNT(*) FROM jobs WHERE name = 'webhook'";
    const HELD: &str = "SELECT COUNT(*) FROM payment_attempts WHERE status <> 'captured'";
    let mut bench = Bench::start(shop.database).await;
    bench.stock(PIPE_TOOL, 1_000_000).await;
    for _ in 0..PAID {
        bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    }
    bench.work().await;
    let history = bench.count(HISTORY).await;
    let payments = bench.stand_in.payments();
    let all = rounds(300, 6_000);
    let about = |payment: &Value| {
        json!({
            "merchant_id": "stand-in", "type": "payment.updated", "event_id": Uuid::now_v7(),
            "data": { "type": "payment", "id": payment["id"], "object": { "payment": payment } },
        })
    };
    let events: Arc<Vec<Value>> = Arc::new(payments.iter().cycle().take(all).map(about).collect());
    let never = Rule { times: 0, ..Rule::once(Operation::GetPayment, Fault::ServerError) };
    let finds = bench.stand_in.faults.add(never);

    let bench = Arc::new(bench);
    let _worker = Worker::start(&bench.shop.app.for_jobs(), QUICK);
    let is_over = Arc::new(AtomicBool::new(false));
    let mut buyers = JoinSet::new();
    for _ in 0..BUYERS {
        buyers.spawn(buy(Arc::clone(&bench), Arc::clone(&is_over)));
    }
    let next = Arc::new(AtomicUsize::new(0));
    let mut senders = JoinSet::new();
    for _ in 0..AT_ONCE {
        senders.spawn(send(Arc::clone(&bench), Arc::clone(&events), Arc::clone(&next)));
    }
    senders.join_all().await;
    is_over.store(true, Ordering::Relaxed);
    let bought: usize = buyers.join_all().await.into_iter().sum();

    let failed = || match is_full() {
        true => 0,
        false => bench.shop.app.parts.jobs.runs().values().map(|runs| runs.failed).sum::<u64>(),
    };
    // The clock stands still unless a job waits for its next try, which comes after two seconds.
    let count = async |statement: &'static str| {
        if failed() > 0 {
            bench.shop.clock.advance(100);
        }
        bench.count(statement).await
    };
    let mut left = bench.count(OPEN).await;
    while left > 0 {
        until("another event is processed", async || count(OPEN).await < left).await;
        left = bench.count(OPEN).await;
    }
    until("no job of an event is left", async || count(JOBS).await == 0).await;
    let number = i64::try_from(all).unwrap();
    assert_eq!((bench.count(STORED).await, bench.count(SETTLED).await), (number, number));
    let finds = bench.stand_in.faults.counts()[finds].matched;
    let once = u64::try_from(all).unwrap();
    assert!((once..=once + failed()).contains(&finds), "the provider is asked once for each event: {finds} for {once}");

    until("all that was bought is captured", async || count(HELD).await == 0).await;
    assert_eq!(bench.payments(), vec!["COMPLETED"; PAID + bought]);
    let each = history / i64::try_from(PAID).unwrap();
    let orders = i64::try_from(PAID + bought).unwrap();
    assert_eq!(bench.count(HISTORY).await, each * orders, "events about an order leave nothing more in its history");
    bench.assert_books_balance().await;
}
