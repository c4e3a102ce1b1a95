//! Helpers shared by the benchmarks of the running shop.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use serde_json::Value;
use shop::app::App;
use shop_base::clock::SystemClock;
use shop_base::config::Config;
use shop_base::db::Db;
use shop_base::sql;
use shop_domain::identity::model::{Profile, SignIn};
use shop_domain::identity::service::{Device, start_session};
use shop_platform::web::site::Site;
use tokio::net::TcpListener;
use url::Url;
use uuid::Uuid;

/// A listener on a free local port.
pub async fn listen() -> (TcpListener, Url) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    (listener, address)
}

/// A new database with the demo data.
pub async fn seeded(config: &Config) -> Db {
    let db = Db::open(config.data.database.expose()).await.unwrap();
    shop::demo_data::seed(&db, config, &SystemClock).await.unwrap();
    db
}

/// Serves a shop at the listener's address.
pub async fn serve(config: Config, db: Db, listener: TcpListener) -> App {
    let site = Site::embedded(&shop::bundle::BUNDLE, &config.rendering).unwrap();
    let app = App::build(config, Arc::new(SystemClock), db, std::future::ready(Ok(site))).await.unwrap();
    let served = app.clone();
    tokio::spawn(async move { shop::serve::serve(served, listener.into(), std::future::pending()).await.unwrap() });
    app
}

/// The session cookie of a user who has just signed in.
pub async fn session(app: &App, subject: &str, roles: &[&str]) -> String {
    let profile = Profile {
        issuer: "https://id.example".to_owned(),
        subject: subject.to_owned(),
        email: format!("{subject}@shop.example"),
        email_verified: true,
        name: "Ada Reed".to_owned(),
        roles: roles.iter().map(|&role| role.to_owned()).collect(),
    };
    let authenticated_at = app.clock.now_ms();
    let sign_in = SignIn { profile, authenticated_at, methods: Vec::new(), provider_session: None, tokens: None };
    let device = Device { name: "Firefox on Linux".to_owned(), network: "127.0.0.0".to_owned() };
    format!(
        "session={}",
        start_session(app, &app.parts.identity, &sign_in, authenticated_at, &device).await.unwrap().token
    )
}

/// The median and the 99th percentile, in milliseconds.
pub fn percentiles(taken: &mut [Duration]) -> (f64, f64) {
    taken.sort_unstable();
    let at = |part: usize| taken[(taken.len() - 1) * part / 100].as_secs_f64() * 1_000.0;
    (at(50), at(99))
}

/// A new, empty database on the server.
pub async fn new_database(server: &str) -> String {
    use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
    let name = format!("shop_{}", Uuid::now_v7().simple());
    let mut admin = PgConnection::connect(&format!("{server}/postgres")).await.unwrap();
    admin.execute(AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.unwrap();
    format!("{server}/{name}")
}

/// A staff member.
pub struct Desk {
    pub app: App,
    pub shop: Url,
    pub cookie: String,
    pub client: Client,
}

impl Desk {
    pub async fn get(&self, path: &str) -> String {
        let request = self.client.get(self.shop.join(path).unwrap()).header("cookie", &self.cookie);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
        answer.text().await.unwrap()
    }

    pub async fn post(&self, path: &str, content_type: &str, body: Vec<u8>) -> Value {
        let request = self.client.post(self.shop.join(path).unwrap()).header("cookie", &self.cookie);
        let request = request.header("sec-fetch-site", "same-origin").header("content-type", content_type);
        let answer = request.body(body).send().await.unwrap();
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
        answer.json().await.unwrap()
    }

    /// Uploads a product file. Returns the import's path and the result of reading it.
    pub async fn read_file(&self, file: String) -> (String, Value) {
        let import = self.post("/api/admin/products/imports", "text/csv", file.into_bytes()).await;
        let path = format!("/api/admin/products/imports/{}", import["id"].as_str().unwrap());
        let read = self.wait(&path, "reading").await;
        (path, read)
    }

    /// Applies the import.
    pub async fn write_file(&self, path: &str) {
        self.post(&format!("{path}/apply"), "application/json", Vec::new()).await;
        let done = self.wait(path, "applying").await;
        assert_eq!((&done["state"], &done["products"]["skipped"]), (&"applied".into(), &0.into()), "{done:.300}");
    }

    async fn wait(&self, path: &str, state: &str) -> Value {
        loop {
            let view: Value = serde_json::from_str(&self.get(path).await).unwrap();
            if view["state"] != state {
                return view;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// A file with this many new products.
    pub async fn file(&self, lines: usize) -> String {
        let mut reader = self.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        let category = "SELECT slug FROM categories WHERE parent_id IS NOT NULL ORDER BY slug LIMIT 1";
        let category: String = sql!(&mut conn, c => sqlx::query_scalar(category).fetch_one(c).await).unwrap();
        let key = "SELECT media_key FROM product_images ORDER BY media_key LIMIT 1";
        let key: String = sql!(&mut conn, c => sqlx::query_scalar(key).fetch_one(c).await).unwrap();
        let mut file = String::from(
            "Handle,Title,Body (HTML),Variant SKU,Variant Grams,Variant Inventory Qty,Variant Price,Image Src,Status,Category,Compliance Class\n",
        );
        for at in 0..lines {
            let (stock, status) = (at % 9, if at % 20 == 0 { "draft" } else { "active" });
            let price = format!("{}.50", 5 + at % 90);
            writeln!(
                file,
                "many-{at},Number {at} of many,<p>Like the others but for its number.</p>,M-{at},100,{stock},{price},{key},{status},{category},general_merchandise"
            )
            .unwrap();
        }
        file
    }
}
