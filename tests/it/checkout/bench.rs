//! A separate shop with its own Square stand-in, and a buyer.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, header};
use serde_json::{Value, json};
use shop_base::clock::Clock;
use shop_base::config::Config;
use shop_base::config::smtp::SmtpSettings;
use shop_base::db::Db;
use shop_base::sql;
use shop_demo::square::{Options, StandIn};
use shop_platform::jobs::service::add_recurring;
use shop_platform::jobs::worker::run_due;
use tokio::net::TcpListener;
use url::Url;
use uuid::Uuid;

use super::books::Books;
use crate::support::{Answer, Database, TestShop};

/// Three products of the demo: an accessory, fuel, and papers.
pub const PIPE_TOOL: &str = "TWT-SIN";
pub const BUTANE: &str = "BUT-SIN";
pub const PAPERS: &str = "UPK-ONBO";

pub struct Bench {
    pub shop: TestShop,
    pub stand_in: StandIn,
    books: Books,
}

impl Bench {
    pub async fn start(database: Database) -> Self {
        Self::with(database, Options::fast(None), |_| {}).await
    }

    /// With other settings.
    pub async fn configured(database: Database, change: impl FnOnce(&mut Config)) -> Self {
        Self::with(database, Options::fast(None), change).await
    }

    /// With other options of the stand-in.
    pub async fn start_with(database: Database, options: Options) -> Self {
        Self::with(database, options, |_| {}).await
    }

    /// With a mail server.
    pub async fn writing(database: Database, mail: SmtpSettings) -> Self {
        Self::with(database, Options::fast(None), |config| config.mail = Some(mail)).await
    }

    /// With a stand-in that sends its webhooks to this URL, which is also the shop's webhook URL.
    pub async fn telling(database: Database, webhook_url: Option<String>) -> Self {
        Self::with(database, Options::fast(webhook_url), |_| {}).await
    }

    async fn with(database: Database, options: Options, change: impl FnOnce(&mut Config)) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let base_url = Url::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let shop = TestShop::with(database, |config| {
            let mut square = shop_demo::square_config(&base_url, &config.http.origin).unwrap();
            square.webhook_url = options.webhook_url.clone().unwrap_or(square.webhook_url);
            // The address of the tests is a trusted proxy, so that each buyer can have a separate network.
            config.http.trusted_proxies = "127.0.0.1".parse().unwrap();
            config.square = Some(square);
            change(config);
        })
        .await;
        let clock = Arc::clone(&shop.clock) as Arc<dyn Clock>;
        let stand_in = StandIn::start(listener, base_url, clock, options).await.unwrap();
        add_recurring(&shop.app.worker()).await.unwrap();
        let books = Books::open(&shop.app.db).await;
        Self { shop, stand_in, books }
    }

    pub async fn variant(&self, sku: &str) -> Uuid {
        let mut reader = self.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        sql!(&mut conn, c => sqlx::query_scalar("SELECT id FROM product_variants WHERE sku = $1").bind(sku).fetch_one(c).await)
            .unwrap()
    }

    /// Executes a statement without parameters.
    pub async fn execute(&self, statement: &'static str) {
        let mut tx = self.shop.app.db.begin().await.unwrap();
        let mut conn = tx.conn();
        sql!(&mut conn, c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
        tx.commit().await.unwrap();
    }

    /// The stored token of the only order.
    pub async fn token(&self) -> String {
        let mut reader = self.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        sql!(&mut conn, c => sqlx::query_scalar("SELECT token FROM orders").fetch_one(c).await).unwrap()
    }

    /// Replaces it.
    pub async fn store_token(&self, token: &str) {
        let mut tx = self.shop.app.db.begin().await.unwrap();
        let mut conn = tx.conn();
        sql!(&mut conn, c => sqlx::query("UPDATE orders SET token = $1").bind(token).execute(c).await.map(drop))
            .unwrap();
        tx.commit().await.unwrap();
    }

    pub async fn count(&self, statement: &'static str) -> i64 {
        let mut reader = self.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        sql!(&mut conn, c => sqlx::query_scalar(statement).fetch_one(c).await).unwrap()
    }

    pub async fn id(&self, statement: &'static str) -> Uuid {
        let mut reader = self.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        sql!(&mut conn, c => sqlx::query_scalar(statement).fetch_one(c).await).unwrap()
    }

    /// Write transactions so far.
    pub fn transactions(&self) -> u64 {
        self.shop.app.db.uses().iter().map(|pool| pool.transactions.count()).sum()
    }

    /// The body that a guest in Columbus sends to buy `quantity` of one item. Requests the total first.
    pub async fn order(&self, sku: &str, quantity: i64) -> Value {
        let id = self.variant(sku).await;
        let mut body = json!({
            "checkout_id": Uuid::now_v7(), "click_id": Uuid::now_v7(),
            "items": [{ "id": id, "qty": quantity }],
            "email": format!("buyer-{}@shop.example", Uuid::now_v7().simple()),
            "address": {
                "first_name": "Ada", "last_name": "Reed", "line1": "12 High Street", "city": "Columbus",
                "state": "OH", "postal_code": "43215",
            },
            "shipping_method": "ground", "payment_method": "square", "source_id": "cnon:card-nonce-ok",
        });
        body["expected_total"] = self.quote(&body).await["total"].clone();
        body
    }

    pub async fn quote(&self, body: &Value) -> Value {
        let mut request = body.clone();
        request["state"] = body["address"]["state"].clone();
        request["postal_code"] = body["address"]["postal_code"].clone();
        let answer = self.shop.post_json("/api/checkout/quote", request.to_string()).await;
        answer.assert_status(200).json()
    }

    /// Pays as a guest who has passed the age gate.
    pub async fn pay(&self, body: &Value) -> Answer {
        self.pay_as(&self.shop.age_cookie(), body).await
    }

    pub async fn pay_as(&self, cookies: &str, body: &Value) -> Answer {
        Self::pay_at(&self.shop, cookies, body).await
    }

    /// Pays at one of several nodes, from a network that is derived from the checkout.
    pub async fn pay_at(shop: &TestShop, cookies: &str, body: &Value) -> Answer {
        let checkout: Uuid = serde_json::from_value(body["checkout_id"].clone()).unwrap_or_default();
        let [.., a, b] = checkout.into_bytes();
        Self::pay_from(shop, &format!("10.{a}.{b}.7"), cookies, body).await
    }

    pub async fn pay_from(shop: &TestShop, address: &str, cookies: &str, body: &Value) -> Answer {
        let request = Request::post("/api/checkout/pay")
            .header(header::COOKIE, cookies)
            .header("sec-fetch-site", "same-origin")
            .header(header::ORIGIN, shop.app.config.http.shop_origin())
            .header(header::CONTENT_TYPE, "application/json")
            .header("x-forwarded-for", address);
        shop.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// Asks for the outcome, as the page that sends this body.
    pub async fn ask(&self, body: &Value) -> Answer {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let items: Vec<String> = body["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| format!("{}:{}", text(&item["id"]), item["qty"]))
            .collect();
        let (checkout, click, total) = (text(&body["checkout_id"]), text(&body["click_id"]), &body["expected_total"]);
        let query = format!("click_id={click}&expected_total={total}&items={}", items.join(","));
        self.shop.get(&format!("/api/checkout/{checkout}?{query}")).await
    }

    /// Pays as a signed-in user who has the order's email address.
    pub async fn pay_known(&self, body: &Value) -> Answer {
        let subject = body["email"].as_str().unwrap().split('@').next().unwrap();
        let session = self.shop.sign_in(subject, &["customer"]).await;
        self.pay_as(&format!("{session}; {}", self.shop.age_cookie()), body).await
    }

    /// The order on a confirmation page, as in its props.
    pub async fn confirmation(&self, placed: &Value) -> Value {
        let href = placed["href"].as_str().unwrap().replace("?", "/_payload.json?");
        self.shop.get_verified(&href).await.assert_status(200).json()["props"]["order"].clone()
    }

    /// Runs all due jobs, and those that they add, until none is due.
    pub async fn work(&self) {
        while run_due(&self.shop.app.worker()).await.unwrap() > 0 {}
    }

    /// Advances the clock in steps, running jobs in between, as in a running shop.
    pub async fn let_pass(&self, seconds: i64) {
        for _ in 0..seconds.div_euclid(5) {
            self.shop.clock.advance(5_000);
            self.work().await;
        }
    }

    /// Statuses of the provider's payments.
    pub fn payments(&self) -> Vec<String> {
        self.stand_in.payments().iter().map(|payment| payment["status"].as_str().unwrap().to_owned()).collect()
    }

    /// Asserts that payments, orders and stock are consistent.
    pub async fn assert_books_balance(&self) {
        self.assert_books_balance_in(&self.shop.app.db).await;
    }

    /// The same in a copy of the database.
    pub async fn assert_books_balance_in(&self, db: &Db) {
        self.books.assert_balance(db, &self.stand_in.payments()).await;
    }

    pub async fn assert_stock_is_exact(&self) {
        self.books.assert_stock_is_exact(&self.shop.app.db).await;
    }

    /// Sets the stock on hand before anything is sold.
    pub async fn stock(&mut self, sku: &str, there: i64) {
        let mut tx = self.shop.app.db.begin().await.unwrap();
        let mut conn = tx.conn();
        sql!(&mut conn, c => sqlx::query(
            "UPDATE stock_levels SET on_hand = $2 WHERE variant_id = (SELECT id FROM product_variants WHERE sku = $1)")
            .bind(sku).bind(there).execute(c).await.map(drop))
        .unwrap();
        tx.commit().await.unwrap();
        self.books = Books::open(&self.shop.app.db).await;
    }
}

/// Codes and texts of the problems that a quote names.
pub fn problems(quote: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    quote["problems"].as_array().unwrap().iter().map(|each| (text(&each["code"]), text(&each["message"]))).collect()
}
