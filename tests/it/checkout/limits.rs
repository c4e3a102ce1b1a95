//! Card testing by thieves, and typos by shoppers: how many cards may be tried, and which errors are shown.

use std::sync::Arc;

use serde_json::{Value, json};
use shop_base::sql;
use shop_demo::square::faults::{Fault, Operation, Rule};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::bench::{Bench, PIPE_TOOL};
use super::emails::open;
use crate::support::{Answer, Database, OnPostgres, OnSqlite, Test, TestShop, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    only_the_first_refusal_of_a_checkout_says_what_to_do,
    too_many_refused_cards_have_to_wait,
    tries_at_the_same_time_count_each_other,
    tries_of_one_network_leave_others_their_connections,
    payments_wait_for_nothing_but_sqlites_writer,
    others_lock_no_customer_out,
    a_customers_declined_cards_count_whoever_goes_on,
    what_the_provider_refuses_the_shop_counts_as_no_card,
    a_card_that_was_guessed_is_let_go,
    an_attack_from_many_networks_is_held_up,
    declined_cards_of_one_network_hold_few_goods,
];

const HOUR: i64 = 60 * 60 * 1000;
const HERE: &str = "203.0.113.9";

async fn pay(bench: &Bench, address: &str, body: &Value) -> Answer {
    Bench::pay_from(&bench.shop, address, &bench.shop.age_cookie(), body).await
}

/// A checkout that is paid with one of Square's sandbox tokens.
async fn order(bench: &Bench, token: &str) -> Value {
    let mut body = bench.order(PIPE_TOOL, 1).await;
    body["source_id"] = json!(format!("cnon:card-nonce-{token}"));
    body
}

fn detail(answer: &Answer) -> String {
    answer.assert_problem(402, "declined").json()["detail"].as_str().unwrap().to_owned()
}

async fn only_the_first_refusal_of_a_checkout_says_what_to_do(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let mut further = Vec::new();
    for (first, second) in
        [("rejected-cvv", "declined"), ("declined", "rejected-cvv"), ("rejected-postalcode", "rejected-expiration")]
    {
        let mut body = order(&bench, first).await;
        let told = detail(&bench.pay(&body).await);
        assert_eq!(told.contains("security code"), first != "declined", "{first}: {told}");
        assert_eq!(detail(&bench.pay(&body).await), told, "the same click is told the same");
        body["click_id"] = json!(Uuid::now_v7());
        body["source_id"] = json!(format!("cnon:card-nonce-{second}"));
        further.push(detail(&bench.pay(&body).await));
    }
    assert!(further.iter().all(|told| *told == further[0]), "{further:?}");
    assert!(!further[0].contains("code") && !further[0].contains("date"), "{further:?}");
}

async fn too_many_refused_cards_have_to_wait(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let mut last = Value::Null;
    for _ in 0..4 {
        let mut body = order(&bench, "declined").await;
        for _ in 0..5 {
            body["click_id"] = json!(Uuid::now_v7());
            pay(&bench, HERE, &body).await.assert_status(402);
            last = body.clone();
        }
        body["click_id"] = json!(Uuid::now_v7());
        pay(&bench, HERE, &body).await.assert_problem(409, "too_many_attempts");
    }
    let body = order(&bench, "ok").await;
    let refused = pay(&bench, HERE, &body).await;
    assert_eq!(refused.assert_problem(429, "too_many_requests").header("retry-after"), "3600");
    pay(&bench, HERE, &last).await.assert_status(402);
    pay(&bench, "198.51.100.1", &body).await.assert_status(200);
    // What costs nothing needs no card, also in a checkout in which too many were tried.
    bench.execute("UPDATE promo_codes SET value = 10000 WHERE code = 'WELCOME10'").await;
    let known = format!("{}; {}", bench.shop.sign_in("lucky", &["customer"]).await, bench.shop.age_cookie());
    (last["click_id"], last["email"]) = (json!(Uuid::now_v7()), json!("lucky@shop.example"));
    (last["shipping_method"], last["source_id"], last["expected_total"]) = (json!("pickup"), json!(""), json!(0));
    Bench::pay_from(&bench.shop, HERE, &known, &last).await.assert_problem(409, "total_changed");
    last["promo_code"] = json!("WELCOME10");
    Bench::pay_from(&bench.shop, HERE, &known, &last).await.assert_status(200);
    let body = order(&bench, "ok").await;
    bench.shop.clock.advance(HOUR + 1);
    pay(&bench, HERE, &body).await.assert_status(200);
}

async fn tries_at_the_same_time_count_each_other(shop: TestShop) {
    let bench = Arc::new(Bench::start(shop.database).await);
    let mut tries = JoinSet::new();
    for _ in 0..60 {
        let body = order(&bench, "declined").await;
        let bench = Arc::clone(&bench);
        tries.spawn(async move { pay(&bench, HERE, &body).await.status.as_u16() });
    }
    let statuses = tries.join_all().await;
    let count = |wanted: u16| statuses.iter().filter(|status| **status == wanted).count();
    assert!((20..=40).contains(&bench.payments().len()), "{statuses:?}");
    assert!(count(429) > 0 && count(402) <= 40, "{statuses:?}");
}

/// As many attempts as there are connections, all blocked by an unfinished attempt from the same network on another node.
async fn tries_of_one_network_leave_others_their_connections(OnPostgres(shop): OnPostgres) {
    let bench = Arc::new(Bench::start(shop.database).await);
    let mut bodies = Vec::new();
    for _ in 0..16 {
        bodies.push(order(&bench, "ok").await);
    }
    let of_others = bodies.split_off(12);
    let mut elsewhere = bench.shop.app.db.begin().await.unwrap();
    const COUNTED: &str = "SELECT pg_advisory_xact_lock(hashtextextended('payer 203.0.113.0', 0))";
    sql!(&mut elsewhere.conn(), c => sqlx::query(COUNTED).execute(c).await.map(drop)).unwrap();
    let mut tries = JoinSet::new();
    for body in bodies {
        let bench = Arc::clone(&bench);
        // On a busy machine the lock may be held for longer than a shopper's statement waits for one.
        tries.spawn(async move {
            loop {
                let status = pay(&bench, HERE, &body).await.status.as_u16();
                if status != 503 {
                    return status;
                }
            }
        });
    }
    const WAITING: &str =
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'";
    until("one waits", async || bench.count(WAITING).await > 0).await;
    // One of a thousand networks waits in the same place, so there are four.
    let mut others = JoinSet::new();
    for (number, body) in of_others.into_iter().enumerate() {
        let bench = Arc::clone(&bench);
        others.spawn(async move { pay(&bench, &format!("198.51.{number}.1"), &body).await });
    }
    others.join_next().await.unwrap().unwrap().assert_status(200);
    assert!(bench.count(WAITING).await <= 1, "the others wait outside of the database");
    elsewhere.commit().await.unwrap();
    assert!(tries.join_all().await.iter().all(|status| *status == 200));
    for answer in others.join_all().await {
        answer.assert_status(200);
    }
}

/// Of many networks, and of one: their places are for the connections of PostgreSQL.
async fn payments_wait_for_nothing_but_sqlites_writer(OnSqlite(shop): OnSqlite) {
    let bench = Arc::new(Bench::start(shop.database).await);
    let db = &bench.shop.app.db;
    let mut bodies = Vec::new();
    for _ in 0..12 {
        bodies.push(order(&bench, "ok").await);
    }
    let before = db.begin().await.unwrap();
    let mut buyers = JoinSet::new();
    for body in bodies {
        let bench = Arc::clone(&bench);
        buyers.spawn(async move { pay(&bench, HERE, &body).await });
    }
    let waiting = || db.uses().iter().find(|pool| pool.name == "Writer").unwrap().waiting;
    until("all wait for the writer", async || waiting() >= 12).await;
    before.commit().await.unwrap();
    for answer in buyers.join_all().await {
        answer.assert_status(200);
    }
}

async fn others_lock_no_customer_out(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let age = bench.shop.age_cookie();
    let regular = format!("{}; {age}", bench.shop.sign_in("regular", &["customer"]).await);
    Bench::pay_from(&bench.shop, HERE, &regular, &order(&bench, "ok").await).await.assert_status(200);
    // An order to be paid for in the store costs nothing, so it makes nobody a customer.
    let newcomer = format!("{}; {age}", bench.shop.sign_in("newcomer", &["customer"]).await);
    let mut unpaid = bench.pickup(PIPE_TOOL, 1).await;
    unpaid["email"] = json!("newcomer@shop.example");
    Bench::pay_from(&bench.shop, HERE, &newcomer, &unpaid).await.assert_status(200);
    bench.work().await;
    bench.shop.clock.advance(25 * HOUR);
    let age = bench.shop.age_cookie();
    let regular = format!("{}; {age}", bench.shop.sign_in("regular", &["customer"]).await);
    let newcomer = format!("{}; {age}", bench.shop.sign_in("newcomer", &["customer"]).await);
    for _ in 0..20 {
        pay(&bench, HERE, &order(&bench, "declined").await).await.assert_status(402);
    }
    let refused = Bench::pay_from(&bench.shop, HERE, &newcomer, &order(&bench, "ok").await).await;
    refused.assert_problem(429, "too_many_requests");
    // Nor does money that the shop did not keep.
    for (lose, keep) in [
        (
            "UPDATE payment_attempts SET refunded = amount WHERE status = 'captured'",
            "UPDATE payment_attempts SET refunded = 0",
        ),
        (
            "INSERT INTO disputes (provider, provider_dispute_id, order_id, attempt_id, state, reason, amount, created_at,
                updated_at) SELECT 'square', 'lost', order_id, id, 'LOST', '', amount, 0, 0 FROM payment_attempts
                WHERE status = 'captured'",
            "DELETE FROM disputes",
        ),
    ] {
        bench.execute(lose).await;
        let refused = Bench::pay_from(&bench.shop, HERE, &regular, &order(&bench, "ok").await).await;
        refused.assert_problem(429, "too_many_requests");
        bench.execute(keep).await;
    }
    Bench::pay_from(&bench.shop, HERE, &regular, &order(&bench, "ok").await).await.assert_status(200);
    // An account's declined cards count from any network.
    for number in 0..10 {
        let from = format!("198.51.{number}.1");
        Bench::pay_from(&bench.shop, &from, &regular, &order(&bench, "declined").await).await.assert_status(402);
    }
    let refused = Bench::pay_from(&bench.shop, "192.0.2.1", &regular, &order(&bench, "ok").await).await;
    refused.assert_problem(429, "too_many_requests");
}

/// A checkout that a guest continues becomes the guest's order.
async fn a_customers_declined_cards_count_whoever_goes_on(shop: TestShop) {
    let (bench, _mailbox) = open(&shop).await;
    let session = bench.shop.sign_in("regular", &["customer"]).await;
    let regular = format!("{session}; {}", bench.shop.age_cookie());
    Bench::pay_from(&bench.shop, HERE, &regular, &order(&bench, "ok").await).await.assert_status(200);
    bench.work().await;
    bench.shop.clock.advance(25 * HOUR);
    let session = bench.shop.sign_in("regular", &["customer"]).await;
    let regular = format!("{session}; {}", bench.shop.age_cookie());
    for _ in 0..2 {
        let mut body = order(&bench, "declined").await;
        for _ in 0..4 {
            body["click_id"] = json!(Uuid::now_v7());
            Bench::pay_from(&bench.shop, HERE, &regular, &body).await.assert_status(402);
        }
        let mut pickup = bench.pickup(PIPE_TOOL, 1).await;
        pickup["checkout_id"] = body["checkout_id"].clone();
        pay(&bench, HERE, &pickup).await.assert_status(202);
    }
    for _ in 0..2 {
        let body = order(&bench, "declined").await;
        Bench::pay_from(&bench.shop, HERE, &regular, &body).await.assert_status(402);
    }
    let refused = Bench::pay_from(&bench.shop, HERE, &regular, &order(&bench, "ok").await).await;
    refused.assert_problem(429, "too_many_requests");
}

async fn what_the_provider_refuses_the_shop_counts_as_no_card(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let expired = Rule { times: 20, ..Rule::once(Operation::CreatePayment, Fault::Unauthorized) };
    let expired = bench.stand_in.faults.add(expired);
    let mut body = Value::Null;
    for _ in 0..19 {
        body = order(&bench, "ok").await;
        let told = detail(&pay(&bench, HERE, &body).await);
        assert!(told.contains("nothing was charged"), "{told}");
    }
    // Nor does a checkout take it for a decline.
    let mut told = Vec::new();
    for token in ["ok", "rejected-cvv", "declined"] {
        body["click_id"] = json!(Uuid::now_v7());
        body["source_id"] = json!(format!("cnon:card-nonce-{token}"));
        told.push(detail(&pay(&bench, HERE, &body).await));
    }
    assert!(told[0].contains("nothing was charged") && told[0].contains("try again"), "{told:?}");
    assert!(told[1].contains("security code") && told[2].contains("contact us"), "{told:?}");
    assert_eq!(bench.stand_in.faults.fired(expired), 20);
    pay(&bench, HERE, &order(&bench, "ok").await).await.assert_status(200);
    bench.work().await;
    bench.assert_books_balance().await;
}

async fn a_card_that_was_guessed_is_let_go(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    for _ in 0..10 {
        bench.pay(&order(&bench, "rejected-cvv").await).await.assert_status(402);
    }
    let mut body = order(&bench, "ok").await;
    let told = detail(&bench.pay(&body).await);
    let other = bench.pay(&order(&bench, "declined").await).await;
    assert_ne!(told, detail(&other), "another card's first refusal says what to do");
    bench.work().await;
    let held = bench.payments().into_iter().filter(|status| *status != "FAILED").collect::<Vec<_>>();
    assert_eq!(held, ["CANCELED"], "the hold on the card is gone");
    assert_eq!(detail(&bench.pay(&body).await), told);
    bench.shop.clock.advance(HOUR + 1);
    body["click_id"] = json!(Uuid::now_v7());
    bench.pay(&body).await.assert_status(200);
    bench.work().await;
    bench.assert_books_balance().await;
}

async fn an_attack_from_many_networks_is_held_up(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    bench.pay(&order(&bench, "declined").await).await.assert_status(402);
    // Nine hundred, each from a different network.
    bench
        .execute(match bench.shop.database {
            Database::Sqlite => {
                "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
                INSERT INTO payment_attempts (id, order_id, click_id, number, provider, idempotency_key, amount, currency,
                status, provider_updated_at, refunded, network, created_at, updated_at)
                SELECT randomblob(16), a.order_id, randomblob(16), n.i, a.provider, 'key-' || n.i, a.amount, a.currency,
                a.status, 0, 0, 'network ' || n.i, a.created_at, a.updated_at FROM payment_attempts a CROSS JOIN n"
            }
            Database::Postgres => {
                "INSERT INTO payment_attempts (id, order_id, click_id, number, provider, idempotency_key, amount, currency,
                status, provider_updated_at, refunded, network, created_at, updated_at)
                SELECT gen_random_uuid(), a.order_id, gen_random_uuid(), n.i, a.provider, 'key-' || n.i, a.amount, a.currency,
                a.status, 0, 0, 'network ' || n.i, a.created_at, a.updated_at
                FROM payment_attempts a CROSS JOIN generate_series(2, 900) AS n(i)"
            }
        })
        .await;
    let body = order(&bench, "ok").await;
    pay(&bench, HERE, &body).await.assert_problem(429, "too_many_requests");
    // A large shop has as many declines on any day, next to its successful payments.
    bench.execute("UPDATE payment_attempts SET status = 'captured' WHERE number % 4 = 0").await;
    pay(&bench, HERE, &body).await.assert_status(200);
}

async fn declined_cards_of_one_network_hold_few_goods(shop: TestShop) {
    const HELD: &str = "SELECT CAST(COALESCE(SUM(quantity), 0) AS BIGINT) FROM stock_reservations WHERE state = 'held'";
    let mut bench = Bench::start(shop.database).await;
    bench.stock(PIPE_TOOL, 200).await;
    let ten = async |token: &str| {
        let mut body = bench.order(PIPE_TOOL, 10).await;
        body["source_id"] = json!(format!("cnon:card-nonce-{token}"));
        body
    };
    for held in [10, 20, 30, 40, 40, 40] {
        pay(&bench, HERE, &ten("declined").await).await.assert_status(402);
        assert_eq!(bench.count(HELD).await, held);
    }
    // Whose goods are not held can still pay for them, and the limit is for one network.
    let mut last = ten("declined").await;
    pay(&bench, HERE, &last).await.assert_status(402);
    pay(&bench, "198.51.100.1", &ten("declined").await).await.assert_status(402);
    assert_eq!(bench.count(HELD).await, 50);
    last["click_id"] = json!(Uuid::now_v7());
    last["source_id"] = json!("cnon:card-nonce-ok");
    pay(&bench, HERE, &last).await.assert_status(200);
    assert_eq!(bench.count(HELD).await, 50);
    bench.work().await;
    bench.assert_books_balance().await;
    bench.shop.clock.advance(16 * 60 * 1000);
    bench.work().await;
    assert_eq!(bench.count(HELD).await, 0);
    pay(&bench, HERE, &ten("declined").await).await.assert_status(402);
    assert_eq!(bench.count(HELD).await, 10, "a hold that has ended counts no more");
    bench.assert_stock_is_exact().await;
}
