//! The cost of buying with 32 concurrent shoppers: `tests/with-postgres cargo bench --bench shop -- checkout`.
//!
//! Over sockets, each compared with a plain axum handler that does one indexed read in the same database, so that the ratio is meaningful
//! on any machine. The shoppers run in this process and cost both sides the same. The Square stand-in responds immediately. `BENCH_SECONDS`
//! is the duration of each round.

use std::io::{Result, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{FromRef, State};
use axum::routing::get;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::{Client, RequestBuilder};
use ring::hmac;
use serde_json::{Value, json};
use shop::app::App;
use shop_base::clock::SystemClock;
use shop_base::config::Secret;
use shop_base::db::Db;
use shop_base::sql;
use shop_demo::square::{Options, StandIn};
use shop_integrations::square::webhook::SIGNATURE;
use shop_platform::web::cookies::SignedCookies;
use tokio::task::JoinSet;
use url::Url;
use uuid::Uuid;

use crate::support::{Desk, listen, new_database, percentiles, seeded, serve, session};

const SHOPPERS: usize = 32;
const ROUNDS: usize = 3;
const SKU: &str = "TWT-SIN";
const HANDLE: &str = "double-blade-cutter";
const WEBHOOKS_PER_SECOND: u32 = 100;
/// Number of products in the file that is imported while shoppers pay.
const IMPORTED: usize = 20_000;

/// Builds the n-th request of a shopper.
type Make = Arc<dyn Fn(&Client, usize, u64) -> RequestBuilder + Send + Sync>;

#[tokio::main]
pub async fn run() -> Result<()> {
    let folder = tempfile::tempdir()?;
    measure("sqlite", folder.path(), None).await?;
    match std::env::var("TEST_POSTGRES") {
        Ok(server) => {
            let folder = tempfile::tempdir()?;
            measure("postgres", folder.path(), Some(new_database(&server).await)).await
        }
        Err(_) => writeln!(std::io::stdout(), "postgres  not measured: TEST_POSTGRES names no server"),
    }
}

async fn measure(name: &str, folder: &Path, database: Option<String>) -> Result<()> {
    let bench = Bench::start(folder, database).await;
    let time = Duration::from_secs(std::env::var("BENCH_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(5));
    let subjects = [
        ("one indexed read", bench.indexed_read()),
        ("add to cart", bench.add_to_cart().await),
        ("checkout page, guest", bench.page(false).await),
        ("checkout page, signed in", bench.page(true).await),
        ("checkout quote", bench.quote()),
        ("pay", bench.pay().await),
    ];
    let mut taken: Vec<Vec<Duration>> = vec![Vec::new(); subjects.len()];
    for (_, make) in &subjects {
        load(make, Duration::from_secs(1)).await;
    }
    // Interleaved, so that other load on the machine affects all of them.
    for _ in 0..ROUNDS {
        for ((_, make), taken) in subjects.iter().zip(&mut taken) {
            bench.rest().await;
            taken.extend(load(make, time).await);
        }
    }
    let plain = percentiles(&mut taken[0]);
    for ((subject, _), taken) in subjects.iter().zip(&mut taken) {
        let (p50, p99) = percentiles(taken);
        writeln!(
            std::io::stdout(),
            "{name:<8}  {subject:<24}  p50 {p50:>7.2} ms ({:>5.1}×)  p99 {p99:>7.2} ms ({:>5.1}×)  {} requests",
            p50 / plain.0,
            p99 / plain.1,
            taken.len(),
        )?;
    }
    bench.rest().await;
    let (p50, p99) = percentiles(&mut bench.webhooks(time * 2).await);
    writeln!(
        std::io::stdout(),
        "{name:<8}  webhook, {WEBHOOKS_PER_SECOND}/s           p50 {p50:>7.2} ms           p99 {p99:>7.2} ms"
    )?;
    bench.rest().await;
    beside_an_import(&bench, name, time * 2).await
}

/// Latency of payments while staff import a product file, compared with the latency without an import.
async fn beside_an_import(bench: &Bench, name: &str, time: Duration) -> Result<()> {
    let cookie = session(&bench.app, "editor", &["super_admin"]).await;
    let desk = Desk { app: bench.app.clone(), shop: bench.shop.clone(), cookie, client: Client::new() };
    let (path, read) = desk.read_file(desk.file(IMPORTED).await).await;
    assert_eq!(read["counts"]["new"], IMPORTED, "{read:.300}");
    let pay = bench.pay().await;
    let (p50, p99) = percentiles(&mut load(&pay, time).await);
    bench.rest().await;

    let is_written = Arc::new(AtomicBool::new(false));
    let until = Arc::clone(&is_written);
    let paying = tokio::spawn(async move { load_until(&pay, move || until.load(Ordering::Relaxed)).await });
    let begun = Instant::now();
    desk.write_file(&path).await;
    let took = begun.elapsed().as_secs_f64();
    is_written.store(true, Ordering::Relaxed);
    let mut taken = paying.await.unwrap();
    let beside = percentiles(&mut taken);
    writeln!(
        std::io::stdout(),
        "{name:<8}  pay, beside an import     p50 {:>7.2} ms ({:>5.1}×)  p99 {:>7.2} ms ({:>5.1}×)  {} requests; ({p50:.2} and {p99:.2} ms \
         without); {IMPORTED} products written in {took:.1} s",
        beside.0,
        beside.0 / p50,
        beside.1,
        beside.1 / p99,
        taken.len(),
    )
}

/// Latency of each request, with shoppers who send the next one after the response.
async fn load(make: &Make, time: Duration) -> Vec<Duration> {
    let ends = Instant::now() + time;
    load_until(make, move || Instant::now() > ends).await
}

async fn load_until(make: &Make, is_over: impl Fn() -> bool + Clone + Send + 'static) -> Vec<Duration> {
    let mut shoppers = JoinSet::new();
    for shopper in 0..SHOPPERS {
        let (make, is_over) = (Arc::clone(make), is_over.clone());
        shoppers.spawn(async move {
            let client = Client::new();
            let mut taken = Vec::new();
            for number in 0.. {
                if is_over() {
                    break;
                }
                let request = make(&client, shopper, number);
                let began = Instant::now();
                let response = request.send().await.unwrap();
                let status = response.status();
                let body = response.bytes().await.unwrap();
                assert_eq!(status, 200, "{:.300}", String::from_utf8_lossy(&body));
                taken.push(began.elapsed());
            }
            taken
        });
    }
    shoppers.join_all().await.concat()
}

struct Bench {
    app: App,
    stand_in: StandIn,
    shop: Url,
    plain: Url,
    variant: Uuid,
    total: i64,
}

async fn indexed_read(State(db): State<Db>) -> String {
    let mut reader = db.read().await.unwrap();
    let sql = "SELECT title FROM products WHERE handle = $1";
    sql!(&mut reader.conn(), c => sqlx::query_scalar(sql).bind(HANDLE).fetch_one(c).await).unwrap()
}

impl Bench {
    async fn start(folder: &Path, database: Option<String>) -> Self {
        let (listener, shop) = listen().await;
        let (square, square_url) = listen().await;
        let mut config = shop_demo::config(shop.port().unwrap(), folder.to_owned(), false).unwrap();
        if let Some(database) = database {
            config.data.database = Secret::new(database);
        }
        config.square = Some(shop_demo::square_config(&square_url, &config.http.origin).unwrap());
        // So that shoppers come from many networks, as in practice: payments from one network wait for one another.
        config.http.trusted_proxies = "127.0.0.1".parse().unwrap();
        let stand_in = StandIn::start(square, square_url, Arc::new(SystemClock), Options::fast(None)).await.unwrap();
        let db = seeded(&config).await;
        let mut tx = db.begin().await.unwrap();
        let plenty = "UPDATE stock_levels SET on_hand = 100000000";
        sql!(&mut tx.conn(), c => sqlx::query(plenty).execute(c).await.map(drop)).unwrap();
        tx.commit().await.unwrap();
        let mut reader = db.read().await.unwrap();
        let variant = "SELECT id FROM product_variants WHERE sku = $1";
        let variant = sql!(&mut reader.conn(), c => sqlx::query_scalar(variant).bind(SKU).fetch_one(c).await).unwrap();
        drop(reader);

        let (plain_listener, plain) = listen().await;
        let own = Db::open(config.data.database.expose()).await.unwrap();
        let router = Router::new().route("/", get(indexed_read)).with_state(own);
        tokio::spawn(async move { axum::serve(plain_listener, router).await.unwrap() });

        let app = serve(config, db, listener).await;
        let mut bench = Self { app, stand_in, shop, plain, variant, total: 0 };
        let answer = bench.quote()(&Client::new(), 0, 0).send().await.unwrap();
        bench.total = answer.json::<Value>().await.unwrap()["total"].as_i64().unwrap();
        bench
    }

    fn at(&self, path: &str) -> Url {
        self.shop.join(path).unwrap()
    }

    fn order(&self) -> Value {
        json!({
            "items": [{ "id": self.variant, "qty": 1 }], "email": "buyer@shop.example", "state": "OH", "postal_code": "43215",
            "shipping_method": "ground",
        })
    }

    async fn sessions(&self) -> Vec<String> {
        let mut sessions = Vec::new();
        for shopper in 0..SHOPPERS {
            sessions.push(session(&self.app, &format!("shopper-{shopper}"), &[]).await);
        }
        sessions
    }

    fn age_cookie(&self) -> String {
        shop_http::storefront::age::cookie::issue(&SignedCookies::from_ref(&self.app))
            .to_str()
            .unwrap()
            .split(';')
            .next()
            .unwrap()
            .to_owned()
    }

    fn indexed_read(&self) -> Make {
        let address = self.plain.clone();
        Arc::new(move |client, _, _| client.get(address.clone()))
    }

    async fn add_to_cart(&self) -> Make {
        let (address, variant, sessions) = (self.at("/api/cart/sync"), self.variant, self.sessions().await);
        let items = move |number: u64| json!([{ "id": variant, "qty": 1 + number % 5 }]);
        Arc::new(move |client, shopper, number| {
            let base = if number == 0 { json!([]) } else { items(number - 1) };
            let body = json!({ "items": items(number), "base": base });
            let request = client.post(address.clone()).header("cookie", &sessions[shopper]);
            request.header("sec-fetch-site", "same-origin").json(&body)
        })
    }

    async fn page(&self, signed_in: bool) -> Make {
        let (address, age) = (self.at("/checkout"), self.age_cookie());
        let mut cookies = vec![age.clone(); SHOPPERS];
        if signed_in {
            cookies = self.sessions().await.iter().map(|session| format!("{session}; {age}")).collect();
        }
        Arc::new(move |client, shopper, _| client.get(address.clone()).header("cookie", &cookies[shopper]))
    }

    fn quote(&self) -> Make {
        let (address, body) = (self.at("/api/checkout/quote"), self.order());
        Arc::new(move |client, _, _| client.post(address.clone()).json(&body))
    }

    async fn pay(&self) -> Make {
        let (address, age, mut order) = (self.at("/api/checkout/pay"), self.age_cookie(), self.order());
        order["address"] = json!({
            "first_name": "Ada", "last_name": "Reed", "line1": "12 High Street", "city": "Columbus", "state": "OH",
            "postal_code": "43215",
        });
        order["payment_method"] = json!("square");
        order["source_id"] = json!("cnon:card-nonce-ok");
        order["expected_total"] = json!(self.total);
        Arc::new(move |client, shopper, number| {
            let mut order = order.clone();
            order["checkout_id"] = json!(Uuid::now_v7());
            order["click_id"] = json!(Uuid::now_v7());
            let from = format!("10.{shopper}.{}.1", number % 256);
            client.post(address.clone()).header("cookie", &age).header("x-forwarded-for", from).json(&order)
        })
    }

    /// Waits until the remaining jobs are finished.
    async fn rest(&self) {
        loop {
            let waiting = shop_platform::jobs::service::list(&self.app.db).await.unwrap();
            let now = self.app.clock.now_ms();
            if !waiting.iter().any(|job| job.run_at <= now && job.name != "reconcile" && job.name != "release_stock") {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// How long the shop takes to store webhooks that arrive at a constant rate, however long the previous ones take.
    async fn webhooks(&self, time: Duration) -> Vec<Duration> {
        let square = self.app.config.square.clone().expect("card payment is on");
        let key = hmac::Key::new(hmac::HMAC_SHA256, square.webhook_key.expose().as_bytes());
        let payments = self.stand_in.payments();
        let (client, address) = (Client::new(), self.at("/webhooks/square"));
        let mut ticks = tokio::time::interval(Duration::from_secs(1) / WEBHOOKS_PER_SECOND);
        let began = Instant::now();
        let mut sending = JoinSet::new();
        for number in 0.. {
            let due = ticks.tick().await.into_std();
            if began.elapsed() > time {
                break;
            }
            let payment = &payments[number % payments.len()]["id"];
            let event = json!({ "type": "payment.updated", "event_id": format!("bench-{number}"), "data": { "type": "payment", "id": payment } });
            let body = event.to_string();
            let signed = hmac::sign(&key, [square.webhook_url.as_bytes(), body.as_bytes()].concat().as_slice());
            let request = client.post(address.clone()).header(SIGNATURE, STANDARD.encode(signed)).body(body);
            sending.spawn(async move {
                assert_eq!(request.send().await.unwrap().status(), 200);
                due.elapsed()
            });
        }
        sending.join_all().await
    }
}
