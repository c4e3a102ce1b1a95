//! Products among many, or with a long history.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use shop_base::db::Db;
use shop_base::sql;
use shop_domain::analytics::service::refresh;
use shop_domain::catalog::import_export::work;
use uuid::Uuid;

use super::rows::{copy, numbers, strings};
use super::steps::{Steps, assert_not_grown};
use crate::admin::products::desk::Desk;
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::support::{OnSqlite, Test};
use crate::tests;

pub const TESTS: &[Test] = tests![
    past_sales_cost_the_product_desk_nothing,
    members_of_one_collection_cost_another_nothing,
    other_products_cost_a_cart_and_an_update_nothing,
    other_products_cost_what_is_low_in_stock_nothing,
];

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

async fn past_sales_cost_the_product_desk_nothing(OnSqlite(shop): OnSqlite) {
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

async fn members_of_one_collection_cost_another_nothing(OnSqlite(shop): OnSqlite) {
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

/// Active ones, each with a variant.
async fn add_products(db: &Db, products: u32) {
    let id = ("id", "randomblob(16)");
    let product = [id, ("handle", "'other-' || n.i"), ("status", "'active'")];
    copy(db, "products", &numbers(1, products), &product).await;
    let others = "SELECT id, handle FROM products WHERE handle LIKE 'other-%'";
    copy(db, "product_variants", others, &[id, ("product_id", "n.id"), ("sku", "n.handle")]).await;
}

async fn other_products_cost_a_cart_and_an_update_nothing(OnSqlite(shop): OnSqlite) {
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
        listing.update(&mut reader.conn(), app.clock.now_ms(), &products, None).await.unwrap();
        [("a cart", cart), ("an update of the lists", steps.take())]
    };
    let before = costs().await;
    add_products(&app.db, MANY).await;
    assert_not_grown(before, costs().await);
}

/// Active ones with more in stock than their threshold.
async fn add_stocked_products(db: &Db, products: u32) {
    add_products(db, products).await;
    let others = "SELECT id FROM product_variants WHERE sku LIKE 'other-%'";
    let stock = [("variant_id", "n.id"), ("on_hand", "100"), ("reserved", "0"), ("low_stock_threshold", "5")];
    copy(db, "stock_levels", others, &stock).await;
}

async fn other_products_cost_what_is_low_in_stock_nothing(OnSqlite(shop): OnSqlite) {
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
