//! Purchases, and what is done with their orders all day.

use serde_json::{Value, json};
use shop_domain::analytics::service::refresh;
use shop_domain::sales::records::pickups::model::MOST_OPEN;

use super::rows::{PAST_ORDERS, add_orders, add_past_orders, copy, numbers, strings};
use super::steps::{Steps, assert_not_grown};
use crate::checkout::bench::{Bench, PIPE_TOOL, problems};
use crate::support::{Database, OnSqlite, Test, TestShop};
use crate::tests;

const HOUR: i64 = 60 * 60 * 1000;

pub const TESTS: &[Test] = tests![
    past_orders_cost_later_ones_nothing,
    orders_of_the_same_hour_cost_the_next_little,
    past_orders_cost_customers_who_have_not_paid_nothing,
    past_uses_of_a_promo_code_cost_the_next_nothing,
    products_sold_today_cost_their_roll_up_nothing,
    tables_are_analyzed_as_they_grow,
];

async fn past_orders_cost_later_ones_nothing(OnSqlite(shop): OnSqlite) {
    let bench = Bench::start(shop.database).await;
    let db = &bench.shop.app.db;
    let guest = bench.shop.age_cookie();
    let buy = async |cookies: &str| {
        let order = bench.order(PIPE_TOOL, 1).await;
        bench.pay_as(cookies, &order).await.assert_status(200);
        bench.work().await;
    };
    buy(&guest).await;
    // A rush is over, or an import done, before the job for statistics runs again.
    bench.execute("DELETE FROM jobs WHERE name = 'update_statistics'").await;
    let product = bench.id("SELECT product_id FROM product_variants WHERE sku = 'TWT-SIN'").await;
    let steps = Steps::count(db).await;
    let costs = async || {
        let customer = format!("{}; {guest}", bench.shop.sign_in("customer", &["customer"]).await);
        steps.take();
        buy(&guest).await;
        let purchase = steps.take();
        buy(&customer).await;
        let customers_purchase = steps.take();
        bench.shop.clock.advance(HOUR);
        bench.work().await;
        let jobs = steps.take();
        let staff = bench.shop.sign_in("staff", &["admin"]).await;
        // The overview would make the figures in the background, and on a busy machine their steps would count for the editor.
        refresh(&bench.shop.app).await.unwrap();
        steps.take();
        bench.shop.call("GET", "/admin/overview", &staff, Value::Null).await.assert_status(200);
        let overview = steps.take();
        // With the pieces that are sold and still there.
        let editor = format!("/api/admin/products/{product}");
        bench.shop.call("GET", &editor, &staff, Value::Null).await.assert_status(200);
        let editor = steps.take();
        [
            ("a purchase", purchase),
            ("a customer’s purchase", customers_purchase),
            ("recurring jobs", jobs),
            ("the overview", overview),
            ("a product’s editor", editor),
        ]
    };
    let before = costs().await;
    add_past_orders(db).await;
    bench.work().await;
    assert_not_grown(before, costs().await);
}

/// A rush: thousands of the same hour, with one card and of one variant, of which none is packed yet.
async fn orders_of_the_same_hour_cost_the_next_little(OnSqlite(shop): OnSqlite) {
    let bench = Bench::start(shop.database).await;
    let db = &bench.shop.app.db;
    let buy = async || {
        let order = bench.order(PIPE_TOOL, 1).await;
        bench.pay(&order).await.assert_status(200);
        bench.work().await;
    };
    buy().await;
    let variant = bench.id("SELECT id FROM product_variants WHERE sku = 'TWT-SIN'").await;
    let staff = bench.shop.sign_in("staff", &["admin"]).await;
    let stock = format!("/api/admin/stock/{variant}");
    let steps = Steps::count(db).await;
    let costs = async |open: i64| {
        steps.take();
        buy().await;
        let purchase = steps.take();
        let on_hand = bench.count("SELECT on_hand FROM stock_levels s JOIN product_variants v ON v.id = s.variant_id WHERE v.sku = 'TWT-SIN'").await;
        let count =
            json!({ "seen": on_hand, "seen_to_hand_over": open, "counted": on_hand + open, "reason": "counted" });
        steps.take();
        bench.shop.call("POST", &stock, &staff, count).await.assert_status(200);
        (purchase, steps.take())
    };
    let (purchase, count) = costs(2).await;
    add_orders(db, "0", "'unfulfilled'").await;
    let (later_purchase, later_count) = costs(3 + i64::from(PAST_ORDERS)).await;
    assert_not_grown([("a purchase", purchase)], [("a purchase", later_purchase)]);
    // It reads each open order once.
    let each = (later_count - count) / u64::from(PAST_ORDERS);
    assert!(each < 100, "a stock count takes {each} steps for each open order");
}

/// Their orders wait to be paid in the store, or no payment has succeeded.
async fn past_orders_cost_customers_who_have_not_paid_nothing(OnSqlite(shop): OnSqlite) {
    let mut bench = Bench::start(shop.database).await;
    bench.stock(PIPE_TOOL, 100).await;
    let db = &bench.shop.app.db;
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    bench.work().await;
    let sign_in = async |subject: &str| {
        format!("{}; {}", bench.shop.sign_in(subject, &["customer"]).await, bench.shop.age_cookie())
    };
    let pickup_of = async |subject: &str| {
        let mut body = bench.pickup(PIPE_TOOL, 1).await;
        body["email"] = json!(format!("{subject}@shop.example"));
        body
    };
    for _ in 0..MOST_OPEN {
        bench.pay_as(&sign_in("unpaid").await, &pickup_of("unpaid").await).await.assert_status(200);
    }
    // Only orders of former days make somebody known.
    bench.shop.clock.advance(25 * HOUR);
    let mut declined = bench.order(PIPE_TOOL, 1).await;
    declined["source_id"] = json!("cnon:card-nonce-declined");
    // The past orders are another buyer's.
    declined["email"] = json!("declined@shop.example");
    bench.pay(&declined).await.assert_problem(402, "declined");
    let staff = bench.shop.sign_in("staff", &["staff"]).await;
    let steps = Steps::count(db).await;
    let costs = async |other: &str| {
        let (payer, card) = (sign_in("unpaid").await, bench.order(PIPE_TOOL, 1).await);
        steps.take();
        bench.pay_as(&payer, &card).await.assert_status(200);
        let payment = steps.take();
        let (buyer, pickup) = (sign_in(other).await, pickup_of(other).await);
        steps.take();
        bench.pay_as(&buyer, &pickup).await.assert_status(200);
        let pickup = steps.take();
        bench.shop.call("GET", "/admin/orders/unfinished", &staff, Value::Null).await.assert_status(200);
        [("a payment", payment), ("a pickup order", pickup), ("unfinished checkouts", steps.take())]
    };
    let before = costs("first").await;
    add_past_orders(db).await;
    assert_not_grown(before, costs("second").await);
}

/// Whether somebody has used it is looked up by their email address.
async fn past_uses_of_a_promo_code_cost_the_next_nothing(OnSqlite(shop): OnSqlite) {
    let bench = Bench::start(shop.database).await;
    let db = &bench.shop.app.db;
    let with_code = async || {
        let mut order = bench.order(PIPE_TOOL, 1).await;
        order["promo_code"] = json!("WELCOME10");
        order
    };
    let mut first = with_code().await;
    first["expected_total"] = bench.quote(&first).await["total"].clone();
    bench.pay(&first).await.assert_status(200);
    bench.work().await;
    let steps = Steps::count(db).await;
    let costs = async || {
        let order = with_code().await;
        steps.take();
        let quote = bench.quote(&order).await;
        let cost = steps.take();
        assert!(problems(&quote).is_empty(), "{quote}");
        [("a quote with a code", cost)]
    };
    let before = costs().await;
    add_past_orders(db).await;
    let orders = "SELECT id, number FROM orders WHERE number LIKE 'PAST-%'";
    copy(db, "promo_redemptions", orders, &[("order_id", "n.id"), ("customer", "n.number")]).await;
    assert_not_grown(before, costs().await);
}

async fn products_sold_today_cost_their_roll_up_nothing(OnSqlite(shop): OnSqlite) {
    const MANY: u32 = 1_000;
    let bench = Bench::start(shop.database).await;
    let app = &bench.shop.app;
    let steps = Steps::count_writer(&app.db).await;
    let costs = async || {
        bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
        bench.work().await;
        steps.take();
        refresh(app).await.unwrap();
        [("a roll-up", steps.take())]
    };
    costs().await;
    let before = costs().await;
    // Of products that the shop no longer has, which count by their titles.
    let line = [("id", "randomblob(16)"), ("variant_id", "NULL"), ("title", "'Product ' || n.i"), ("position", "n.i")];
    copy(&app.db, "order_lines", &numbers(1, MANY), &line).await;
    refresh(app).await.unwrap();
    assert_eq!(bench.count("SELECT COUNT(*) FROM sales_products").await, i64::from(MANY) + 1);
    assert_not_grown(before, costs().await);
}

async fn tables_are_analyzed_as_they_grow(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let db = &bench.shop.app.db;
    let order = bench.order(PIPE_TOOL, 1).await;
    bench.pay(&order).await.assert_status(200);
    let analyzed = db.update_statistics().await.unwrap();
    if shop.database == Database::Postgres {
        assert_eq!(analyzed, 0, "it does so by itself");
        return;
    }
    assert_eq!(analyzed, 0, "all tables are small");
    bench.work().await;
    add_past_orders(db).await;
    bench.shop.clock.advance(HOUR / 6);
    bench.work().await;
    let tables = strings(db, "SELECT DISTINCT tbl FROM sqlite_stat1 ORDER BY tbl".to_owned()).await;
    assert_eq!(tables, ["order_lines", "orders", "payment_attempts"]);
    assert_eq!(db.update_statistics().await.unwrap(), 0, "nothing has changed");
    let known = "SELECT CAST(CAST(stat AS INTEGER) AS TEXT) FROM sqlite_stat1 WHERE idx = 'orders_placed_at_idx'";
    let rows: u32 = strings(db, known.to_owned()).await[0].parse().unwrap();
    assert!(rows.abs_diff(PAST_ORDERS) < PAST_ORDERS / 2, "{rows}");
}
