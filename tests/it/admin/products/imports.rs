//! Imports and scheduled publications are written in short transactions: while the shop sells, across kills and by several workers.

use std::future::{poll_fn, ready};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use serde_json::{Value, json};
use shop_base::role::Role;
use shop_domain::catalog::changes::Topics;
use shop_domain::catalog::editing::service::publish_due;
use shop_domain::catalog::import_export::{import, work};
use shop_domain::catalog::service::{CHANGED, PRODUCTS_EDITED};
use shop_domain::retention::service::clean;
use shop_platform::audit::model::Actor;
use shop_platform::jobs::worker::run_due;
use shop_platform::web::page::Topic;
use tokio::task::{JoinSet, yield_now};
use tokio::time::sleep;
use uuid::Uuid;

use super::desk::Desk;
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::checkout::crowd::beside_others;
use crate::notifications::{everything, made};
use crate::support::{Database, OnPostgres, OnSqlite, QUICK, Receiver, TestShop, Worker, rounds, until};

/// A file of products with two variants each, with stock.
pub(super) async fn file_of(desk: &Desk, products: usize) -> String {
    let (key, category) = (desk.picture(9).await, desk.category().await);
    let mut file = String::from(
        "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price,Image Src,Status,Category,Compliance Class\n",
    );
    for at in 0..products {
        file.push_str(&format!(
            "box-{at},Box {at},Size,S,BOX-{at}-S,3,9.50,{key},active,{category},general_merchandise\nbox-{at},,,L,BOX-{at}-L,4,12.00,,,,\n"
        ));
    }
    file
}

/// Whatever an import has written is complete: each product with its variants, stock, movements, search terms, picture and audit entry.
pub(super) async fn assert_whole(desk: &Desk) -> i64 {
    let products = desk.count("SELECT COUNT(*) FROM products WHERE handle LIKE 'box-%'").await;
    for (each, table) in [
        (2, "SELECT COUNT(*) FROM product_variants WHERE sku LIKE 'BOX-%'"),
        (
            2,
            "SELECT COUNT(*) FROM stock_levels l JOIN product_variants v ON v.id = l.variant_id WHERE v.sku LIKE 'BOX-%' AND l.on_hand IN (3, 4)",
        ),
        (
            2,
            "SELECT COUNT(*) FROM stock_movements m JOIN product_variants v ON v.id = m.variant_id WHERE v.sku LIKE 'BOX-%'",
        ),
        (
            2,
            "SELECT COUNT(*) FROM variant_option_values x JOIN product_variants v ON v.id = x.variant_id WHERE v.sku LIKE 'BOX-%'",
        ),
        (1, "SELECT COUNT(*) FROM product_images i JOIN products p ON p.id = i.product_id WHERE p.handle LIKE 'box-%'"),
        (
            1,
            "SELECT COUNT(*) FROM search_terms t JOIN products p ON p.id = t.subject_id WHERE p.handle LIKE 'box-%' AND t.term = 'box'",
        ),
        (1, "SELECT COUNT(*) FROM audit_entries WHERE action = 'product.import'"),
        (1, "SELECT COUNT(*) FROM product_import_items WHERE state = 'applied'"),
    ] {
        assert_eq!(desk.count(table).await, products * each, "{table}");
    }
    products
}

/// Works until something more is written, and is killed in the middle of the next step.
pub(super) async fn work_and_die(desk: &Desk) {
    const WRITTEN: &str = "SELECT COUNT(*) FROM product_import_items WHERE state IN ('applied', 'skipped')";
    let before = desk.count(WRITTEN).await;
    let app = desk.shop.app.clone();
    let node = tokio::spawn(async move { run_due(&app.worker()).await });
    while desk.count(WRITTEN).await == before && !node.is_finished() {
        yield_now().await;
    }
    node.abort();
    drop(node.await);
    // Statements that it has already sent to the database may still be executed.
    let mut tx = desk.shop.app.db.begin().await.unwrap();
    const WAIT: &str = "UPDATE product_import_progress SET updated_at = updated_at";
    shop_base::sql!(&mut tx.conn(), c => sqlx::query(WAIT).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
    desk.shop.end_leases().await;
}

pub async fn a_file_is_read_although_its_sender_has_left(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let file = file_of(&desk, 1).await;
    let user_id = desk.id("SELECT id FROM users WHERE subject = 'editor'").await;
    let actor = Actor { user_id, role: Role::Admin, network: String::new(), device: String::new() };
    let (app, imports) = (&desk.shop.app, &desk.shop.app.parts.imports);
    let place = imports.places.take().await.unwrap();
    let mut sending = Box::pin(import::start(app, imports, &actor, "left.csv", place, file.into()));
    // It is polled once, and then no more, as when the connection is closed.
    poll_fn(|task| Poll::Ready(sending.as_mut().poll(task).is_ready())).await;
    drop(sending);
    let read = "SELECT COUNT(*) FROM product_import_progress WHERE state = 'checked'";
    until("it is read", async || desk.count(read).await == 1).await;
}

/// SQLite cannot be made to fail once.
pub async fn what_was_read_outlasts_a_failure_of_the_database(OnPostgres(shop): OnPostgres) {
    let desk = Desk::start(&shop).await;
    // As on a full disk. A sequence is not rolled back.
    for statement in [
        "CREATE SEQUENCE stored",
        "CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF nextval('stored') = 1 THEN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END IF;
            RETURN NEW;
        END $$",
        "CREATE TRIGGER fail_once BEFORE UPDATE OF report ON product_imports FOR EACH ROW EXECUTE FUNCTION fail_once()",
    ] {
        execute(&desk, statement).await;
    }
    let view = desk.read_file(file_of(&desk, 1).await).await;
    assert_eq!((view["state"].as_str(), view["products"]["waiting"].as_u64()), (Some("checked"), Some(1)), "{view}");
    assert_eq!(desk.count("SELECT last_value FROM stored").await, 2, "the first try failed");
}

pub async fn an_import_that_is_killed_goes_on_where_it_was(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let products = 1_200;
    let view = desk.read_file(file_of(&desk, products).await).await;
    assert_eq!(view["products"]["waiting"], products);
    desk.begin(&view, "apply").await;
    let id = view["id"].as_str().unwrap();
    for _ in 0..3 {
        work_and_die(&desk).await;
        let written = assert_whole(&desk).await;
        let seen = desk.import(id).await;
        assert_eq!(seen["products"]["applied"], written);
        assert_eq!(seen["lines"], json!([]), "who waits is not sent the report");
    }
    let written = assert_whole(&desk).await;
    assert!(0 < written && written < products as i64, "{written} were written before the last kill");
    while run_due(&desk.shop.app.worker()).await.unwrap() > 0 {}
    let done = desk.import(id).await;
    assert_eq!(
        (done["state"].as_str(), done["products"]["applied"].as_u64()),
        (Some("applied"), Some(products as u64))
    );
    assert_eq!(assert_whole(&desk).await, products as i64);
    assert_eq!(desk.audited().await.iter().filter(|action| *action == "products.import").count(), 1);
}

pub async fn two_workers_write_no_product_twice(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let view = desk.read_file(file_of(&desk, 300).await).await;
    desk.begin(&view, "apply").await;
    let id: Uuid = view["id"].as_str().unwrap().parse().unwrap();
    let other = desk.shop.another_node().await;
    let (one, two) = tokio::join!(work::run(&desk.shop.app, id), work::run(&other.app, id));
    one.unwrap();
    two.unwrap();
    while run_due(&desk.shop.app.worker()).await.unwrap() > 0 {}
    assert_eq!(desk.import(&id.to_string()).await["state"], "applied");
    assert_eq!(assert_whole(&desk).await, 300);
    assert_eq!(desk.audited().await.iter().filter(|action| *action == "products.import").count(), 1);
}

pub async fn an_import_that_nobody_works_on_goes_on_by_a_click(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let view = desk.read_file(file_of(&desk, 5).await).await;
    desk.begin(&view, "apply").await;
    // As if its job had died.
    execute(&desk, "DELETE FROM jobs").await;
    let id = view["id"].as_str().unwrap();
    assert_eq!(desk.import(id).await["is_stuck"], false);
    desk.shop.clock.advance(11 * 60_000);
    let stuck = desk.import(id).await;
    assert_eq!((stuck["is_stuck"].as_bool(), stuck["state"].as_str()), (Some(true), Some("applying")), "{stuck}");
    assert_eq!(desk.finish(&view, "apply").await["state"], "applied");
    assert_eq!(assert_whole(&desk).await, 5);
}

/// Racks with one variant each.
pub(super) async fn racks(desk: &Desk, handles: &[&str]) {
    let rack = desk.rack().await;
    for handle in handles {
        let mut rack = rack.clone();
        rack["handle"] = json!(handle);
        rack["options"] = json!([]);
        rack["variants"] = json!([rack["variants"][0]]);
        rack["variants"][0]["options"] = json!([]);
        rack["variants"][0]["sku"] = json!(handle.to_uppercase());
        desk.create(&rack).await;
    }
}

pub async fn what_an_import_writes_shows_before_its_end(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    racks(&desk, &["one", "two"]).await;
    // The price of one, the stock of the other.
    let file = "Handle,Variant SKU,Variant Price,Variant Inventory Qty\none,ONE,11,7\ntwo,TWO,49,9\n";
    let view = desk.read_file(file).await;
    let mut changes = desk.catalog().changes.subscribe();
    assert_eq!(desk.finish(&view, "apply").await["products"]["applied"], 2, "{view}");
    let told: Vec<Topics> = std::iter::from_fn(|| changes.try_recv().ok()).collect();
    let end = told.iter().position(|topics| topics.everything).unwrap();
    for handle in ["one", "two"] {
        let page = Topic::Product(desk.product(handle).await["id"].as_str().unwrap().parse().unwrap());
        assert!(told[..end].iter().any(|topics| topics.topics.contains(&page)), "{handle}: {told:?}");
    }
}

pub async fn what_shopify_hides_becomes_a_draft(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let (key, category) = (desk.picture(8).await, desk.category().await);
    let file = |published: &str| {
        format!(
            "Handle,Title,Published,Variant SKU,Variant Price,Variant Inventory Qty,Image Src,Status,Category,Compliance Class\n\
             hidden,Hidden,{published},HIDDEN,5,4,{key},active,{category},general_merchandise\n"
        )
    };
    let view = desk.read_file(file("false")).await;
    assert_eq!(view["lines"][0]["note"], "It’s a draft, because Published is FALSE.", "{view}");
    assert_eq!(desk.finish(&view, "apply").await["products"]["applied"], 1, "{view}");
    assert_eq!(desk.product("hidden").await["content"]["status"], "draft");
    assert_eq!(desk.read_file(file("FALSE")).await["counts"]["unchanged"], 1);
    let shown = desk.read_file(file("TRUE")).await;
    assert_eq!(shown["lines"][0]["what"], "status draft → active", "{shown}");
    // In an export of this shop, what staff change is the status.
    let exported = desk.export("?q=hidden").await;
    assert!(exported.contains(",FALSE,") && exported.contains(",draft,"), "{exported}");
    let published = desk.read_file(exported.replace(",draft,", ",active,")).await;
    assert_eq!(published["lines"][1]["what"], "status draft → active", "{published}");
}

pub async fn the_latest_imports_are_listed(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let failed = desk.read_file("a,b\n1,2\n").await;
    desk.shop.clock.advance(1_000);
    let applied = desk.read_file(file_of(&desk, 1).await).await;
    desk.finish(&applied, "apply").await;
    let page = desk.page("/admin/products/import").await;
    assert!(page["id"].is_null());
    let listed: Vec<[&Value; 3]> = page["imports"]
        .as_array()
        .unwrap()
        .iter()
        .map(|import| [&import["id"], &import["file_name"], &import["state"]])
        .collect();
    let name = json!("products.csv");
    assert_eq!(listed, [[&applied["id"], &name, &json!("applied")], [&failed["id"], &name, &json!("failed")]]);
    assert_ne!(page["imports"][0]["actor"], "");
}

pub(super) async fn execute(desk: &Desk, statement: &'static str) {
    let mut tx = desk.shop.app.db.begin().await.unwrap();
    shop_base::sql!(&mut tx.conn(), c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
}

const SHOPPERS: usize = 24;
const STOCK: i64 = 500_000;

/// Shoppers who keep buying until the import is finished, at least twice each. None of them may be refused.
async fn shop_until(bench: &Arc<Bench>, is_over: &Arc<AtomicBool>) -> i64 {
    let mut shoppers = JoinSet::new();
    for _ in 0..SHOPPERS {
        let (bench, is_over) = (Arc::clone(bench), Arc::clone(is_over));
        shoppers.spawn(async move {
            let mut bought = 0;
            while bought < 2 || !is_over.load(Ordering::Relaxed) {
                let order = bench.order(PIPE_TOOL, 1).await;
                beside_others(|| bench.pay(&order)).await.assert_status(200);
                bought += 1;
            }
            bought
        });
    }
    shoppers.join_all().await.into_iter().sum()
}

/// The product that everybody buys is also in the file. `tests/bench/checkout.rs` measures the latency of payments during an import.
pub async fn shoppers_pay_while_a_file_is_imported(shop: TestShop) {
    let mut bench = Bench::start(shop.database).await;
    bench.stock(PIPE_TOOL, STOCK).await;
    let desk = Desk { shop: bench.shop.clone() };
    let products = rounds(400, 20_000);
    const ARTICLE: &str =
        "SELECT p.handle || ',New title,' || o.name || ',' || x.value || ',' || v.sku FROM product_variants v
        JOIN products p ON p.id = v.product_id JOIN variant_option_values l ON l.variant_id = v.id
        JOIN product_option_values x ON x.id = l.option_value_id JOIN product_options o ON o.id = x.option_id
        WHERE v.sku = 'TWT-SIN'";
    let article: String = {
        let mut reader = bench.shop.app.db.read().await.unwrap();
        shop_base::sql!(&mut reader.conn(), c => sqlx::query_scalar(ARTICLE).fetch_one(c).await).unwrap()
    };
    let file = format!("{}{article},{},,,,,\n", file_of(&desk, products).await, STOCK + 500);
    let view = desk.read_file(file).await;
    assert_eq!(
        (view["counts"]["errors"].as_u64(), view["products"]["waiting"].as_u64()),
        (Some(0), Some(products as u64 + 1)),
        "{view}"
    );
    let bench = Arc::new(bench);
    let worker = Worker::start(&bench.shop.app, QUICK);
    let is_over = Arc::new(AtomicBool::new(false));
    let shopping = tokio::spawn({
        let (bench, is_over) = (Arc::clone(&bench), Arc::clone(&is_over));
        async move { shop_until(&bench, &is_over).await }
    });
    desk.begin(&view, "apply").await;
    let id = view["id"].as_str().unwrap();
    while desk.import(id).await["state"] == "applying" {
        sleep(Duration::from_millis(50)).await;
    }
    is_over.store(true, Ordering::Relaxed);
    let bought = shopping.await.unwrap();
    worker.stop().await;
    let done = desk.import(id).await;
    assert_eq!((done["state"].as_str(), done["products"]["skipped"].as_i64()), (Some("applied"), Some(0)), "{done}");
    const WHOLE: &str = "SELECT COUNT(*) FROM products p WHERE handle LIKE 'box-%' AND 2 =
        (SELECT COUNT(*) FROM product_variants v JOIN stock_levels s ON s.variant_id = v.id WHERE v.product_id = p.id)";
    assert_eq!(desk.count(WHOLE).await, products as i64);
    desk.shop.end_leases().await;
    bench.work().await;
    // The file's 500 pieces were added to what remained after the sales.
    const LEFT: &str =
        "SELECT on_hand FROM stock_levels WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')";
    assert_eq!(bench.count(LEFT).await, STOCK + 500 - bought);
    assert_eq!(bench.count("SELECT CAST(SUM(reserved) AS BIGINT) FROM stock_levels").await, 0);
    let payments = bench.payments();
    assert!(payments.iter().all(|status| status == "COMPLETED"), "{payments:?}");
    assert_eq!(payments.len() as i64, bought);
}

/// A file of products with 250 variants each.
pub(super) async fn boards(desk: &Desk, products: usize) -> String {
    let category = desk.category().await;
    let mut file = String::from(
        "Handle,Title,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU,Variant Price,Status,Category,Compliance Class\n",
    );
    for product in 0..products {
        for variant in 0..250 {
            let (length, width) = (variant / 10, variant % 10);
            let of_product = match variant {
                0 => ["Board", "Length", "Width", "draft", category.as_str(), "general_merchandise"],
                _ => [""; 6],
            };
            let [title, first, second, status, category, class] = of_product;
            file.push_str(&format!(
                "board-{product},{title},{first},{length},{second},{width},BOARD-{product}-{variant},9.50,{status},{category},{class}\n"
            ));
        }
    }
    file
}

/// PostgreSQL writes both in one commit.
pub async fn what_a_later_commit_writes_is_not_read_before(OnSqlite(shop): OnSqlite) {
    let desk = Desk::start(&shop).await;
    let view = desk.read_file(boards(&desk, 2).await).await;
    desk.begin(&view, "apply").await;
    execute(&desk, "UPDATE product_import_items SET content = 'unreadable' WHERE handle = 'board-1'").await;
    let id: Uuid = view["id"].as_str().unwrap().parse().unwrap();
    while work::run(&desk.shop.app, id).await.is_ok() {}
    assert_eq!(desk.count("SELECT COUNT(*) FROM products WHERE handle LIKE 'board-%'").await, 1);
}

pub async fn products_with_many_variants_are_written_a_few_at_once(shop: TestShop) {
    const PRODUCTS: usize = 25;
    let desk = Desk::start(&shop).await;
    let view = desk.read_file(boards(&desk, PRODUCTS).await).await;
    assert_eq!(view["products"]["waiting"], PRODUCTS, "{view}");
    let commits = Arc::new(Mutex::new(Vec::new()));
    let committed = Arc::clone(&commits);
    desk.shop.app.db.after_commit(CHANGED, move |_, products| {
        committed.lock().unwrap().push(products.len());
        ready(())
    });
    let most = if shop.database == Database::Postgres { 20 } else { 1 };
    for (what, state) in [("apply", "applied"), ("undo", "undone")] {
        assert_eq!(desk.finish(&view, what).await["products"][state], PRODUCTS);
        let commits = std::mem::take(&mut *commits.lock().unwrap());
        assert_eq!(commits.iter().sum::<usize>(), PRODUCTS, "{what}: {commits:?}");
        assert!(commits.iter().all(|products| *products <= most), "{what}: {commits:?}");
    }
}

pub async fn a_collection_that_is_named_twice_is_joined_once(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let category = desk.category().await;
    let form = json!({ "version": 0, "title": "Gifts", "handle": "gifts-twice", "description": "", "place": 0, "products": [] });
    desk.call("POST", "collections", form).await.assert_status(201);
    let line =
        |handle: &str, collections: &str| format!("{handle},A box,{category},general_merchandise,\"{collections}\"\n");
    const COLUMNS: &str = "Handle,Title,Category,Compliance Class,Collections\n";
    let file = format!("{COLUMNS}{}{}", line("twice", "gifts-twice, gifts-twice"), line("later", ""));
    let view = desk.read_file(file.clone()).await;
    assert_eq!(desk.finish(&view, "apply").await["products"]["applied"], 2);
    let members = "SELECT COUNT(*) FROM collection_products m JOIN collections c ON c.id = m.collection_id
        WHERE c.handle = 'gifts-twice'";
    assert_eq!(desk.count(members).await, 1);
    assert_eq!(desk.read_file(file).await["counts"]["unchanged"], 2);

    // A former release has read it: the last id in the content is there twice.
    let view = desk.read_file(format!("{COLUMNS}{}", line("former", "gifts-twice"))).await;
    let twice = "UPDATE product_import_items SET content = SUBSTR(content, 1, LENGTH(content) - 2) || ','
        || SUBSTR(content, LENGTH(content) - 39) WHERE handle = 'former'";
    execute(&desk, twice).await;
    assert_eq!(desk.finish(&view, "apply").await["products"]["applied"], 1);
    assert_eq!(desk.count(members).await, 2);
}

pub async fn a_value_with_its_accents_apart_is_the_same(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let mut rack = desk.rack().await;
    rack["material"] = json!("\u{c9}cume de mer");
    rack["options"][0]["values"][0]["value"] = json!("Caf\u{e9}");
    rack["variants"][0]["options"] = json!(["Caf\u{e9}"]);
    desk.create(&rack).await;
    let file = "Handle,Material,Option1 Name,Option1 Value,Variant SKU\n\
         walnut-pipe-rack,E\u{301}cume de mer,Color,Cafe\u{301}\u{200b},RACK-D\n";
    let view = desk.read_file(file).await;
    assert_eq!(view["counts"]["unchanged"], 1, "{view}");
    let rack = desk.product("walnut-pipe-rack").await;
    let twice = |content: &mut Value| {
        let values = content["options"][0]["values"].as_array_mut().unwrap();
        values.push(json!({ "value": "Cafe\u{301}", "hex": null }));
    };
    let problem = desk.try_save(&rack, twice).await.assert_problem(422, "invalid").json();
    assert_eq!(problem["errors"]["options[0].values[2]"], json!(["This value is listed twice."]));
}

pub async fn many_drafts_are_published_in_short_transactions(shop: TestShop) {
    const DUE: &str = "SELECT COUNT(*) FROM products WHERE publish_at IS NOT NULL";
    let desk = Desk::start(&shop).await;
    let view = desk.read_file(file_of(&desk, 250).await).await;
    desk.finish(&view, "apply").await;
    execute(&desk, "UPDATE products SET status = 'draft', publish_at = 1 WHERE handle LIKE 'box-%'").await;
    let receiver = Receiver::open().await;
    made(&desk.shop, &desk.cookie().await, everything(&receiver.url)).await;
    let commits = Arc::new(Mutex::new(Vec::new()));
    let committed = Arc::clone(&commits);
    desk.shop.app.db.after_commit(PRODUCTS_EDITED, move |_, products| {
        committed.lock().unwrap().push(products.len());
        ready(())
    });
    let app = desk.shop.app.clone();
    let dying = tokio::spawn(async move { publish_due(&app).await });
    while commits.lock().unwrap().is_empty() {
        yield_now().await;
    }
    dying.abort();
    drop(dying.await);
    // What it had begun may be in the way at first.
    let published = async || {
        publish_due(&desk.shop.app).await.unwrap();
        desk.count(DUE).await == 0
    };
    until("all are published", published).await;
    until("each commit is known", async || commits.lock().unwrap().iter().sum::<usize>() == 250).await;
    let commits = commits.lock().unwrap().clone();
    assert!(commits.iter().all(|products| *products <= 100), "{commits:?}");
    assert_eq!(desk.count("SELECT COUNT(*) FROM products WHERE handle LIKE 'box-%' AND status = 'active'").await, 250);
    let told = "SELECT COUNT(DISTINCT subject) FROM dispatches WHERE kind = 'product.updated'";
    let all = "SELECT COUNT(*) FROM dispatches";
    assert_eq!((desk.count(told).await, desk.count(all).await), (250, 250), "each is told once");
}

pub async fn old_imports_are_forgotten(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let view = desk.read_file(file_of(&desk, 3).await).await;
    desk.finish(&view, "apply").await;
    let left = "SELECT (SELECT COUNT(*) FROM product_imports) + (SELECT COUNT(*) FROM product_import_items)";
    assert_eq!(desk.count(left).await, 4);
    clean(&desk.shop.app).await.unwrap();
    assert_eq!(desk.count(left).await, 4);
    const HOUR: i64 = 60 * 60 * 1000;
    desk.shop.clock.advance(30 * 24 * HOUR - HOUR);
    // One that is being undone by then is undone to the end.
    desk.begin(&view, "undo").await;
    desk.shop.clock.advance(2 * HOUR);
    clean(&desk.shop.app).await.unwrap();
    assert_eq!(desk.count(left).await, 4);
    while run_due(&desk.shop.app.worker()).await.unwrap() > 0 {}
    let undone = "SELECT COUNT(*) FROM products WHERE handle LIKE 'box-%' AND status = 'archived'";
    assert_eq!(desk.count(undone).await, 3);
    clean(&desk.shop.app).await.unwrap();
    assert_eq!(desk.count(left).await, 0);
}
