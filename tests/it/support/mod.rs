//! A seeded shop on either database, and a client that is called without a network.

mod answer;
mod browser;
pub mod cluster;
pub mod link;
pub mod log;
pub mod nginx;
pub mod ports;
pub mod program;
mod receiver;
pub mod s3;
pub mod statements;
mod temporary;
mod worker;

use std::future::Future;
use std::net::SocketAddr;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{ConnectInfo, FromRef};
use axum::http::{Request, header};
use axum::response::Response;
use serde_json::Value;
use shop::app::App;
use shop::router::{PAGES, router};
use shop_base::clock::{Clock, ManualClock};
use shop_base::config::{Config, Rendering, Secret};
use shop_base::db::Db;
use shop_domain::identity::model::{Profile, SignIn};
use shop_domain::identity::service::{Device, start_session};
use shop_http::layers::outermost::Outermost;
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::site::Site;
use tokio::sync::OnceCell;
use tower::ServiceExt;

pub use answer::Answer;
pub use browser::{
    Browser, leads_on, shop_with_another_clock_than_its_provider, shop_with_provider, shop_with_provider_and,
};
pub use receiver::Receiver;
pub use temporary::{copy_postgres_database, kept, new_postgres_database, new_postgres_database_in, temporary_folder};
pub use worker::{QUICK, Worker, until};

/// 2026-11-21T17:00:00Z: noon in the shop's time zone.
pub const NOON_MS: i64 = 1_795_280_400_000;

pub type TestFuture = Pin<Box<dyn Future<Output = ()>>>;

/// A test with its name.
pub struct Test {
    pub name: &'static str,
    pub run: fn(TestShop) -> TestFuture,
    /// The only database that it runs on, if it does not on each.
    pub only: Option<Database>,
}

/// The test's shop, if what is tested is there with SQLite only.
pub struct OnSqlite(pub TestShop);

/// As [`OnSqlite`].
pub struct OnPostgres(pub TestShop);

/// An async function that takes a [`TestShop`], [`OnSqlite`], [`OnPostgres`], or nothing if it has nothing to do with the database, so that
/// one run is enough.
pub trait TestFn<Takes> {
    const ONLY: Option<Database>;
    fn start(self, shop: TestShop) -> TestFuture;
}

impl<F: FnOnce(TestShop) -> Fut, Fut: Future<Output = ()> + 'static> TestFn<TestShop> for F {
    const ONLY: Option<Database> = None;
    fn start(self, shop: TestShop) -> TestFuture {
        Box::pin(self(shop))
    }
}

impl<F: FnOnce(OnSqlite) -> Fut, Fut: Future<Output = ()> + 'static> TestFn<OnSqlite> for F {
    const ONLY: Option<Database> = Some(Database::Sqlite);
    fn start(self, shop: TestShop) -> TestFuture {
        Box::pin(self(OnSqlite(shop)))
    }
}

impl<F: FnOnce(OnPostgres) -> Fut, Fut: Future<Output = ()> + 'static> TestFn<OnPostgres> for F {
    const ONLY: Option<Database> = Some(Database::Postgres);
    fn start(self, shop: TestShop) -> TestFuture {
        Box::pin(self(OnPostgres(shop)))
    }
}

impl<F: FnOnce() -> Fut, Fut: Future<Output = ()> + 'static> TestFn<()> for F {
    const ONLY: Option<Database> = Some(Database::Sqlite);
    fn start(self, _: TestShop) -> TestFuture {
        Box::pin(self())
    }
}

pub const fn only<Takes, F: TestFn<Takes>>(_: &F) -> Option<Database> {
    F::ONLY
}

/// Lists functions as tests; see [`TestFn`].
#[macro_export]
macro_rules! tests {
    ($($name:ident),* $(,)?) => {
        &[$($crate::support::Test {
            name: stringify!($name),
            run: |shop| $crate::support::TestFn::start($name, shop),
            only: $crate::support::only(&$name),
        }),*]
    };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Database {
    Sqlite,
    Postgres,
}

impl Database {
    pub fn available() -> Vec<Self> {
        match postgres_server() {
            Some(_) => vec![Self::Sqlite, Self::Postgres],
            None => vec![Self::Sqlite],
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

/// URL of a PostgreSQL server without a database name.
pub fn postgres_server() -> Option<String> {
    std::env::var("TEST_POSTGRES").ok().filter(|address| !address.is_empty())
}

/// The address of a page's envelope.
pub fn payload_of(page: &str) -> String {
    match page.split_once('?') {
        Some((path, query)) => format!("{}/_payload.json?{query}", path.trim_end_matches('/')),
        None => format!("{}/_payload.json", page.trim_end_matches('/')),
    }
}

const STACK_BYTES: usize = 8 << 20;

/// The async runtime and one seeded shop per database, shared by all tests: they only read, or write rows that no other test uses.
pub struct Runtime {
    tokio: tokio::runtime::Runtime,
    sqlite: OnceCell<TestShop>,
    postgres: OnceCell<TestShop>,
}

impl Runtime {
    pub fn new() -> Self {
        let tokio = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        Self { tokio, sqlite: OnceCell::new(), postgres: OnceCell::new() }
    }

    pub fn run(&self, database: Database, test: fn(TestShop) -> TestFuture) {
        let cell = match database {
            Database::Sqlite => &self.sqlite,
            Database::Postgres => &self.postgres,
        };
        let run = || {
            self.tokio.block_on(async {
                let shop = cell.get_or_init(|| TestShop::start(database)).await.clone();
                temporary::deleted_after(test(shop)).await;
            });
        };
        // Requests run on the test's stack, of which a long test takes 1 MiB by itself if it is not optimized.
        let failed = thread::scope(|scope| {
            thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run).unwrap().join().err()
        });
        if let Some(panic) = failed {
            log::print();
            resume_unwind(panic);
        }
    }
}

/// A whole shop without a socket.
#[derive(Clone)]
pub struct TestShop {
    pub app: App,
    pub router: Outermost,
    pub clock: Arc<ManualClock>,
    pub database: Database,
}

impl TestShop {
    async fn start(database: Database) -> Self {
        Self::with(database, |_| {}).await
    }

    /// A separate shop for a test that needs other settings.
    pub async fn with(database: Database, change: impl FnOnce(&mut Config)) -> Self {
        let clock = Arc::new(ManualClock::at(NOON_MS));
        let mut config = config(database).await;
        change(&mut config);
        let db = Db::open(config.data.database.expose()).await.unwrap();
        shop::demo_data::seed(&db, &config, clock.as_ref()).await.unwrap();
        let rendering = config.rendering.clone();
        let site = tokio::task::spawn_blocking(move || Site::embedded(&shop::bundle::BUNDLE, &rendering))
            .await
            .unwrap()
            .unwrap();
        let app =
            App::build(config, Arc::clone(&clock) as Arc<dyn Clock>, db, std::future::ready(Ok(site))).await.unwrap();
        let router = router(app.clone(), PAGES).unwrap();
        Self { app, router, clock, database }
    }

    /// Another node of this shop: same database, but separate connections, caches and isolates.
    pub async fn another_node(&self) -> Self {
        self.another_node_with(|_| {}).await
    }

    /// Another node with other settings.
    pub async fn another_node_with(&self, change: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config::clone(&self.app.config);
        change(&mut config);
        let db = Db::open(config.data.database.expose()).await.unwrap();
        let rendering = config.rendering.clone();
        let site = tokio::task::spawn_blocking(move || Site::embedded(&shop::bundle::BUNDLE, &rendering))
            .await
            .unwrap()
            .unwrap();
        let app = App::build(config, Arc::clone(&self.clock) as Arc<dyn Clock>, db, std::future::ready(Ok(site)))
            .await
            .unwrap();
        let router = router(app.clone(), PAGES).unwrap();
        Self { app, router, ..self.clone() }
    }

    /// Ends all job leases, as if the nodes that hold them had crashed and the database's clock had passed their end.
    pub async fn end_leases(&self) {
        let mut tx = self.app.db.begin().await.unwrap();
        let statement = "UPDATE jobs SET leased_until = 1 WHERE leased_until > 0";
        shop_base::sql!(&mut tx.conn(), c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
        tx.commit().await.unwrap();
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    pub async fn head(&self, path: &str) -> Answer {
        self.send(Request::head(path).body(Body::empty()).unwrap()).await
    }

    /// A request by a visitor who has passed the age gate.
    pub async fn get_verified(&self, path: &str) -> Answer {
        let cookie = self.age_cookie();
        self.send(Request::get(path).header(header::COOKIE, cookie).body(Body::empty()).unwrap()).await
    }

    /// What the page at this address says for crawlers.
    pub async fn meta(&self, address: &str) -> Value {
        self.get(&payload_of(address)).await.assert_status(200).json()["meta"].clone()
    }

    pub fn age_cookie(&self) -> String {
        let line = shop_http::storefront::age::cookie::issue(&SignedCookies::from_ref(&self.app));
        line.to_str().unwrap().split(';').next().unwrap().to_owned()
    }

    /// Signs a user in without the provider; returns the session cookie. The same subject is the same user.
    pub async fn sign_in(&self, subject: &str, roles: &[&str]) -> String {
        self.try_sign_in(subject, roles).await.unwrap()
    }

    /// The same for a user who may be rejected.
    pub async fn try_sign_in(&self, subject: &str, roles: &[&str]) -> Result<String, shop_base::error::Error> {
        let profile = Profile {
            issuer: "https://id.example".to_owned(),
            subject: subject.to_owned(),
            email: format!("{subject}@shop.example"),
            email_verified: true,
            name: format!("Test {subject}"),
            roles: roles.iter().map(|&role| role.to_owned()).collect(),
        };
        self.begin_session(profile).await
    }

    /// The same for whomever the provider says that it is.
    pub async fn begin_session(&self, profile: Profile) -> Result<String, shop_base::error::Error> {
        let authenticated_at = self.clock.now_ms();
        let sign_in = SignIn { profile, authenticated_at, methods: Vec::new(), provider_session: None, tokens: None };
        let device = Device { name: "Firefox on Linux".to_owned(), network: "127.0.0.0".to_owned() };
        Ok(format!(
            "session={}",
            start_session(&self.app, &self.app.parts.identity, &sign_in, authenticated_at, &device).await?.token
        ))
    }

    /// A call that a browser with these cookies makes from the shop's own page. `body` is JSON; null sends none.
    pub async fn call(&self, method: &str, path: &str, cookies: &str, body: Value) -> Answer {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::COOKIE, cookies)
            .header("sec-fetch-site", "same-origin")
            .header(header::ORIGIN, self.app.config.http.shop_origin());
        let request = match body {
            Value::Null => request.body(Body::empty()),
            body => request.header(header::CONTENT_TYPE, "application/json").body(Body::from(body.to_string())),
        };
        self.send(request.unwrap()).await
    }

    /// A download whose bytes have not been read yet.
    pub async fn begin(&self, path: &str, cookies: &str) -> Response {
        let request = Request::get(path).header(header::COOKIE, cookies).header("sec-fetch-site", "same-origin");
        self.respond(request.body(Body::empty()).unwrap()).await
    }

    /// A form that a browser submits from a page of this or another site.
    pub async fn form(&self, path: &str, cookies: &str, site: &str, fields: &[(&str, &str)]) -> Answer {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = Request::post(path)
            .header(header::COOKIE, cookies)
            .header("sec-fetch-site", site)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(request.body(Body::from(body)).unwrap()).await
    }

    pub async fn post_json(&self, path: &str, body: impl Into<Body>) -> Answer {
        self.post(path, "application/json", body).await
    }

    pub async fn post(&self, path: &str, content_type: &str, body: impl Into<Body>) -> Answer {
        self.send(Request::post(path).header(header::CONTENT_TYPE, content_type).body(body.into()).unwrap()).await
    }

    pub async fn send(&self, request: Request<Body>) -> Answer {
        Answer::read(self.respond(request).await).await
    }

    async fn respond(&self, mut request: Request<Body>) -> Response {
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 40_000))));
        self.router.clone().oneshot(request).await.unwrap()
    }
}

/// Settings of a separate shop, whose database and pictures are copies of the seeded ones.
async fn config(database: Database) -> Config {
    static SQLITE: OnceCell<Template> = OnceCell::const_new();
    static POSTGRES: OnceCell<Template> = OnceCell::const_new();
    let template = match database {
        Database::Sqlite => SQLITE.get_or_init(|| kept(Template::make(database))).await,
        Database::Postgres => POSTGRES.get_or_init(|| kept(Template::make(database))).await,
    };
    let folder = temporary_folder();
    let pictures = folder.join("pictures");
    std::fs::create_dir(&pictures).unwrap();
    for entry in std::fs::read_dir(template.folder.join("pictures")).unwrap() {
        let entry = entry.unwrap();
        // Originals never change, so hard links are enough.
        std::fs::hard_link(entry.path(), pictures.join(entry.file_name())).unwrap();
    }
    let mut config = settings(folder);
    match &template.database {
        None => drop(std::fs::copy(template.folder.join("shop.db"), config.data.folder.join("shop.db")).unwrap()),
        Some(name) => {
            config.data.database = Secret::new(copy_postgres_database(name).await);
        }
    }
    config
}

fn settings(folder: PathBuf) -> Config {
    let mut config = shop_demo::config(8787, folder, false).unwrap();
    // Hundreds of shops would each spend a second on a warm-up that few of them need.
    // On a busy machine an isolate may get no processor for seconds.
    let deadline = Duration::from_secs(20);
    config.rendering = Rendering { isolates: 1, warm_up_rounds: 0, deadline, ..Rendering::default() };
    config
}

/// Data that is seeded once and then copied, since seeding takes longer than most tests.
struct Template {
    folder: PathBuf,
    /// The name of the PostgreSQL database; SQLite's is a file in the folder.
    database: Option<String>,
}

impl Template {
    async fn make(database: Database) -> Self {
        let mut config = settings(temporary_folder());
        let mut name = None;
        if database == Database::Postgres {
            let address = new_postgres_database().await;
            name = address.rsplit('/').next().map(str::to_owned);
            config.data.database = Secret::new(address);
        }
        let db = Db::open(config.data.database.expose()).await.unwrap();
        shop::demo_data::seed(&db, &config, &ManualClock::at(NOON_MS)).await.unwrap();
        // PostgreSQL copies only databases without connections, and closing completes the SQLite file.
        db.close().await;
        Self { folder: config.data.folder, database: name }
    }
}

/// The number of repetitions of something slow: few, or many if `PROOFS=full` is set.
pub fn rounds(few: usize, many: usize) -> usize {
    if is_full() { many } else { few }
}

pub fn is_full() -> bool {
    std::env::var("PROOFS").is_ok_and(|wanted| wanted == "full")
}
