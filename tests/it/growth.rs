//! What a shop does all day costs no more when it has sold for years. Counted on SQLite as steps of its virtual machine, which show a plan
//! that reads too much even if little is there to be read. PostgreSQL always has statistics, and so other plans.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};
use shop_base::db::{Conn, Db, Purpose};
use shop_base::sql;
use shop_domain::analytics::service::refresh;
use shop_domain::catalog::import_export::work;
use shop_domain::identity::service::{ProviderLogout, end_provider_sessions};
use shop_domain::sales::records::pickups::model::MOST_OPEN;
use shop_platform::jobs;
use shop_platform::jobs::model::Lane;
use shop_platform::jobs::store::Claim;
use shop_platform::jobs::worker::run_due;
use shop_platform::webhooks::jobs::SendDispatch;
use sqlx::SqliteConnection;
use uuid::Uuid;

use crate::admin::orders;
use crate::admin::products::desk::Desk;
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::support::{Database, Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    past_orders_cost_later_ones_nothing,
    orders_of_the_same_hour_cost_the_next_little,
    past_sales_cost_the_product_desk_nothing,
    products_sold_today_cost_their_roll_up_nothing,
    other_deliveries_cost_an_order_nothing,
    members_of_one_collection_cost_another_nothing,
    tables_are_analyzed_as_they_grow,
    past_orders_of_an_account_cost_its_cart_nothing,
    other_days_cost_a_search_of_the_audit_log_nothing,
    waiting_dispatches_cost_other_jobs_nothing,
    waiting_dispatches_cost_a_scrape_little,
    past_orders_cost_customers_who_have_not_paid_nothing,
    past_orders_of_an_account_cost_its_page_and_its_export_little,
    other_products_cost_a_cart_and_an_update_nothing,
    other_accounts_cost_the_end_of_a_session_nothing,
    past_events_cost_the_page_for_testing_nothing,
    other_parcels_cost_a_typed_number_nothing,
    other_products_cost_what_is_low_in_stock_nothing,
    older_entries_cost_the_audit_log_nothing,
    other_guests_cost_a_search_of_guests_nothing,
];

const HOUR: i64 = 60 * 60 * 1000;
/// Milliseconds before today, in SQL: longer ago than any report or limit looks back.
const LONG_AGO: &str = "200 * 24 * 60 * 60 * 1000";
const PAST_ORDERS: u32 = 3_000;

/// The steps of all connections but those for lists, which are in memory, since they were last taken.
pub struct Steps(Arc<AtomicU64>);

impl Steps {
    pub async fn count(db: &Db) -> Self {
        let steps = Self::count_writer(db).await;
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

    /// Those of the writer alone, for which all others who write wait.
    async fn count_writer(db: &Db) -> Self {
        let steps = Self(Arc::default());
        let mut tx = db.begin().await.unwrap();
        if let Conn::Sqlite(conn) = &mut tx.conn() {
            steps.count_of(conn).await;
        }
        tx.commit().await.unwrap();
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
    // One after the other, as they are listed.
    let created_at = format!("copied.created_at - {ago} - n.i");
    let order = [
        id,
        ("created_at", &*created_at),
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
        bench.shop.call("GET", "/admin/overview", &staff, serde_json::Value::Null).await.assert_status(200);
        let overview = steps.take();
        // With the pieces that are sold and still there.
        let editor = format!("/api/admin/products/{product}");
        bench.shop.call("GET", &editor, &staff, serde_json::Value::Null).await.assert_status(200);
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

async fn products_sold_today_cost_their_roll_up_nothing(shop: TestShop) {
    if shop.database == Database::Postgres {
        return;
    }
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

async fn past_orders_of_an_account_cost_its_cart_nothing(shop: TestShop) {
    if shop.database == Database::Postgres {
        return;
    }
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

async fn other_days_cost_a_search_of_the_audit_log_nothing(shop: TestShop) {
    if shop.database == Database::Postgres {
        return;
    }
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
        [("a search of a day", steps.take())]
    };
    let before = costs().await;
    let earlier = [("seq", "-n.i"), ("at", "copied.at - 2 * 24 * 60 * 60 * 1000 - n.i")];
    copy(db, "audit_entries", &numbers(1, MANY), &earlier).await;
    let later = [("seq", "1000 + n.i"), ("at", "copied.at + 5 * 24 * 60 * 60 * 1000 + n.i")];
    copy(db, "audit_entries", &numbers(1, MANY), &later).await;
    let entries = strings(db, "SELECT CAST(COUNT(*) AS TEXT) FROM audit_entries".to_owned()).await;
    assert!(entries[0].parse::<u32>().unwrap() > 2 * MANY, "{entries:?}");
    assert_not_grown(before, costs().await);
}

/// Jobs that wait for an endpoint.
async fn add_dispatches(db: &Db, endpoint: Uuid, from: u32, to: u32) {
    let payload = format!(r#"'{{"job":"dispatch","dispatch":"past-' || n.i || '","endpoint":"{endpoint}"}}'"#);
    let group = format!("x'{}'", endpoint.simple());
    let job = [
        ("id", "randomblob(16)"),
        ("name", "'dispatch'"),
        ("payload", payload.as_str()),
        ("lane", "'dispatches'"),
        ("group_id", group.as_str()),
        ("lease", "''"),
        ("leased_until", "0"),
        ("last_error", "NULL"),
        ("dead_at", "NULL"),
    ];
    copy(db, "jobs", &numbers(from, to), &job).await;
}

/// Their endpoint answers late, and has all the slots that it may have.
async fn waiting_dispatches_cost_other_jobs_nothing(shop: TestShop) {
    if shop.database == Database::Postgres {
        return;
    }
    const FEW: u32 = 20;
    const MANY: u32 = 3_000;
    let bench = Bench::start(shop.database).await;
    let app = &bench.shop.app;
    let (worker, lane) = (app.worker(), Lane::Dispatches);
    let (late, other) = (Uuid::now_v7(), Uuid::now_v7());
    let add = async |endpoint: Uuid| {
        let job = SendDispatch { dispatch: Uuid::now_v7(), endpoint: Some(endpoint) };
        let mut tx = app.db.begin().await.unwrap();
        jobs::service::add(&mut tx.conn(), bench.shop.clock.as_ref(), &job).await.unwrap();
        tx.commit().await.unwrap();
    };
    let share = lane.slots() / 2;
    for _ in 0..share {
        add(late).await;
    }
    let now = app.clock.now_ms();
    let claim = Claim { lane, group_id: late, now, lease: "this node", lease_for: 60_000, limit: 100, except: &[] };
    let mut tx = app.db.begin().await.unwrap();
    let taken = jobs::store::claim(&mut tx.conn(), &claim).await.unwrap();
    tx.commit().await.unwrap();
    let held: Vec<_> = taken.iter().map(|job| worker.state.hold(lane, job)).collect();
    assert_eq!(held.len(), share);
    add_dispatches(&app.db, late, 1, FEW).await;
    bench.work().await;
    let steps = Steps::count(&app.db).await;
    let costs = async || {
        add(other).await;
        steps.take();
        assert_eq!(run_due(&worker).await.unwrap(), 1, "the one for the other endpoint");
        let delivery = steps.take();
        bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
        bench.work().await;
        [("a delivery to another endpoint", delivery), ("a purchase", steps.take())]
    };
    // The first purchase makes what the later ones find.
    costs().await;
    let before = costs().await;
    add_dispatches(&app.db, late, FEW + 1, MANY).await;
    assert_not_grown(before, costs().await);
    let waiting = bench.count("SELECT COUNT(*) FROM jobs WHERE name = 'dispatch' AND lease = ''").await;
    assert_eq!(waiting, i64::from(MANY), "they still wait");
}

/// As many as it counts are read, and no more.
async fn waiting_dispatches_cost_a_scrape_little(shop: TestShop) {
    if shop.database == Database::Postgres {
        return;
    }
    let counted = u32::try_from(jobs::store::COUNTED).unwrap();
    let bench = Bench::start(shop.database).await;
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    let (app, endpoint) = (&bench.shop.app, Uuid::now_v7());
    let cx = app.worker().cx;
    add_dispatches(&app.db, endpoint, 1, counted).await;
    let steps = Steps::count(&app.db).await;
    let costs = async || {
        steps.take();
        let kinds = jobs::service::kinds(&cx).await.unwrap();
        let scrape = steps.take();
        let dispatches = kinds.iter().find(|kind| kind.name == "dispatch").unwrap();
        assert_eq!(dispatches.states[1], ("waiting", jobs::store::COUNTED));
        assert!(kinds.iter().any(|kind| kind.name == "capture_payment"), "{kinds:?}");
        assert!(jobs::service::list_dead(&app.db).await.unwrap().is_empty());
        let dead = steps.take();
        assert!(jobs::service::list(&app.db).await.unwrap().len() > 100);
        [("a scrape", scrape), ("the dead jobs", dead), ("the page of jobs", steps.take())]
    };
    let before = costs().await;
    add_dispatches(&app.db, endpoint, counted + 1, 2 * counted).await;
    assert_not_grown(before, costs().await);
}

/// Their orders wait to be paid in the store, or no payment has succeeded.
async fn past_orders_cost_customers_who_have_not_paid_nothing(shop: TestShop) {
    if shop.database == Database::Postgres {
        return;
    }
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

async fn past_orders_of_an_account_cost_its_page_and_its_export_little(shop: TestShop) {
    if shop.database == Database::Postgres {
        return;
    }
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

/// Active ones, each with a variant.
async fn add_products(db: &Db, products: u32) {
    let id = ("id", "randomblob(16)");
    let product = [id, ("handle", "'other-' || n.i"), ("status", "'active'")];
    copy(db, "products", &numbers(1, products), &product).await;
    let others = "SELECT id, handle FROM products WHERE handle LIKE 'other-%'";
    copy(db, "product_variants", others, &[id, ("product_id", "n.id"), ("sku", "n.handle")]).await;
}

async fn other_products_cost_a_cart_and_an_update_nothing(shop: TestShop) {
    if shop.database == Database::Postgres {
        return;
    }
    const MANY: u32 = 3_000;
    let desk = Desk::start(&shop).await;
    let app = &desk.shop.app;
    let variants = "SELECT LOWER(HEX(id)) FROM product_variants ORDER BY sku LIMIT 60";
    let items: Vec<_> =
        strings(&app.db, variants.to_owned()).await.iter().map(|id| json!({ "id": id, "qty": 1 })).collect();
    let products = "SELECT LOWER(HEX(id)) FROM products ORDER BY handle LIMIT 20";
    let products: BTreeSet<Uuid> =
        strings(&app.db, products.to_owned()).await.iter().map(|id| id.parse().unwrap()).collect();
    let listing = desk.catalog().listing();
    let steps = Steps::count(&app.db).await;
    let costs = async || {
        steps.take();
        let cart = desk.shop.call("POST", "/api/cart/guest", "", json!({ "items": items })).await;
        assert_eq!(cart.assert_status(200).json()["items"].as_array().unwrap().len(), items.len());
        let cart = steps.take();
        let mut reader = app.db.read().await.unwrap();
        listing.update(&mut reader.conn(), app.clock.now_ms(), &products, None).await.unwrap().unwrap();
        [("a cart", cart), ("an update of the lists", steps.take())]
    };
    let before = costs().await;
    add_products(&app.db, MANY).await;
    assert_not_grown(before, costs().await);
}

async fn other_accounts_cost_the_end_of_a_session_nothing(shop: TestShop) {
    if shop.database == Database::Postgres {
        return;
    }
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

async fn past_events_cost_the_page_for_testing_nothing(shop: TestShop) {
    if shop.database == Database::Postgres {
        return;
    }
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

async fn other_parcels_cost_a_typed_number_nothing(shop: TestShop) {
    if shop.database == Database::Postgres {
        return;
    }
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

/// Active ones with more in stock than their threshold.
async fn add_stocked_products(db: &Db, products: u32) {
    add_products(db, products).await;
    let others = "SELECT id FROM product_variants WHERE sku LIKE 'other-%'";
    let stock = [("variant_id", "n.id"), ("on_hand", "100"), ("reserved", "0"), ("low_stock_threshold", "5")];
    copy(db, "stock_levels", others, &stock).await;
}

async fn other_products_cost_what_is_low_in_stock_nothing(shop: TestShop) {
    if shop.database == Database::Postgres {
        return;
    }
    const MANY: u32 = 3_000;
    let desk = Desk::start(&shop).await;
    let db = &desk.shop.app.db;
    let staff = desk.cookie().await;
    let steps = Steps::count(db).await;
    let costs = async || {
        // The overview would make the figures in the background.
        refresh(&desk.shop.app).await.unwrap();
        let see = async |path: &str| {
            steps.take();
            desk.shop.call("GET", path, &staff, Value::Null).await.assert_status(200);
            steps.take()
        };
        [
            ("the overview", see("/admin/overview").await),
            ("the list of what is low", see("/admin/products?status=active&stock=low_stock").await),
        ]
    };
    let before = costs().await;
    add_stocked_products(db, MANY).await;
    assert_not_grown(before, costs().await);
    // Of single pieces, long sold out and no longer on sale.
    let mut tx = db.begin().await.unwrap();
    for of_others in [
        "UPDATE products SET status = 'archived' WHERE id IN (SELECT product_id FROM product_variants WHERE sku LIKE 'other-%')",
        "UPDATE stock_levels SET on_hand = 0 WHERE variant_id IN (SELECT id FROM product_variants WHERE sku LIKE 'other-%')",
    ] {
        sql!(&mut tx.conn(), c => sqlx::query(of_others).execute(c).await.map(drop)).unwrap();
    }
    tx.commit().await.unwrap();
    let products = strings(db, "SELECT CAST(COUNT(*) AS TEXT) FROM products WHERE status = 'active'".to_owned()).await
        [0]
    .parse::<u64>()
    .unwrap();
    for (what, steps) in costs().await {
        assert!(steps < 20_000 + 100 * products, "{what} takes {steps} steps for {products} products on sale");
    }
}

async fn older_entries_cost_the_audit_log_nothing(shop: TestShop) {
    if shop.database == Database::Postgres {
        return;
    }
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

async fn other_guests_cost_a_search_of_guests_nothing(shop: TestShop) {
    if shop.database == Database::Postgres {
        return;
    }
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
