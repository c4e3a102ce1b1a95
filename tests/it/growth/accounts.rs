//! What an account costs that has bought for years, and the end of a session among many.

use serde_json::Value;
use shop_domain::identity::service::{ProviderLogout, end_provider_sessions};

use super::rows::{PAST_ORDERS, add_past_orders, copy, copy_from, numbers};
use super::steps::{Steps, assert_not_grown};
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::support::{OnSqlite, Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    past_orders_of_an_account_cost_its_cart_nothing,
    failed_checkouts_of_an_account_cost_its_cart_little,
    past_orders_of_an_account_cost_its_page_and_its_export_little,
    other_accounts_cost_the_end_of_a_session_nothing,
];

async fn past_orders_of_an_account_cost_its_cart_nothing(OnSqlite(shop): OnSqlite) {
    let bench = Bench::start(shop.database).await;
    let db = &bench.shop.app.db;
    let session = bench.shop.sign_in("regular", &["customer"]).await;
    let payer = format!("{session}; {}", bench.shop.age_cookie());
    bench.pay_as(&payer, &bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    bench.work().await;
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders WHERE user_id IS NOT NULL").await, 1);
    let steps = Steps::count(db).await;
    let costs = async || {
        steps.take();
        bench.shop.call("GET", "/api/cart", &session, Value::Null).await.assert_status(200);
        [("an account’s cart", steps.take())]
    };
    let before = costs().await;
    add_past_orders(db).await;
    assert_not_grown(before, costs().await);
}

/// As many declined cards leave them for a day.
async fn failed_checkouts_of_an_account_cost_its_cart_little(OnSqlite(shop): OnSqlite) {
    const CHECKOUTS: u32 = 500;
    let bench = Bench::start(shop.database).await;
    let db = &bench.shop.app.db;
    let session = bench.shop.sign_in("unlucky", &["customer"]).await;
    let payer = format!("{session}; {}", bench.shop.age_cookie());
    bench.pay_as(&payer, &bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    bench.work().await;
    let steps = Steps::count(db).await;
    let cost = async || {
        steps.take();
        bench.shop.call("GET", "/api/cart", &session, Value::Null).await.assert_status(200);
        steps.take()
    };
    let before = cost().await;
    let drafts = [
        ("id", "randomblob(16)"),
        ("number", "'TRIED-' || n.i"),
        ("token", "'tried-' || n.i"),
        ("checkout_id", "randomblob(16)"),
        ("status", "'draft'"),
        ("placed_at", "NULL"),
    ];
    copy_from(db, "1000", "orders", &numbers(1, CHECKOUTS), &drafts).await;
    // Each is found, and that it holds nothing; three questions about it would take twice as many.
    let each = (cost().await - before) / u64::from(CHECKOUTS);
    assert!(each < 40, "a cart takes {each} steps for each checkout");
}

async fn past_orders_of_an_account_cost_its_page_and_its_export_little(OnSqlite(shop): OnSqlite) {
    const SHOWN: u64 = 20;
    let bench = Bench::start(shop.database).await;
    let db = &bench.shop.app.db;
    let session = bench.shop.sign_in("regular", &["customer"]).await;
    let payer = format!("{session}; {}", bench.shop.age_cookie());
    bench.pay_as(&payer, &bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    bench.work().await;
    let steps = Steps::count(db).await;
    let cost = async |path: &str| {
        steps.take();
        bench.shop.call("GET", path, &payer, Value::Null).await.assert_status(200);
        steps.take()
    };
    let (page, export) = (cost("/account").await, cost("/api/me/export").await);
    add_past_orders(db).await;
    let each = (cost("/account").await - page) / SHOWN;
    assert!(each < 2_000, "the page takes {each} steps for each order that it shows");
    let each = (cost("/api/me/export").await - export) / u64::from(PAST_ORDERS);
    assert!(each < 1_000, "an export takes {each} steps for each order");
}

async fn other_accounts_cost_the_end_of_a_session_nothing(OnSqlite(shop): OnSqlite) {
    const MANY: u32 = 3_000;
    let shop = TestShop::with(shop.database, |_| {}).await;
    let db = &shop.app.db;
    shop.sign_in("regular", &["customer"]).await;
    let steps = Steps::count_writer(db).await;
    let end = async |jti: &str, session: Option<&str>, subject: Option<&str>| {
        let logout = ProviderLogout { issuer: "https://id.example", jti, session, subject };
        steps.take();
        assert!(end_provider_sessions(&shop.app, &logout, i64::MAX).await.unwrap());
        steps.take()
    };
    let costs = async |time: &str| {
        [
            ("the end of a session", end(&format!("{time} 1"), Some("session"), None).await),
            ("that of one of an account", end(&format!("{time} 2"), Some("session"), Some("nobody")).await),
            ("the end of all sessions of an account", end(&format!("{time} 3"), None, Some("nobody")).await),
        ]
    };
    let before = costs("before").await;
    let id = ("id", "randomblob(16)");
    copy(db, "users", &numbers(1, MANY), &[id, ("subject", "'past-' || n.i")]).await;
    let session =
        [id, ("user_id", "n.id"), ("token_hash", "randomblob(32)"), ("provider_session", "'at-' || n.subject")];
    copy(db, "sessions", "SELECT id, subject FROM users WHERE subject LIKE 'past-%'", &session).await;
    assert_not_grown(before, costs("after").await);
}
