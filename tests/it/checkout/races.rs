//! Concurrent operations that must exclude one another: refunds of one payment, and the end of a reservation with its payment. And the end
//! of many reservations at a time.

use std::sync::Arc;

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use shop_base::money::Money;
use shop_base::sql;
use shop_demo::square::faults::{Operation, Point};
use shop_domain::sales::flows::add_refund;
use shop_domain::sales::flows::reconcile::{reconcile, release_stock};
use shop_domain::sales::flows::remind_pickups::remind_and_release;
use shop_domain::sales::records::orders;
use shop_domain::sales::records::orders::history::{Event, EventKind};
use shop_domain::sales::records::payments::attempts;
use shop_domain::sales::records::payments::provider::RefundRequest;
use shop_domain::stock;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::bench::{Bench, PAPERS, PIPE_TOOL};
use super::emails::open;
use super::pickups::{readied, waiting};
use crate::support::{Database, OnPostgres, OnSqlite, Test, TestShop, rounds, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    twenty_refunds_at_once_give_back_what_was_paid,
    refunds_beside_the_dashboards_never_exceed_what_was_paid,
    a_reservation_that_ends_while_it_is_paid_is_kept_or_the_money_is,
    two_runs_at_once_release_nothing_early,
    an_order_that_is_just_no_longer_ready_is_not_called_a_week_old,
    a_hold_that_was_just_renewed_is_not_released,
    one_run_releases_all_holds_that_have_ended,
    a_hold_that_cannot_be_released_delays_no_other,
    a_lost_job_that_cannot_be_added_delays_no_other,
    a_page_is_not_answered_with_the_order_of_another,
    a_page_that_asks_is_not_told_of_the_order_of_another,
];

/// How many connections wait for a lock (PostgreSQL).
const WAITING: &str =
    "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Requests a refund of the remaining amount, as a cancellation does.
async fn give_back(bench: &Bench, order: Uuid) {
    let app = &bench.shop.app;
    let mut tx = app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    let order = orders::service::lock(&mut conn, order).await.unwrap();
    let mut attempt = attempts::list(&mut conn, order.id).await.unwrap().pop().unwrap();
    add_refund::add_rest(&mut conn, app, &order, &mut attempt, "Returned", None, None).await.unwrap();
    tx.commit().await.unwrap();
}

/// A paid order: its id, and its payment in the provider's records.
async fn paid(bench: &Bench) -> (Uuid, Value) {
    let body = bench.order(PIPE_TOOL, 1).await;
    bench.pay(&body).await.assert_status(200);
    bench.work().await;
    let checkout: Uuid = serde_json::from_value(body["checkout_id"].clone()).unwrap();
    let mut reader = bench.shop.app.db.read().await.unwrap();
    let order = orders::service::find_by_checkout(&mut reader.conn(), checkout).await.unwrap().unwrap();
    let reference = order.attempt_id.unwrap().to_string();
    let payment = payment(bench, &reference);
    (order.id, payment)
}

fn payment(bench: &Bench, reference: &str) -> Value {
    bench.stand_in.payments().into_iter().find(|payment| payment["reference_id"] == reference).unwrap()
}

/// The paid and the refunded amount, asserted to be the same at the provider and in the shop.
async fn assert_agreed(bench: &Bench, reference: &str) -> (i64, i64) {
    let payment = payment(bench, reference);
    let amount = payment["amount_money"]["amount"].as_i64().unwrap();
    let refunded = payment["refunded_money"]["amount"].as_i64().unwrap_or(0);
    let given: i64 = bench
        .stand_in
        .refunds()
        .iter()
        .filter(|refund| refund["payment_id"] == payment["id"] && refund["status"] == "COMPLETED")
        .map(|refund| refund["amount_money"]["amount"].as_i64().unwrap())
        .sum();
    assert_eq!(given, refunded);
    (amount, refunded)
}

async fn twenty_refunds_at_once_give_back_what_was_paid(shop: TestShop) {
    let bench = Arc::new(Bench::start(shop.database).await);
    for _ in 0..20 {
        let (order, payment) = paid(&bench).await;
        let mut asking = JoinSet::new();
        for at in 0..20 {
            let bench = Arc::clone(&bench);
            asking.spawn(async move {
                give_back(&bench, order).await;
                if at % 5 == 0 {
                    bench.work().await;
                }
            });
        }
        asking.join_all().await;
        bench.let_pass(30).await;
        let (amount, refunded) = assert_agreed(&bench, payment["reference_id"].as_str().unwrap()).await;
        assert_eq!(refunded, amount);
    }
    assert_eq!(bench.stand_in.refunds().len(), 20, "one for each payment");
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders WHERE payment_status = 'refunded'").await, 20);
    bench.assert_books_balance().await;
}

async fn refunds_beside_the_dashboards_never_exceed_what_was_paid(shop: TestShop) {
    let bench = Arc::new(Bench::start(shop.database).await);
    let mut ours = 0;
    for round in 0..20 {
        let (order, payment) = paid(&bench).await;
        let mut asking = JoinSet::new();
        let square = Arc::clone(bench.shop.app.parts.providers.square.as_ref().unwrap());
        let by_hand = RefundRequest {
            idempotency_key: format!("by-hand-{round}"),
            payment_id: payment["id"].as_str().unwrap().to_owned(),
            amount: Money::usd(100),
            reason: "Damaged".to_owned(),
        };
        // The provider rejects any refund that would exceed the payment.
        asking.spawn(async move { drop(square.refund(&by_hand).await) });
        for _ in 0..5 {
            let bench = Arc::clone(&bench);
            asking.spawn(async move {
                give_back(&bench, order).await;
                bench.work().await;
            });
        }
        asking.join_all().await;
        bench.let_pass(30).await;
        let (amount, refunded) = assert_agreed(&bench, payment["reference_id"].as_str().unwrap()).await;
        assert!(refunded == amount || refunded == 100, "{refunded} of {amount}");
        ours += i64::from(refunded == amount);
    }
    // Another call may have made the refund of what was left after one was refused.
    let attention = bench.count("SELECT COUNT(*) FROM orders WHERE attention IS NOT NULL").await;
    let refused = bench.count("SELECT COUNT(DISTINCT order_id) FROM refunds WHERE status = 'failed'").await;
    assert_eq!(attention, refused, "staff see each refund that was refused");
    assert!(refused >= 20 - ours, "{refused} refused, {ours} made");
}

/// The state of the first buyer's payment when the reservation expires.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The provider has it and has not responded.
    Made,
    /// The request is in flight.
    Sent,
    /// The request is in flight, and the shop has given it up.
    GivenUp,
    /// The card was declined; another one is tried.
    Declined,
}

const WAYS: [Way; 4] = [Way::Made, Way::Sent, Way::GivenUp, Way::Declined];

async fn a_reservation_that_ends_while_it_is_paid_is_kept_or_the_money_is(shop: TestShop) {
    const PLACED: &str = "SELECT COUNT(*) FROM orders WHERE status = 'placed'";
    let mut bench = Bench::start(shop.database).await;
    bench.stock(PIPE_TOOL, 1).await;
    let order = bench.order(PIPE_TOOL, 1).await;
    let (mut sold, all) = ([0, 0], rounds(40, 500));
    for seed in 0..2 * all {
        // On a busy machine it may take longer until either has come first.
        if seed >= all && sold.iter().all(|times| *times > 0) {
            break;
        }
        let mut rng = StdRng::seed_from_u64(u64::try_from(seed).unwrap());
        bench.execute("DELETE FROM stock_reservations").await;
        bench.execute("UPDATE stock_levels SET reserved = 0").await;
        bench.stock(PIPE_TOOL, 1).await;
        let before = bench.count(PLACED).await;
        let shared = Arc::new(bench);
        let anew = || {
            let mut order = order.clone();
            order["checkout_id"] = json!(Uuid::now_v7());
            order["click_id"] = json!(Uuid::now_v7());
            order
        };
        let way = WAYS[rng.random_range(0..WAYS.len())];
        let buy = |order: Value| {
            let bench = Arc::clone(&shared);
            tokio::spawn(async move { bench.pay(&order).await.status.as_u16() })
        };
        let mut first_order = anew();
        let (mut first, mut second, mut hold) = (None, None, None);
        if way == Way::Declined {
            first_order["source_id"] = json!("cnon:card-nonce-declined");
            shared.pay(&first_order).await.assert_status(402);
            first_order["source_id"] = order["source_id"].clone();
            first_order["click_id"] = json!(Uuid::now_v7());
        } else {
            let point = if way == Way::Made { Point::BeforeAnswer } else { Point::BeforeCommit };
            let mut held = shared.stand_in.faults.hold(Operation::CreatePayment, point);
            first = Some(buy(first_order.clone()));
            assert!(held.reached().await);
            hold = Some(held);
        }
        if way == Way::GivenUp {
            for _ in 0..2 {
                shared.shop.clock.advance(31_000);
                shared.work().await;
            }
        }
        shared.shop.clock.advance(rng.random_range(13..=17) * MINUTE);
        // The cleanup, another buyer, and the provider's response or the buyer's second card: in random order and almost simultaneously.
        let mut steps = [0, 0, 1, 2];
        steps.shuffle(&mut rng);
        let mut cleaning = JoinSet::new();
        for step in steps {
            match step {
                0 => {
                    let bench = Arc::clone(&shared);
                    bench.shop.clock.advance(rng.random_range(0..40_000));
                    cleaning.spawn(async move { bench.work().await });
                    if rng.random() {
                        cleaning.join_next().await;
                    }
                }
                1 => second = Some(buy(anew())),
                _ if way == Way::Declined => first = Some(buy(first_order.clone())),
                _ => drop(hold.take()),
            }
            for _ in 0..rng.random_range(0..200) {
                tokio::task::yield_now().await;
            }
        }
        let statuses = [first.unwrap().await.unwrap(), second.unwrap().await.unwrap()];
        cleaning.join_all().await;
        for _ in 0..3 {
            shared.shop.clock.advance(MINUTE + 1_000);
            shared.work().await;
        }
        assert!(statuses.iter().all(|status| [200, 202, 409].contains(status)), "{seed}: {statuses:?}");
        shared.assert_stock_is_exact().await;
        let taken = shared.count("SELECT COUNT(*) FROM stock_reservations WHERE state = 'sold'").await;
        let placed = shared.count(PLACED).await - before;
        let told: i64 = statuses.iter().map(|status| i64::from(*status == 200)).sum();
        let is_sold_once = told <= placed && placed == taken && taken <= 1;
        assert!(is_sold_once, "{seed}: {statuses:?}, {placed} orders are placed and {taken} have the goods");
        for (status, sold) in statuses.iter().zip(&mut sold) {
            *sold += i64::from(*status == 200);
        }
        let held = shared.payments().iter().filter(|status| *status == "APPROVED").count();
        assert_eq!(held, 0, "{seed}: money is held for nobody");
        bench = Arc::into_inner(shared).unwrap();
    }
    bench.assert_books_balance().await;
    assert!(sold.iter().all(|times| *times > 0), "either of them came first at times: {sold:?}");
}

async fn two_runs_at_once_release_nothing_early(shop: TestShop) {
    let (bench, _mailbox) = open(&shop).await;
    let mut bench = bench;
    for _ in 0..8 {
        let (number, _) = waiting(&bench).await;
        bench = readied(bench, &number).await;
    }
    bench.shop.clock.advance(3 * DAY + 600_000);
    let run = || remind_and_release(&bench.shop.app);
    let (one, two, three) = tokio::join!(run(), run(), run());
    assert!(one.is_ok() && two.is_ok() && three.is_ok(), "{one:?} {two:?} {three:?}");
    let placed = "SELECT COUNT(*) FROM orders WHERE status = 'placed'";
    assert_eq!(bench.count(placed).await, 8, "only reminded of");
    assert_eq!(bench.count("SELECT COUNT(*) FROM order_history WHERE kind = 'pickup_reminded'").await, 8);
}

/// Staff undo that it is ready while the job waits for the order.
async fn an_order_that_is_just_no_longer_ready_is_not_called_a_week_old(OnPostgres(shop): OnPostgres) {
    let (bench, _mailbox) = open(&shop).await;
    let (number, _) = waiting(&bench).await;
    let bench = readied(bench, &number).await;
    bench.shop.clock.advance(3 * DAY + 600_000);
    let order = bench.id("SELECT id FROM orders").await;
    let mut undoing = bench.shop.app.db.begin().await.unwrap();
    orders::service::lock(&mut undoing.conn(), order).await.unwrap();
    let app = bench.shop.app.clone();
    let reminding = tokio::spawn(async move { remind_and_release(&app).await });
    until("the job waits", async || bench.count(WAITING).await > 0).await;
    let undone = Event::new(EventKind::PickupReadyUndone, json!({})).by("staff test");
    orders::service::record(&mut undoing.conn(), bench.shop.app.clock.as_ref(), order, &undone).await.unwrap();
    undoing.commit().await.unwrap();
    reminding.await.unwrap().unwrap();
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders WHERE attention IS NOT NULL").await, 0);
}

/// The buyer clicks again while the job waits for the order.
async fn a_hold_that_was_just_renewed_is_not_released(OnPostgres(shop): OnPostgres) {
    let (bench, _mailbox) = open(&shop).await;
    let body = bench.pickup(PAPERS, 1).await;
    bench.pay(&body).await.assert_status(202);
    bench.shop.clock.advance(2 * HOUR + 1000);
    let order = bench.id("SELECT id FROM orders").await;
    let mut clicking = bench.shop.app.db.begin().await.unwrap();
    orders::service::lock(&mut clicking.conn(), order).await.unwrap();
    let app = bench.shop.app.clone();
    let releasing = tokio::spawn(async move { release_stock(&app).await });
    until("the job waits", async || bench.count(WAITING).await > 0).await;
    const RENEW: &str = "UPDATE stock_reservations SET expires_at = expires_at + 7200000";
    sql!(&mut clicking.conn(), c => sqlx::query(RENEW).execute(c).await.map(drop)).unwrap();
    clicking.commit().await.unwrap();
    releasing.await.unwrap().unwrap();
    assert_eq!(bench.count("SELECT COUNT(*) FROM stock_reservations WHERE state = 'held'").await, 1);
}

/// Unfinished checkouts whose holds have ended. They share two goods and two codes.
async fn with_ended_holds(database: Database, count: usize) -> Bench {
    // In two orders, since a transaction that releases several has to lock all codes and goods in one.
    const REDEEM: &str = "INSERT INTO promo_redemptions (order_id, promo_id, customer)
        SELECT o.id, p.id, o.number FROM orders o
        JOIN stock_reservations r ON r.order_id = o.id JOIN product_variants v ON v.id = r.variant_id
        JOIN promo_codes p ON p.code = CASE v.sku WHEN 'TWT-SIN' THEN 'WELCOME10' ELSE 'BRIAR5' END";
    const USE: &str = "UPDATE promo_codes
        SET used = (SELECT COUNT(*) FROM promo_redemptions r WHERE r.promo_id = promo_codes.id)";
    let mut bench = Bench::start(database).await;
    bench.stock(PIPE_TOOL, 1_000).await;
    bench.stock(PAPERS, 1_000).await;
    let goods = [bench.variant(PIPE_TOOL).await, bench.variant(PAPERS).await];
    let app = &bench.shop.app;
    let until = app.clock.now_ms() + 15 * MINUTE;
    for variant in goods.into_iter().cycle().take(count) {
        let mut tx = app.db.begin().await.unwrap();
        let mut conn = tx.conn();
        let (order, is_new) = orders::service::open(&mut conn, app, Uuid::now_v7()).await.unwrap();
        let held = stock::service::hold(&mut conn, app.clock.as_ref(), order.id, is_new, &[(variant, 1)], until).await;
        held.unwrap().unwrap();
        tx.commit().await.unwrap();
    }
    bench.execute(REDEEM).await;
    bench.execute(USE).await;
    bench.shop.clock.advance(16 * MINUTE);
    bench
}

const HELD: &str = "SELECT COUNT(*) FROM stock_reservations WHERE state = 'held'";

async fn one_run_releases_all_holds_that_have_ended(shop: TestShop) {
    let bench = with_ended_holds(shop.database, 120).await;
    let before = bench.transactions();
    release_stock(&bench.shop.app).await.unwrap();
    let taken = bench.transactions() - before;
    assert_eq!(bench.count(HELD).await, 0);
    // Each waits for SQLite's only writer.
    assert!(shop.database == Database::Postgres || taken <= 10, "{taken} transactions");
    let used = "SELECT CAST(SUM(used) AS BIGINT) + (SELECT COUNT(*) FROM promo_redemptions) FROM promo_codes";
    assert_eq!(bench.count(used).await, 0);
    bench.assert_stock_is_exact().await;
}

/// SQLite releases several in one transaction.
async fn a_hold_that_cannot_be_released_delays_no_other(OnSqlite(shop): OnSqlite) {
    let bench = with_ended_holds(shop.database, 30).await;
    bench
        .execute(
            "UPDATE stock_reservations SET expires_at = 0
            WHERE order_id = (SELECT order_id FROM stock_reservations LIMIT 1)",
        )
        .await;
    bench
        .execute(
            "CREATE TRIGGER stuck BEFORE UPDATE OF state ON stock_reservations WHEN OLD.expires_at = 0
            BEGIN SELECT RAISE(ABORT, 'stuck'); END",
        )
        .await;
    release_stock(&bench.shop.app).await.unwrap();
    assert_eq!(bench.count(HELD).await, 1);
    bench.assert_stock_is_exact().await;
}

/// SQLite adds several in one transaction.
async fn a_lost_job_that_cannot_be_added_delays_no_other(OnSqlite(shop): OnSqlite) {
    const CAPTURES: &str = "SELECT COUNT(*) FROM jobs WHERE name = 'capture_payment'";
    let bench = Bench::start(shop.database).await;
    for _ in 0..2 {
        bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    }
    bench.execute("DELETE FROM jobs WHERE name = 'capture_payment'").await;
    bench
        .execute(
            "CREATE TRIGGER stuck BEFORE UPDATE OF look_at ON payment_attempts
            WHEN OLD.id = (SELECT MIN(id) FROM payment_attempts)
            BEGIN SELECT RAISE(ABORT, 'stuck'); END",
        )
        .await;
    bench.shop.clock.advance(3 * MINUTE);
    let payments = bench.shop.app.payments();
    assert!(reconcile(&payments).await.is_err());
    assert_eq!(bench.count(CAPTURES).await, 1);
    bench.execute("DROP TRIGGER stuck").await;
    reconcile(&payments).await.unwrap();
    assert_eq!(bench.count(CAPTURES).await, 2);
}

/// Two tabs go on with one checkout, each with the cart of its time.
async fn a_page_is_not_answered_with_the_order_of_another(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let mut first = bench.order(PIPE_TOOL, 1).await;
    first["source_id"] = json!("cnon:card-nonce-declined");
    bench.pay(&first).await.assert_problem(402, "declined");
    (first["source_id"], first["click_id"]) = (json!("cnon:card-nonce-ok"), json!(Uuid::now_v7()));
    let mut second = bench.order(PIPE_TOOL, 2).await;
    second["checkout_id"] = first["checkout_id"].clone();
    // While the first one's card is being charged, and after it.
    let mut hold = bench.stand_in.faults.hold(Operation::CreatePayment, Point::BeforeAnswer);
    let (placed, ()) = tokio::join!(bench.pay(&first), async {
        assert!(hold.reached().await);
        bench.pay(&second).await.assert_problem(409, "payment_open");
        hold.release();
    });
    let placed = placed.assert_status(200).json();
    bench.pay(&second).await.assert_problem(409, "checkout_over");
    // Also where both cost the same.
    let mut swapped = first.clone();
    (swapped["items"][0]["id"], swapped["click_id"]) = (json!(bench.variant(PAPERS).await), json!(Uuid::now_v7()));
    bench.pay(&swapped).await.assert_problem(409, "checkout_over");
    // The same click, and another one on a page that shows the same order, are not a second order.
    assert_eq!(bench.pay(&first).await.assert_status(200).json(), placed);
    first["click_id"] = json!(Uuid::now_v7());
    assert_eq!(bench.pay(&first).await.assert_status(200).json(), placed);
    second["checkout_id"] = json!(Uuid::now_v7());
    let other = bench.pay(&second).await.assert_status(200).json();
    assert_ne!(other["number"], placed["number"]);
    bench.work().await;
    assert_eq!(bench.payments().iter().filter(|status| *status == "COMPLETED").count(), 2);
    bench.assert_books_balance().await;
    bench.assert_stock_is_exact().await;
}

/// Their answers were lost, or they were reloaded.
async fn a_page_that_asks_is_not_told_of_the_order_of_another(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let mut second = bench.order(PIPE_TOOL, 2).await;
    second["source_id"] = json!("cnon:card-nonce-declined");
    bench.pay(&second).await.assert_problem(402, "declined");
    bench.ask(&second).await.assert_problem(402, "declined");
    let mut first = bench.order(PIPE_TOOL, 3).await;
    first["checkout_id"] = second["checkout_id"].clone();
    let mut swapped = first.clone();
    (swapped["items"][0]["id"], swapped["click_id"]) = (json!(bench.variant(PAPERS).await), json!(Uuid::now_v7()));
    let mut fewer = first.clone();
    (fewer["items"][0]["qty"], fewer["click_id"]) = (json!(2), json!(Uuid::now_v7()));
    // The shop has it no longer, so the order is without it.
    first["items"].as_array_mut().unwrap().push(json!({ "id": Uuid::now_v7(), "qty": 1 }));
    let mut hold = bench.stand_in.faults.hold(Operation::CreatePayment, Point::BeforeAnswer);
    let (placed, ()) = tokio::join!(bench.pay(&first), async {
        assert!(hold.reached().await);
        bench.ask(&first).await.assert_status(202);
        for other in [&second, &swapped, &fewer] {
            bench.ask(other).await.assert_problem(409, "payment_open");
        }
        hold.release();
    });
    let placed = placed.assert_status(200).json();
    assert_eq!(bench.ask(&first).await.assert_status(200).json(), placed);
    for other in [&second, &swapped] {
        let told = bench.ask(other).await.assert_problem(409, "checkout_over").json();
        assert!(told["detail"].as_str().unwrap().contains(placed["number"].as_str().unwrap()), "{told}");
        bench.pay(other).await.assert_problem(409, "checkout_over");
    }
    // Another click on a page that shows the same order, and a page of a former release.
    first["click_id"] = json!(Uuid::now_v7());
    assert_eq!(bench.ask(&first).await.assert_status(200).json(), placed);
    let path = format!("/api/checkout/{}", first["checkout_id"].as_str().unwrap());
    assert_eq!(bench.shop.get(&path).await.assert_status(200).json(), placed);
    for (field, query) in
        [("click_id", "click_id=1"), ("expected_total", "expected_total=6.48"), ("items", "items=TWT-SIN")]
    {
        let told = bench.shop.get(&format!("{path}?{query}")).await.assert_problem(422, "invalid").json();
        assert!(told["errors"][field].is_array(), "{told}");
    }
}
