//! What staff look up and search for.

use serde_json::{Value, json};
use shop_base::db::Db;

use super::rows::{copy, numbers, strings};
use super::steps::{Steps, assert_not_grown};
use crate::admin::orders;
use crate::admin::products::desk::Desk;
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::support::{OnSqlite, Test};
use crate::tests;

pub const TESTS: &[Test] = tests![
    other_deliveries_cost_an_order_nothing,
    other_parcels_cost_a_typed_number_nothing,
    other_days_and_kinds_cost_a_search_of_the_audit_log_nothing,
    older_entries_cost_the_audit_log_nothing,
    past_events_cost_the_page_for_testing_nothing,
    other_guests_cost_a_search_of_guests_nothing,
];

async fn other_deliveries_cost_an_order_nothing(OnSqlite(shop): OnSqlite) {
    const MANY: u32 = 20_000;
    let desk = orders::Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let parcel = orders::parcel(&[(desk.line(&number, PIPE_TOOL).await, 1)]);
    desk.act(&desk.staff, &number, "shipment", parcel).await.assert_status(204);
    desk.bench.work().await;
    let db = &desk.bench.shop.app.db;
    let steps = Steps::count(db).await;
    let costs = async || {
        steps.take();
        let path = format!("/admin/orders/{number}");
        desk.bench.shop.call("GET", &path, &desk.staff, Value::Null).await.assert_status(200);
        [("an order", steps.take())]
    };
    let before = costs().await;
    // In the same month.
    let delivery = [("id", "randomblob(16)"), ("order_number", "'PAST-' || n.i")];
    copy(db, "delivery_records", &numbers(1, MANY), &delivery).await;
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM delivery_records").await, i64::from(MANY) + 1);
    assert_not_grown(before, costs().await);
}

async fn other_parcels_cost_a_typed_number_nothing(OnSqlite(shop): OnSqlite) {
    const MANY: u32 = 3_000;
    let desk = orders::Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let parcel = orders::parcel(&[(desk.line(&number, PIPE_TOOL).await, 1)]);
    desk.act(&desk.staff, &number, "shipment", parcel).await.assert_status(204);
    desk.bench.work().await;
    let db = &desk.bench.shop.app.db;
    let steps = Steps::count(db).await;
    let costs = async || {
        steps.take();
        let found = desk.bench.shop.call("GET", "/api/admin/search?q=1z999", &desk.staff, Value::Null).await;
        assert_eq!(found.assert_status(200).json()["orders"][0]["label"], json!(number));
        [("a typed number", steps.take())]
    };
    let before = costs().await;
    let parcel = [("id", "randomblob(16)"), ("tracking_number", "'PAST-' || n.i")];
    copy(db, "fulfillments", &numbers(1, MANY), &parcel).await;
    assert_not_grown(before, costs().await);
}

async fn other_days_and_kinds_cost_a_search_of_the_audit_log_nothing(OnSqlite(shop): OnSqlite) {
    const MANY: u32 = 10_000;
    let desk = Desk::start(&shop).await;
    let db = &desk.shop.app.db;
    let product = desk.id("SELECT id FROM products ORDER BY handle LIMIT 1").await;
    let form = json!({ "version": 0, "title": "Small", "handle": "small", "description": "", "place": null, "products": [product] });
    desk.call("POST", "collections", form).await.assert_status(201);
    let (staff, today) = (desk.cookie().await, desk.shop.app.today());
    let steps = Steps::count(db).await;
    let costs = async || {
        steps.take();
        let path = format!("/admin/audit?q=small&at_from={today}&at_to={today}");
        desk.shop.call("GET", &path, &staff, Value::Null).await.assert_status(200);
        let day = steps.take();
        desk.shop.call("GET", "/admin/audit?q=small&kind=collection", &staff, Value::Null).await.assert_status(200);
        [("a search of a day", day), ("a search of a kind", steps.take())]
    };
    let before = costs().await;
    let kind = ("subject_kind", "'order'");
    let earlier = [("seq", "-n.i"), ("at", "copied.at - 2 * 24 * 60 * 60 * 1000 - n.i"), kind];
    copy(db, "audit_entries", &numbers(1, MANY), &earlier).await;
    let later = [("seq", "1000 + n.i"), ("at", "copied.at + 5 * 24 * 60 * 60 * 1000 + n.i"), kind];
    copy(db, "audit_entries", &numbers(1, MANY), &later).await;
    let entries = strings(db, "SELECT CAST(COUNT(*) AS TEXT) FROM audit_entries".to_owned()).await;
    assert!(entries[0].parse::<u32>().unwrap() > 2 * MANY, "{entries:?}");
    assert_not_grown(before, costs().await);
}

async fn older_entries_cost_the_audit_log_nothing(OnSqlite(shop): OnSqlite) {
    // More than a list counts.
    const MANY: u32 = 11_000;
    let desk = Desk::start(&shop).await;
    let db = &desk.shop.app.db;
    let staff = desk.cookie().await;
    let see = async |path: &str| {
        desk.shop.call("GET", path, &staff, Value::Null).await.assert_status(200);
    };
    // An entry itself.
    see("/api/admin/audit.csv").await;
    let add = async |from: u32| {
        let entry = [("seq", "1000 + n.i"), ("subject_kind", "'order'"), ("subject_id", "'past-' || n.i")];
        copy(db, "audit_entries", &numbers(from, from + MANY - 1), &entry).await;
    };
    let steps = Steps::count(db).await;
    let costs = async || {
        steps.take();
        see("/admin/audit?kind=order").await;
        let one = steps.take();
        see("/admin/audit?kind=order&kind=product").await;
        [("entries of one kind", one), ("entries of two kinds", steps.take())]
    };
    add(1).await;
    let before = costs().await;
    add(1 + MANY).await;
    assert_not_grown(before, costs().await);
}

async fn past_events_cost_the_page_for_testing_nothing(OnSqlite(shop): OnSqlite) {
    const SHOWN: u32 = 20;
    const MANY: u32 = 3_000;
    let bench = Bench::start(shop.database).await;
    let db = &bench.shop.app.db;
    bench
        .execute(
            "INSERT INTO webhook_events (provider, event_id, kind, subject, body, received_at, processed_at)
            VALUES ('square', 'first', 'payment.updated', '', '{}', 0, 0)",
        )
        .await;
    let add = async |from, to| {
        let event = [("event_id", "'past-' || n.i"), ("received_at", "n.i")];
        copy(db, "webhook_events", &numbers(from, to), &event).await;
    };
    let staff = bench.shop.sign_in("operator", &["admin"]).await;
    let steps = Steps::count(db).await;
    let costs = async || {
        steps.take();
        bench.shop.call("GET", "/admin/testing", &staff, Value::Null).await.assert_status(200);
        [("the page for testing", steps.take())]
    };
    add(1, SHOWN).await;
    let before = costs().await;
    add(SHOWN + 1, MANY).await;
    assert_not_grown(before, costs().await);
}

/// Guests with an order each, which has five words that begin with `guest`.
async fn add_guests(db: &Db, from: u32, to: u32) {
    let order = [
        ("id", "randomblob(16)"),
        ("number", "'GUEST-' || n.i"),
        ("token", "'guest-' || n.i"),
        ("checkout_id", "randomblob(16)"),
        ("email", "'guest-' || n.i || '@mail.example'"),
        ("created_at", "copied.created_at - n.i"),
    ];
    copy(db, "orders", &numbers(from, to), &order).await;
    let words = format!(
        "SELECT o.id, w.i FROM ({}) g JOIN orders o ON o.number = 'GUEST-' || g.i, ({}) w",
        numbers(from, to),
        numbers(1, 5)
    );
    let term = [("kind", "'order'"), ("term", "'guest' || n.i"), ("subject_id", "n.id")];
    copy(db, "search_terms", &words, &term).await;
}

async fn other_guests_cost_a_search_of_guests_nothing(OnSqlite(shop): OnSqlite) {
    // More than a list counts, with more words than a search collects.
    const MANY: u32 = 11_000;
    let bench = Bench::start(shop.database).await;
    let db = &bench.shop.app.db;
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    bench.work().await;
    let staff = bench.shop.sign_in("staff", &["admin"]).await;
    let steps = Steps::count(db).await;
    let costs = async || {
        steps.take();
        bench.shop.call("GET", "/admin/users/guests?q=guest", &staff, Value::Null).await.assert_status(200);
        [("a search of guests", steps.take())]
    };
    add_guests(db, 1, MANY).await;
    let before = costs().await;
    add_guests(db, MANY + 1, 2 * MANY).await;
    assert_not_grown(before, costs().await);
}
