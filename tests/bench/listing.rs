//! How soon lists show a change, how long they take, and what they cost, with 20,000 and with 100,000 products:
//! `tests/with-postgres cargo bench --bench shop -- listing`.
//!
//! A change is written straight into the database with the effect that its use case declares, so the time counts from the commit. Lists
//! and searches are requested over a socket, each at an address of its own, so that none is a kept page. `BENCH_PRODUCTS` sets another
//! number of products.

use std::io::{Result, Write, stdout};
use std::sync::Arc;
use std::time::{Duration, Instant};

use form_urlencoded::Serializer;
use reqwest::Client;
use shop::app::App;
use shop_base::clock::SystemClock;
use shop_base::config::Secret;
use shop_base::db::{Conn, Db, Effect};
use shop_base::sql;
use shop_domain::catalog::model::Availability;
use shop_domain::catalog::service::{Catalog, PRODUCTS_EDITED};
use shop_domain::stock::service::MOVED;
use sqlx::QueryBuilder;
use tokio::time::sleep;
use url::Url;
use uuid::Uuid;

use crate::products;
use crate::queries::CASES;
use crate::search::SearchDocument;
use crate::support::{listen, new_database, percentiles, seeded, serve};

const ROUNDS: usize = 40;
/// Rows of one statement.
const AT_ONCE: usize = 500;
/// Fifty sales a second.
const SALES_EVERY: Duration = Duration::from_millis(20);

#[tokio::main]
pub async fn run() -> Result<()> {
    let chosen = std::env::var("BENCH_PRODUCTS").ok().and_then(|text| text.parse().ok());
    for count in chosen.map_or(vec![20_000, 100_000], |count| vec![count]) {
        measure("sqlite", None, count).await?;
        match std::env::var("TEST_POSTGRES") {
            Ok(server) => measure("postgres", Some(new_database(&server).await), count).await?,
            Err(_) => writeln!(stdout(), "postgres  not measured: TEST_POSTGRES names no server")?,
        }
    }
    Ok(())
}

async fn measure(name: &str, database: Option<String>, count: usize) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (listener, shop) = listen().await;
    let mut config = shop_demo::config(shop.port().unwrap(), folder.path().to_owned(), false).unwrap();
    if let Some(database) = database {
        config.data.database = Secret::new(database);
    }
    let db = seeded(&config).await;
    fill(&db, &products::make(count)).await;
    let before = resident("VmRSS");
    let begun = Instant::now();
    let catalog = Catalog::load(db.clone(), Arc::new(SystemClock)).await.unwrap();
    let lists = begun.elapsed().as_millis();
    catalog.listing().index.complete();
    let (all, memory) = (begun.elapsed().as_millis(), resident("VmRSS") - before);
    writeln!(
        stdout(),
        "{name:<8}  {count:>7} products  first lists after {lists} ms, searches after {all} ms, {memory} MiB more resident"
    )?;
    drop(catalog);
    let app = serve(config, db, listener).await;
    let bench = Bench { app, shop, client: Client::new(), name: format!("{name:<8}  {count:>7} products") };
    bench.loading().await?;
    let products = bench.products().await;
    for what in [What::Stock, What::Price, What::Title] {
        bench.visible(what, &products, "").await?;
    }
    let app = bench.app.clone();
    let sold = products.clone();
    let sales = tokio::spawn(async move {
        for product in sold.iter().cycle().skip(ROUNDS) {
            sell(&app, *product, None).await;
            sleep(SALES_EVERY).await;
        }
    });
    bench.visible(What::Title, &products, ", during 50 sales a second").await?;
    bench.latency("a list", list).await?;
    bench.latency("a search", |at| query_of(CASES[at % CASES.len()].text, at)).await?;
    assert!(!sales.is_finished(), "goods were sold all the time");
    sales.abort();
    bench.latency("a list, without sales", |at| list(at + 10_000)).await?;
    bench.latency("a search, without sales", |at| query_of(CASES[at % CASES.len()].text, at + 10_000)).await
}

struct Bench {
    app: App,
    shop: Url,
    client: Client,
    name: String,
}

/// What is changed of a product.
#[derive(Clone, Copy, Debug)]
enum What {
    Stock,
    Price,
    Title,
}

impl Bench {
    /// Loads everything again, as after a change of categories.
    async fn loading(&self) -> Result<()> {
        let catalog = &self.app.parts.catalog;
        let mut taken = Vec::new();
        for _ in 0..3 {
            let begun = Instant::now();
            catalog.refresh().await.unwrap();
            taken.push(begun.elapsed());
        }
        let (median, _) = percentiles(&mut taken);
        let (now, most) = (resident("VmRSS"), resident("VmHWM"));
        writeln!(stdout(), "{}  all loaded again in {median:.0} ms; {now} MiB resident, {most} at most", self.name)
    }

    /// Some products that are available.
    async fn products(&self) -> Vec<Uuid> {
        let listing = self.app.parts.catalog.listing();
        let available = listing.listed().filter(|listed| listed.card.availability == Availability::InStock);
        let step = listing.len() / (3 * ROUNDS);
        available.step_by(step.max(1)).map(|listed| listed.card.id).take(2 * ROUNDS).collect()
    }

    /// The time from the commit of a change until lists show it.
    async fn visible(&self, what: What, products: &[Uuid], when: &str) -> Result<()> {
        let mut taken = Vec::new();
        for (at, product) in products.iter().take(ROUNDS).enumerate() {
            let title = format!("{what:?} {at}{}", when.len());
            let price = 77_000 + at as i64;
            match what {
                What::Stock => sell(&self.app, *product, Some(0)).await,
                What::Price => {
                    let sql = "UPDATE product_variants SET price = $2, compare_at_price = NULL WHERE product_id = $1";
                    edit(&self.app, *product, PRODUCTS_EDITED, async |conn| {
                        sql!(conn, c => sqlx::query(sql).bind(*product).bind(price).execute(c).await.map(drop))
                            .unwrap();
                    })
                    .await;
                }
                What::Title => {
                    edit(&self.app, *product, PRODUCTS_EDITED, async |conn| {
                        let sql = "UPDATE products SET title = $2 WHERE id = $1";
                        sql!(conn, c => sqlx::query(sql).bind(*product).bind(&title).execute(c).await.map(drop))
                            .unwrap();
                    })
                    .await;
                }
            }
            let begun = Instant::now();
            loop {
                let listing = self.app.parts.catalog.listing();
                let card = listing.card(*product).unwrap();
                let is_shown = match what {
                    What::Stock => card.availability == Availability::OutOfStock,
                    What::Price => card.price.amount == price,
                    What::Title => card.title == title,
                };
                if is_shown {
                    break;
                }
                sleep(Duration::from_millis(1)).await;
            }
            taken.push(begun.elapsed());
            // At any time within the pause between two updates.
            sleep(Duration::from_millis(at as u64 * 7 % 60)).await;
        }
        let (p50, p99) = percentiles(&mut taken);
        writeln!(stdout(), "{}  {what:?} shown after p50 {p50:.1} ms, p99 {p99:.1} ms{when}", self.name)
    }

    /// The time of pages that are not kept, as data.
    async fn latency(&self, what: &str, address: impl Fn(usize) -> String) -> Result<()> {
        let mut taken = Vec::new();
        for at in 0..300 {
            let address = self.shop.join(&address(at)).unwrap();
            let begun = Instant::now();
            let answer = self.client.get(address.clone()).send().await.unwrap();
            assert_eq!((answer.status().as_u16(), answer.url()), (200, &address));
            answer.bytes().await.unwrap();
            taken.push(begun.elapsed());
        }
        let (p50, p99) = percentiles(&mut taken);
        writeln!(stdout(), "{}  {what}: p50 {p50:.1} ms, p99 {p99:.1} ms", self.name)
    }
}

/// A list at an address that is used only once.
fn list(at: usize) -> String {
    let sort = ["", "&sort=newest", "&sort=price", "&sort=price-desc", "&sort=name"][at % 5];
    let filter = ["", "availability=in_stock&", "sale=1&"][at / 5 % 3];
    format!("/products/_payload.json?{filter}max_price={}{sort}", 100_000 + at)
}

fn query_of(text: &str, at: usize) -> String {
    let query = Serializer::new(String::new()).append_pair("q", text).finish();
    format!("/products/_payload.json?{query}&max_price={}", 100_000 + at)
}

async fn edit(app: &App, about: Uuid, effect: Effect, write: impl AsyncFnOnce(&mut Conn<'_>)) {
    let mut tx = app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    write(&mut conn).await;
    conn.after_commit_about(effect, [about]);
    tx.commit().await.unwrap();
}

/// Takes one piece of each variant, or leaves so many.
async fn sell(app: &App, product: Uuid, left: Option<i64>) {
    let mut tx = app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    let variants = "SELECT id FROM product_variants WHERE product_id = $1";
    let variants: Vec<Uuid> =
        sql!(&mut conn, c => sqlx::query_scalar(variants).bind(product).fetch_all(c).await).unwrap();
    for variant in &variants {
        let sql = "UPDATE stock_levels SET on_hand = COALESCE($2, CASE WHEN on_hand > reserved THEN on_hand - 1 ELSE on_hand END)
            WHERE variant_id = $1";
        sql!(&mut conn, c => sqlx::query(sql).bind(*variant).bind(left).execute(c).await.map(drop)).unwrap();
    }
    conn.after_commit_about(MOVED, variants);
    tx.commit().await.unwrap();
}

/// Adds these products to the demonstration's, in its categories and with its pictures.
async fn fill(db: &Db, products: &[SearchDocument]) {
    let mut tx = db.begin().await.unwrap();
    let mut conn = tx.conn();
    let categories = "SELECT id, slug FROM categories WHERE parent_id IS NOT NULL ORDER BY slug";
    let categories: Vec<(Uuid, String)> = sql!(&mut conn, c => sqlx::query_as(categories).fetch_all(c).await).unwrap();
    let key = "SELECT media_key FROM product_images ORDER BY media_key LIMIT 1";
    let key: String = sql!(&mut conn, c => sqlx::query_scalar(key).fetch_one(c).await).unwrap();
    let category = |product: &SearchDocument| {
        let own = categories.iter().find(|(_, slug)| product.categories.contains(slug));
        own.map_or(categories[product.title.len() % categories.len()].0, |(id, _)| *id)
    };
    // Ids of what belongs to a product: its own with a number.
    let part =
        |product: &SearchDocument, number: usize| Uuid::from_u128(product.id.as_u128() ^ (number as u128 + 1) << 64);
    let colors: Vec<(&SearchDocument, usize, &String)> = products
        .iter()
        .flat_map(|product| product.colors.iter().enumerate().map(move |(at, color)| (product, at, color)))
        .collect();
    for products in products.chunks(AT_ONCE) {
        let sql = "INSERT INTO products (id, handle, title, subtitle, description, highlights, details, category_id, material,
            compliance_class, status, popularity, released_at, updated_at) ";
        sql!(&mut conn, c => QueryBuilder::new(sql).push_values(products, |mut row, product| {
            row.push_bind(product.id).push_bind(product.id.to_string()).push_bind(&product.title)
                .push_bind(&product.subtitle).push_bind(&product.description).push("'[]', '[]'")
                .push_bind(category(product)).push_bind(&product.materials[0])
                .push("'general_merchandise', 'active'").push_bind(product.popularity)
                .push_bind(product.released_at).push_bind(0_i64);
        }).build().execute(c).await.map(drop))
        .unwrap();
        let sql = "INSERT INTO product_images (id, product_id, media_key, alt, width, height, position) ";
        sql!(&mut conn, c => QueryBuilder::new(sql).push_values(products, |mut row, product| {
            row.push_bind(product.id).push_bind(product.id).push_bind(&key).push_bind(&product.title).push("800, 800, 0");
        }).build().execute(c).await.map(drop))
        .unwrap();
        let sql = "INSERT INTO product_options (id, product_id, name, position) ";
        sql!(&mut conn, c => QueryBuilder::new(sql).push_values(products, |mut row, product| {
            row.push_bind(product.id).push_bind(product.id).push("'Color', 0");
        }).build().execute(c).await.map(drop))
        .unwrap();
    }
    for colors in colors.chunks(AT_ONCE) {
        let sql = "INSERT INTO product_option_values (id, option_id, value, hex, position) ";
        sql!(&mut conn, c => QueryBuilder::new(sql).push_values(colors, |mut row, (product, at, color)| {
            row.push_bind(part(product, *at)).push_bind(product.id).push_bind(*color).push("'#808080'").push_bind(*at as i64);
        }).build().execute(c).await.map(drop))
        .unwrap();
        let sql =
            "INSERT INTO product_variants (id, product_id, sku, title, price, compare_at_price, currency, weight_grams,
            position, updated_at) ";
        sql!(&mut conn, c => QueryBuilder::new(sql).push_values(colors, |mut row, (product, at, color)| {
            let former = product.on_sale.then_some(product.price + 500);
            row.push_bind(part(product, *at)).push_bind(product.id).push_bind(&product.skus[*at]).push_bind(*color)
                .push_bind(product.price).push_bind(former).push("'USD', 100").push_bind(*at as i64).push_bind(0_i64);
        }).build().execute(c).await.map(drop))
        .unwrap();
        let sql = "INSERT INTO variant_option_values (variant_id, option_value_id) ";
        sql!(&mut conn, c => QueryBuilder::new(sql).push_values(colors, |mut row, (product, at, _)| {
            row.push_bind(part(product, *at)).push_bind(part(product, *at));
        }).build().execute(c).await.map(drop))
        .unwrap();
        let sql = "INSERT INTO stock_levels (variant_id, on_hand, reserved, low_stock_threshold, updated_at) ";
        sql!(&mut conn, c => QueryBuilder::new(sql).push_values(colors, |mut row, (product, at, _)| {
            let on_hand = match product.availability {
                Availability::InStock => 100_000_i64,
                Availability::LowStock => 3,
                Availability::OutOfStock => 0,
            };
            row.push_bind(part(product, *at)).push_bind(on_hand).push("0, 5, 0");
        }).build().execute(c).await.map(drop))
        .unwrap();
    }
    sql!(&mut conn, c => sqlx::query("ANALYZE").execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
}

/// Megabytes that this process has in memory, or had at most.
fn resident(what: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(what)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok()).unwrap_or_default() >> 10
}
