//! Lists follow changes of products on every node, without loading the whole catalog again, and only pages end that show something else.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use shop_base::db::Db;
use shop_base::sql;
use shop_domain::catalog::changes::{Change, Topics};
use shop_domain::catalog::listing::Listing;
use shop_domain::catalog::model::{Availability, ProductCard};
use shop_domain::catalog::search::SearchQuery;
use shop_platform::web::page::Topic;
use tokio::task::JoinHandle;
use uuid::Uuid;

use crate::admin::products::desk::Desk;
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::support::{Answer, Database, OnPostgres, Test, TestShop, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    an_edited_product_shows_in_lists_of_all_nodes,
    a_sale_shows_in_lists_of_all_nodes,
    a_sale_ends_only_pages_that_show_something_else,
    a_product_is_no_longer_new_after_two_months,
    what_changes_while_all_is_loaded_is_shown,
    a_category_that_is_newer_than_a_listing_holds_up_no_other_change,
    a_load_without_a_new_category_shows_what_changed_meanwhile,
    a_movement_of_stock_counts_before_other_products_are_looked_up,
    what_a_node_did_not_announce_before_its_end_is_shown,
    who_follows_again_loads_everything,
];

/// A node that follows changes until it is dropped.
struct Node {
    shop: TestShop,
    task: JoinHandle<()>,
    /// How often it has loaded the catalog when it follows.
    loads: u64,
}

impl Node {
    async fn follow(shop: TestShop) -> Self {
        let app = shop.app.clone();
        // One that begins to listen to others does not know what it has missed, and loads everything once.
        let loads = app.parts.catalog.figures().loads + u64::from(shop.database == Database::Postgres);
        let task = tokio::spawn(async move { app.parts.catalog.follow().await });
        until("it listens", async || shop.app.parts.catalog.figures().loads == loads).await;
        Self { shop, task, loads }
    }

    /// The shop's node, and another one if the database can have it.
    async fn all(shop: &TestShop) -> Vec<Self> {
        let mut nodes = vec![Self::follow(shop.clone()).await];
        if shop.database == Database::Postgres {
            nodes.push(Self::follow(shop.another_node().await).await);
        }
        nodes
    }

    fn listing(&self) -> Arc<Listing> {
        self.shop.app.parts.catalog.listing()
    }

    async fn shows(&self, what: &str, is_so: impl Fn(&Listing) -> bool) {
        until(what, async || is_so(&self.listing())).await;
    }

    /// All changes were updates, which led to what the database says.
    async fn assert_only_updated(&self) {
        let catalog = &self.shop.app.parts.catalog;
        let figures = catalog.figures();
        assert_eq!(figures.loads, self.loads);
        assert!(figures.updates > 0);
        assert!(!catalog.refresh().await.unwrap(), "the same when it is loaded");
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn find(listing: &Listing, path: &str) -> Option<ProductCard> {
    listing.listed().find(|listed| listed.path == path).map(|listed| ProductCard::clone(&listed.card))
}

fn total(listing: &Listing, text: &str) -> usize {
    let query = SearchQuery { text: Some(text.to_owned()), ..SearchQuery::default() };
    listing.index.search(&query).unwrap().total
}

async fn an_edited_product_shows_in_lists_of_all_nodes(shop: TestShop) {
    const PATH: &str = "/product/walnut-pipe-rack";
    let desk = Desk::start(&shop).await;
    let nodes = Node::all(&desk.shop).await;
    let mut rack = desk.rack().await;
    rack["status"] = json!("active");
    let made = desk.create(&rack).await;
    for node in &nodes {
        node.shows("a new product", |listing| find(listing, PATH).is_some()).await;
    }

    let titled = desk.save(&made, |content| content["title"] = json!("Xylophone of walnut")).await;
    for node in &nodes {
        node.shows("its title", |listing| total(listing, "xylophones") == 1).await;
        assert_eq!(find(&node.listing(), PATH).unwrap().title, "Xylophone of walnut");
    }
    let priced = desk.save(&titled, |content| content["variants"][0]["price"] = json!(4_200)).await;
    for node in &nodes {
        node.shows("its price", |listing| find(listing, PATH).unwrap().price.amount == 4_200).await;
    }
    let other = desk.id("SELECT id FROM categories WHERE parent_id IS NOT NULL ORDER BY slug DESC LIMIT 1").await;
    let moved = desk.save(&priced, |content| content["category_id"] = json!(other)).await;
    for node in &nodes {
        node.shows("its category", |listing| {
            find(listing, PATH).unwrap().category == listing.get_category(other).unwrap().name
        })
        .await;
    }
    let variant = moved["content"]["variants"][0]["id"].as_str().unwrap();
    let counted = json!({ "seen": 7, "counted": 0, "reason": "counted" });
    desk.call("POST", &format!("stock/{variant}"), counted).await.assert_status(200);
    for node in &nodes {
        node.shows("its stock", |listing| find(listing, PATH).unwrap().availability == Availability::OutOfStock).await;
    }
    let items = json!([{ "id": made["id"], "version": moved["version"] }]);
    let bulk = json!({ "change": { "kind": "archive" }, "items": items });
    desk.call("POST", "products/bulk", bulk).await.assert_status(200);
    for node in &nodes {
        node.shows("that it is gone", |listing| find(listing, PATH).is_none()).await;
        assert_eq!(total(&node.listing(), "xylophone"), 0);
        node.assert_only_updated().await;
    }
}

/// Leaves so many of the pipe tool, and nothing of its other variants. Returns the product.
async fn stock_only(bench: &mut Bench, there: i64) -> Uuid {
    let product = bench.id("SELECT product_id FROM product_variants WHERE sku = 'TWT-SIN'").await;
    bench
        .execute(
            "UPDATE stock_levels SET reserved = 0, on_hand = 0 WHERE variant_id IN (SELECT v.id FROM product_variants v
            JOIN product_variants tool ON tool.product_id = v.product_id AND tool.sku = 'TWT-SIN')",
        )
        .await;
    bench.stock(PIPE_TOOL, there).await;
    bench.shop.app.parts.catalog.refresh().await.unwrap();
    product
}

async fn a_sale_shows_in_lists_of_all_nodes(shop: TestShop) {
    let mut bench = Bench::start(shop.database).await;
    let product = stock_only(&mut bench, 2).await;
    let nodes = Node::all(&bench.shop).await;
    bench.pay(&bench.order(PIPE_TOOL, 2).await).await.assert_status(200);
    for node in &nodes {
        node.shows("that it is sold out", |listing| {
            listing.card(product).unwrap().availability == Availability::OutOfStock
        })
        .await;
        node.assert_only_updated().await;
    }
}

fn is_kept(answer: &Answer) -> bool {
    answer.header("server-timing") == "cache;desc=hit"
}

async fn a_sale_ends_only_pages_that_show_something_else(shop: TestShop) {
    let mut bench = Bench::start(shop.database).await;
    let product = stock_only(&mut bench, 10).await;
    let listing = bench.shop.app.parts.catalog.listing();
    let of = |id: &Uuid| listing.listed().find(|listed| listed.card.id == *id).unwrap();
    let own = &of(&product).path;
    let category_of = |at: usize| listing.get_category(of(&product).categories[at]).unwrap().href();
    let other = listing.children(None).find(|top| top.href() != category_of(0)).unwrap().href();
    let get = async |path: &str| bench.shop.get_verified(path).await;
    let mut beside = Vec::new();
    let mut apart = vec!["/content/legal/privacy-policy".to_owned(), other];
    for listed in listing.listed().filter(|listed| listed.path != *own).take(40) {
        let page = get(&listed.path).await.assert_status(200).envelope();
        let shows_it = page["props"]["related"].to_string().contains(&format!("{own}\""));
        if shows_it { &mut beside } else { &mut apart }.push(listed.path.clone());
    }
    let lists = ["/".to_owned(), "/products".to_owned(), category_of(0), category_of(1)];
    for path in apart.iter().chain(&beside).chain(&lists) {
        get(path).await.assert_status(200);
        assert!(is_kept(&get(path).await), "{path}");
    }

    let app = bench.shop.app.clone();
    let node = Node::follow(bench.shop.clone()).await;
    let updates = || app.parts.catalog.figures().updates;
    // That a node begins to listen ends all pages.
    for path in apart.iter().chain(&beside).chain(&lists) {
        get(path).await.assert_status(200);
    }
    let before = updates();
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    until("lists were updated", async || updates() > before).await;
    for path in apart.iter().chain(&beside).chain(&lists) {
        assert!(is_kept(&get(path).await), "{path}: nothing that it shows has changed");
    }

    bench.pay(&bench.order(PIPE_TOOL, 9).await).await.assert_status(200);
    let sold_out = |listing: &Listing| listing.card(product).unwrap().availability == Availability::OutOfStock;
    node.shows("that it is sold out", sold_out).await;
    until("the pages end", async || !is_kept(&get("/products").await)).await;
    for path in &apart {
        assert!(is_kept(&get(path).await), "{path}: it does not show the product");
    }
    for path in beside.iter().chain(&lists).filter(|path| *path != "/products") {
        assert!(!is_kept(&get(path).await), "{path}: it may show the product");
    }
}

async fn a_product_is_no_longer_new_after_two_months(shop: TestShop) {
    const DAY: i64 = 24 * 60 * 60 * 1_000;
    let desk = Desk::start(&shop).await;
    let node = Node::follow(desk.shop.clone()).await;
    let mut rack = desk.rack().await;
    rack["status"] = json!("active");
    rack["variants"][1]["compare_at_price"] = Value::Null;
    let made = desk.create(&rack).await;
    let badge = |listing: &Listing| find(listing, "/product/walnut-pipe-rack").and_then(|card| card.badge);
    node.shows("that it is new", |listing| badge(listing).is_some()).await;
    desk.shop.clock.advance(60 * DAY);
    // Whatever changes next, also something else.
    let stock = json!({ "seen": 7, "delta": -1, "reason": "damaged" });
    let variant = made["content"]["variants"][0]["id"].as_str().unwrap();
    desk.call("POST", &format!("stock/{variant}"), stock).await.assert_status(200);
    node.shows("that it is not new", |listing| badge(listing).is_none()).await;
    node.assert_only_updated().await;
}

async fn what_changes_while_all_is_loaded_is_shown(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let node = Node::follow(desk.shop.clone()).await;
    let mut rack = desk.rack().await;
    rack["status"] = json!("active");
    let mut product = desk.create(&rack).await;
    let loading = tokio::spawn({
        let app = desk.shop.app.clone();
        async move {
            loop {
                app.parts.catalog.refresh().await.unwrap();
            }
        }
    });
    for at in 0..10 {
        product = desk.save(&product, |content| content["title"] = json!(format!("Rack number {at}"))).await;
        node.shows("its title", |listing| {
            find(listing, "/product/walnut-pipe-rack").is_some_and(|card| card.title.ends_with(&format!(" {at}")))
        })
        .await;
    }
    loading.abort();
    assert!(loading.await.unwrap_err().is_cancelled());
}

fn is_sold_out(listing: &Listing, product: Uuid) -> bool {
    listing.card(product).unwrap().availability == Availability::OutOfStock
}

/// Moves a tamper, at another price, to a category that is made for it. Returns it.
async fn move_to_new_category(bench: &Bench) -> Uuid {
    const MAKE: &str = "INSERT INTO categories (id, parent_id, slug, name, description, position, updated_at)
        VALUES ($1, NULL, 'lamps', 'Lamps', '', 99, 0)";
    const MOVE: &str = "UPDATE products SET category_id = $1
        WHERE id = (SELECT product_id FROM product_variants WHERE sku = 'BCT')";
    let mut tx = bench.shop.app.db.begin().await.unwrap();
    for statement in [MAKE, MOVE] {
        sql!(&mut tx.conn(), c => sqlx::query(statement).bind(Uuid::from_u128(1)).execute(c).await.map(drop)).unwrap();
    }
    tx.commit().await.unwrap();
    bench.execute("UPDATE product_variants SET price = 4321, compare_at_price = NULL WHERE sku = 'BCT'").await;
    bench.id("SELECT product_id FROM product_variants WHERE sku = 'BCT'").await
}

async fn a_category_that_is_newer_than_a_listing_holds_up_no_other_change(shop: TestShop) {
    let mut bench = Bench::start(shop.database).await;
    let sold = stock_only(&mut bench, 2).await;
    let app = bench.shop.app.clone();
    let listing = app.parts.catalog.listing();
    let moved = move_to_new_category(&bench).await;
    bench.stock(PIPE_TOOL, 0).await;
    let products = BTreeSet::from([moved, sold]);
    let mut reader = app.db.read().await.unwrap();
    let updated = listing.update(&mut reader.conn(), app.clock.now_ms(), &products, None).await.unwrap();
    assert!(updated.has_newer_category && is_sold_out(&updated.listing, sold));
    let (former, now) = (listing.card(moved).unwrap(), updated.listing.card(moved).unwrap());
    assert_eq!((now.price.amount, &now.category), (4_321, &former.category));
    app.parts.catalog.refresh().await.unwrap();
    assert_eq!(app.parts.catalog.listing().card(moved).unwrap().category, "Lamps");
}

/// With SQLite no load can be held up.
async fn a_load_without_a_new_category_shows_what_changed_meanwhile(OnPostgres(shop): OnPostgres) {
    const WAITING: &str = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()
        AND wait_event_type = 'Lock' AND query LIKE 'SELECT c.handle, c.title, c.description, cp.product_id %'";
    let mut bench = Bench::start(shop.database).await;
    let sold = stock_only(&mut bench, 2).await;
    let node = Node::follow(bench.shop.clone()).await;
    let app = bench.shop.app.clone();
    let catalog = &app.parts.catalog;
    let mut holding = app.db.begin().await.unwrap();
    sql!(&mut holding.conn(), c => sqlx::query("LOCK TABLE collections").execute(c).await.map(drop)).unwrap();
    catalog.changed(Change::everything());
    until("it has read the categories", async || bench.count(WAITING).await > 0).await;
    bench.stock(PIPE_TOOL, 0).await;
    catalog.changed(Change::of([sold]));
    node.shows("that it is sold out", |listing| is_sold_out(listing, sold)).await;
    let moved = move_to_new_category(&bench).await;
    catalog.changed(Change::of([moved]));
    node.shows("its price", |listing| listing.card(moved).unwrap().price.amount == 4_321).await;
    holding.commit().await.unwrap();
    node.shows("its category", |listing| {
        assert!(is_sold_out(listing, sold));
        listing.card(moved).unwrap().category == "Lamps"
    })
    .await;
}

async fn a_movement_of_stock_counts_before_other_products_are_looked_up(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let catalog = &shop.app.parts.catalog;
    let listing = catalog.listing();
    let listed = listing.listed().next().unwrap();
    let variants = BTreeSet::from([listed.variants[0], Uuid::from_u128(1)]);
    let mut heard = catalog.changes.subscribe();
    // Only until it waits for the database.
    tokio::select! {
        biased;
        () = catalog.stock_moved(&variants) => {}
        () = std::future::ready(()) => {}
    }
    let topics = [Topic::Product(listed.card.id)].into();
    assert_eq!(heard.try_recv(), Ok(Topics { everything: false, topics }));
}

/// It was killed between the commit and the announcement.
async fn what_a_node_did_not_announce_before_its_end_is_shown(OnPostgres(shop): OnPostgres) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let other = Db::open(shop.app.config.data.database.expose()).await.unwrap();
    // It sees the other one when it begins to listen.
    let node = Node::follow(shop).await;
    let mut tx = other.begin().await.unwrap();
    let sql = "UPDATE product_variants SET price = 4321, compare_at_price = NULL WHERE sku = 'BCT'";
    sql!(&mut tx.conn(), c => sqlx::query(sql).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
    other.close().await;
    node.shows("the price", |listing| find(listing, "/product/brass-column-tamper").unwrap().price.amount == 4321)
        .await;
}

/// After a panic nobody knows which changes were not shown yet.
async fn who_follows_again_loads_everything(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let loads = || shop.app.parts.catalog.figures().loads;
    let before = loads();
    let following = tokio::spawn(shop::serve::follow_catalog(shop.app.clone(), true));
    until("all of it is loaded", async || loads() > before).await;
    following.abort();
}
