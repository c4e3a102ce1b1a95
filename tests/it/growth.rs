//! What a shop does all day costs no more when it has sold for years. Counted on SQLite as steps of its virtual machine, which show a plan
//! that reads too much even if little is there to be read. PostgreSQL always has statistics, and so other plans.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};
use shop_base::db::{Conn, Db, Purpose};
use shop_base::sql;
use shop_domain::analytics::service::refresh;
use shop_domain::catalog::import_export::work;
use sqlx::SqliteConnection;

use crate::admin::orders;
use crate::admin::products::desk::Desk;
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::support::{Database, Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    past_orders_cost_later_ones_nothing,
    orders_of_the_same_hour_cost_the_next_little,
    past_sales_cost_the_product_desk_nothing,
    other_deliveries_cost_an_order_nothing,
    members_of_one_collection_cost_another_nothing,
    tables_are_analyzed_as_they_grow,
];

const HOUR: i64 = 60 * 60 * 1000;
/// Milliseconds before today, in SQL: longer ago than any report or limit looks back.
const LONG_AGO: &str = "200 * 24 * 60 * 60 * 1000";
const PAST_ORDERS: u32 = 3_000;

/// The steps of all connections but those for lists, which are in memory, since they were last taken.
pub struct Steps(Arc<AtomicU64>);

impl Steps {
    pub async fn count(db: &Db) -> Self {
        let steps = Self(Arc::default());
        let mut tx = db.begin().await.unwrap();
        if let Conn::Sqlite(conn) = &mut tx.conn() {
            steps.count_of(conn).await;
        }
        tx.commit().await.unwrap();
        for purpose in [Purpose::Shoppers, Purpose::Staff, Purpose::Jobs] {
            let name = format!("{purpose:?}");
            let most = db.pools().iter().find(|pool| pool.name == name).unwrap().most;
            // Kept until all are found, or one would be counted again and again.
            let mut readers = Vec::new();
            for _ in 0..most {
                let mut reader = db.of(purpose).read().await.unwrap();
                if let Conn::Sqlite(mut conn) = reader.conn() {
                    steps.count_of(&mut conn).await;
                }
                readers.push(reader);
            }
        }
        steps
    }

    async fn count_of(&self, conn: &mut SqliteConnection) {
        let steps = Arc::clone(&self.0);
        conn.lock_handle().await.unwrap().set_progress_handler(1, move || {
            steps.fetch_add(1, Ordering::Relaxed);
            true
        });
    }

    pub fn take(&self) -> u64 {
        self.0.swap(0, Ordering::Relaxed)
    }
}

async fn strings(db: &Db, statement: String) -> Vec<String> {
    let mut reader = db.read().await.unwrap();
    let sql = sqlx::AssertSqlSafe(statement);
    sql!(&mut reader.conn(), c => sqlx::query_scalar(sql).fetch_all(c).await).unwrap()
}

/// Copies a row of the table for each row of `of`, with other values in the columns that identify it, and long ago.
async fn copy(db: &Db, table: &str, of: &str, values: &[(&str, &str)]) {
    copy_from(db, LONG_AGO, table, of, values).await;
}

/// As [`copy`], from so many milliseconds ago.
async fn copy_from(db: &Db, ago: &str, table: &str, of: &str, values: &[(&str, &str)]) {
    let names = strings(db, format!("SELECT name FROM pragma_table_info('{table}') ORDER BY cid")).await;
    let chosen = names.iter().map(|name| match values.iter().find(|(column, _)| column == name) {
        Some((_, value)) => (*value).to_owned(),
        None if name.ends_with("_at") => format!("copied.{name} - {ago}"),
        None => format!("copied.{name}"),
    });
    let statement = format!(
        "INSERT INTO {table} ({}) SELECT {} FROM ({of}) AS n, (SELECT * FROM {table} LIMIT 1) AS copied",
        names.join(", "),
        chosen.collect::<Vec<_>>().join(", "),
    );
    let mut tx = db.begin().await.unwrap();
    sql!(&mut tx.conn(), c => sqlx::query(sqlx::AssertSqlSafe(statement)).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
}

/// A row `i` for each of these numbers, in SQL.
fn numbers(from: u32, to: u32) -> String {
    format!("WITH RECURSIVE n (i) AS (SELECT {from} UNION ALL SELECT i + 1 FROM n WHERE i < {to}) SELECT i FROM n")
}

/// Orders like the first, paid like it, and sent.
async fn add_past_orders(db: &Db) {
    add_orders(db, LONG_AGO, "'fulfilled'").await;
}

async fn add_orders(db: &Db, ago: &str, fulfillment: &str) {
    let id = ("id", "randomblob(16)");
    let order = [
        id,
        ("number", "'PAST-' || n.i"),
        ("token", "'past-' || n.i"),
        ("checkout_id", "randomblob(16)"),
        ("fulfillment_status", fulfillment),
    ];
    copy_from(db, ago, "orders", &numbers(1, PAST_ORDERS), &order).await;
    let payment = [
        id,
        ("order_id", "n.id"),
        ("click_id", "randomblob(16)"),
        ("idempotency_key", "'past-' || n.number"),
        ("provider_payment_id", "'past-' || n.number"),
    ];
    let orders = "SELECT id, number FROM orders WHERE number LIKE 'PAST-%'";
    copy_from(db, ago, "payment_attempts", orders, &payment).await;
    copy_from(db, ago, "order_lines", orders, &[id, ("order_id", "n.id")]).await;
}

async fn past_orders_cost_later_ones_nothing(shop: TestShop) {
    if shop.database == Database::Postgres {
        return;
    }
    let bench = Bench::start(shop.database).await;
    let db = &bench.shop.app.db;
    let buy = async || {
        let order = bench.order(PIPE_TOOL, 1).await;
        bench.pay(&order).await.assert_status(200);
        bench.work().await;
    };
    buy().await;
    let product = bench.id("SELECT product_id FROM product_variants WHERE sku = 'TWT-SIN'").await;
    let steps = Steps::count(db).await;
    let costs = async || {
        steps.take();
        buy().await;
        let purchase = steps.take();
        bench.shop.clock.advance(HOUR);
        bench.work().await;
        let jobs = steps.take();
        let staff = bench.shop.sign_in("staff", &["admin"]).await;
        // The overview would make the figures in the background, and on a busy machine their steps would count for the editor.
        refresh(&bench.shop.app).await.unwrap();
        steps.take();
        bench.shop.call("GET", "/admin/overview", &staff, serde_json::Value::Null).await.assert_status(200);
        let overview = steps.take();
        // With the pieces that are sold and still there.
        let editor = format!("/api/admin/products/{product}");
        bench.shop.call("GET", &editor, &staff, serde_json::Value::Null).await.assert_status(200);
        let editor = steps.take();
        [("a purchase", purchase), ("recurring jobs", jobs), ("the overview", overview), ("a product’s editor", editor)]
    };
    let before = costs().await;
    add_past_orders(db).await;
    bench.work().await;
    assert_not_grown(before, costs().await);
}

/// A rush: thousands of the same hour, with one card and of one variant, of which none is packed yet.
async fn orders_of_the_same_hour_cost_the_next_little(shop: TestShop) {
    if shop.database == Database::Postgres {
        return;
    }
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

/// Sales of the pipe tool, one at each of these milliseconds.
async fn add_past_sales(db: &Db, from: u32, to: u32) {
    let sale = [
        ("id", "randomblob(16)"),
        ("variant_id", "(SELECT id FROM product_variants WHERE sku = 'TWT-SIN')"),
        ("order_id", "(SELECT id FROM orders LIMIT 1)"),
        ("kind", "'sale'"),
        ("at", "n.i"),
    ];
    copy(db, "stock_movements", &numbers(from, to), &sale).await;
}

async fn past_sales_cost_the_product_desk_nothing(shop: TestShop) {
    if shop.database == Database::Postgres {
        return;
    }
    // At first as many as the editor shows.
    const FEW: u32 = 50;
    const MANY: u32 = 20_000;
    let bench = Bench::start(shop.database).await;
    let desk = Desk { shop: bench.shop.clone() };
    let app = &bench.shop.app;
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    bench.work().await;
    let product = bench.id("SELECT product_id FROM product_variants WHERE sku = 'TWT-SIN'").await;
    add_past_sales(&app.db, 1, FEW).await;
    let steps = Steps::count(&app.db).await;
    let costs = async |on_hand: u32| {
        let file = format!("Handle,Variant SKU,Variant Inventory Qty\nthree-way-pipe-tool,TWT-SIN,{on_hand}\n");
        let view = desk.read_file(file).await;
        desk.begin(&view, "apply").await;
        let id = view["id"].as_str().unwrap();
        steps.take();
        work::run(app, id.parse().unwrap()).await.unwrap();
        let import = steps.take();
        assert_eq!(desk.import(id).await["products"]["applied"], 1, "{view}");
        steps.take();
        desk.page(&format!("/admin/products/{product}")).await;
        let editor = steps.take();
        [("an import", import), ("a product’s editor", editor)]
    };
    let before = costs(300).await;
    add_past_sales(&app.db, FEW + 1, MANY).await;
    assert_not_grown(before, costs(301).await);
}

async fn other_deliveries_cost_an_order_nothing(shop: TestShop) {
    if shop.database == Database::Postgres {
        return;
    }
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
        desk.bench.shop.call("GET", &path, &desk.staff, serde_json::Value::Null).await.assert_status(200);
        [("an order", steps.take())]
    };
    let before = costs().await;
    // In the same month.
    let delivery = [("id", "randomblob(16)"), ("order_number", "'PAST-' || n.i")];
    copy(db, "delivery_records", &numbers(1, MANY), &delivery).await;
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM delivery_records").await, i64::from(MANY) + 1);
    assert_not_grown(before, costs().await);
}

/// Products of the collection `large`.
async fn add_members(db: &Db, products: u32) {
    let product = [("id", "randomblob(16)"), ("handle", "'member-' || n.i"), ("status", "'draft'")];
    copy(db, "products", &numbers(1, products), &product).await;
    const JOIN: &str = "INSERT INTO collection_products (collection_id, product_id, position)
        SELECT c.id, p.id, 0 FROM collections c, products p WHERE c.handle = 'large' AND p.handle LIKE 'member-%'";
    let mut tx = db.begin().await.unwrap();
    sql!(&mut tx.conn(), c => sqlx::query(JOIN).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
}

async fn members_of_one_collection_cost_another_nothing(shop: TestShop) {
    if shop.database == Database::Postgres {
        return;
    }
    const MANY: u32 = 3_000;
    let desk = Desk::start(&shop).await;
    let db = &desk.shop.app.db;
    let product = desk.id("SELECT id FROM products ORDER BY handle LIMIT 1").await;
    let make = async |handle: &str| {
        let form = json!({ "version": 0, "title": handle, "handle": handle, "description": "", "place": null, "products": [product] });
        let made = desk.call("POST", "collections", form).await.assert_status(201).json();
        format!("collections/{}", made["id"].as_str().unwrap())
    };
    let path = make("small").await;
    make("large").await;
    let steps = Steps::count(db).await;
    let costs = async |title: &str| {
        let mut form = desk.call("GET", &path, Value::Null).await.json()["form"].clone();
        form["title"] = json!(title);
        steps.take();
        desk.call("PUT", &path, form).await.assert_status(200);
        let saving = steps.take();
        let page = desk.page("/admin/products/groups").await.to_string().len() as u64;
        [("saving a collection", saving), ("the page’s data", page)]
    };
    let before = costs("Few").await;
    add_members(db, MANY).await;
    assert_not_grown(before, costs("Less").await);
}

fn assert_not_grown<const N: usize>(before: [(&str, u64); N], after: [(&str, u64); N]) {
    let pairs = before.into_iter().zip(after).map(|((what, before), (_, after))| (what, before, after));
    let grown: Vec<_> = pairs.filter(|(_, before, after)| *before == 0 || *after > before + before / 2).collect();
    assert!(grown.is_empty(), "their steps before and after: {grown:?}");
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
    add_past_orders(db).await;
    assert_eq!(db.update_statistics().await.unwrap(), 3);
    assert_eq!(db.update_statistics().await.unwrap(), 0, "nothing has changed");
    let known = "SELECT CAST(CAST(stat AS INTEGER) AS TEXT) FROM sqlite_stat1 WHERE idx = 'orders_placed_at_idx'";
    let rows: u32 = strings(db, known.to_owned()).await[0].parse().unwrap();
    assert!(rows.abs_diff(PAST_ORDERS) < PAST_ORDERS / 2, "{rows}");
}
