//! A shop in a child process; the provider and the buyer are in this process.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use shop_base::clock::{Clock, SystemClock};
use shop_base::context::Context;
use shop_base::db::Db;
use shop_base::sql;
use shop_demo::square::faults::{Hold, Operation, Point};
use shop_demo::square::{Options, StandIn};
use shop_domain::identity::Identity;
use shop_domain::identity::model::{Profile, SignIn};
use shop_domain::identity::service::{Device, start_session};
use shop_platform::webhooks::model::{EndpointInput, NotificationKind};
use shop_platform::webhooks::sender::Sender;
use shop_platform::webhooks::store::insert_endpoint;
use sqlx::{Connection, PgConnection, SqliteConnection};
use tokio::net::TcpListener;
use tokio::sync::OnceCell;
use tokio::time::{sleep, timeout};
use url::Url;
use uuid::Uuid;

use super::seeded;
use super::victim::{LIMIT, Victim};
use crate::checkout::bench::PIPE_TOOL;
use crate::checkout::books::Books;
use crate::support::ports::free_ports;
use crate::support::{Database, new_postgres_database, payload_of, temporary_folder, until};

const STEP_MS: i64 = 5_000;
/// Two minutes in total.
const STEPS: usize = 24;
/// Of the shop and its stand-ins.
const PORTS: u16 = 4;
/// The port of the mailbox, as an offset from the shop's.
const MAILBOX: u16 = 3;
const PAUSE: Duration = Duration::from_millis(5);
/// The program under test.
pub const THIS_RELEASE: &str = env!("CARGO_BIN_EXE_shop");

/// The system clock plus an offset; the victim's clock has the same offset.
#[derive(Debug, Default)]
pub struct Ahead(AtomicI64);

impl Ahead {
    pub fn ahead(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }

    pub fn advance(&self, ms: i64) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Clock for Ahead {
    fn now_ms(&self) -> i64 {
        SystemClock.now_ms() + self.ahead()
    }
}

pub struct Scene {
    pub stand_in: StandIn,
    program: OsString,
    victim: Option<Victim>,
    clock: Arc<Ahead>,
    port: u16,
    folder: PathBuf,
    database: String,
    /// For the test itself, which migrates the tables to this release. Opening it costs more than most of what is asked of it.
    db: OnceCell<Db>,
    hears: bool,
    http: reqwest::Client,
    age_cookie: String,
    variant: Uuid,
    books: Option<Books>,
}

impl Scene {
    /// `hears`: whether the provider sends webhooks to the shop.
    pub async fn start(database: Database, hears: bool) -> Self {
        let folder = temporary_folder();
        let database = seeded::copy(database, &folder).await;
        let mut scene = Self::start_in(folder, database, hears, THIS_RELEASE.as_ref()).await;
        scene.migrate().await;
        scene
    }

    /// With another program, which creates its tables itself.
    pub async fn start_anew(database: Database, program: &OsStr) -> Self {
        let folder = temporary_folder();
        let database = match database {
            Database::Sqlite => format!("sqlite:{}", folder.join("shop.db").display()),
            Database::Postgres => new_postgres_database().await,
        };
        Self::start_in(folder, database, false, program).await
    }

    /// On a database that is there.
    pub async fn start_in(folder: PathBuf, database: String, hears: bool, program: &OsStr) -> Self {
        let port = free_ports(PORTS);
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let base_url: Url = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
        let clock = Arc::new(Ahead::default());
        let options = Options::fast(hears.then(|| format!("http://localhost:{port}/webhooks/square")));
        let stand_in = StandIn::start(listener, base_url, Arc::clone(&clock) as Arc<dyn Clock>, options).await.unwrap();
        let victim = Victim::start(program, port, &folder, &database, &stand_in.base_url, 0).await;
        let variant = variant_in(&database).await;
        let http = reqwest::Client::builder().pool_max_idle_per_host(0).timeout(LIMIT).build().unwrap();
        let mut scene = Self {
            stand_in,
            program: program.to_owned(),
            victim: Some(victim),
            clock,
            port,
            folder,
            database,
            db: OnceCell::new(),
            hears,
            http,
            age_cookie: String::new(),
            variant,
            books: None,
        };
        let answer = scene.post("/api/verify-age", &json!({ "birth_date": "1980-05-17" })).await;
        let line = answer.headers()["set-cookie"].to_str().unwrap();
        scene.age_cookie = line.split(';').next().unwrap().to_owned();
        scene
    }

    /// Uses another program from the next start on.
    pub fn replace_program(&mut self, program: &OsStr) {
        program.clone_into(&mut self.program);
    }

    /// Starts a second program on the same database.
    pub async fn join(&self, program: &OsStr) -> Beside {
        let (port, ahead) = (free_ports(PORTS), self.clock.ahead());
        let victim = Victim::start(program, port, &self.folder, &self.database, &self.stand_in.base_url, ahead).await;
        Beside { port, victim }
    }

    /// Migrates the tables to this release while other programs use them.
    pub async fn migrate(&mut self) {
        self.books = Some(Books::open(self.db().await).await);
    }

    /// Opened like that of a command which has looked for migrations: nothing keeps it from applying some beside a shop on SQLite.
    async fn db(&self) -> &Db {
        self.db.get_or_init(async || Db::open_aside(&self.database).await.unwrap()).await
    }

    pub fn victim(&mut self) -> &mut Victim {
        self.victim.as_mut().expect("it runs")
    }

    fn request(&self, path: &str, body: &Value) -> reqwest::RequestBuilder {
        self.request_at(self.port, path, body)
    }

    fn request_at(&self, port: u16, path: &str, body: &Value) -> reqwest::RequestBuilder {
        let address = format!("http://localhost:{port}{path}");
        self.http.post(address).header("cookie", &self.age_cookie).json(body)
    }

    pub async fn post(&self, path: &str, body: &Value) -> reqwest::Response {
        self.request(path, body).send().await.unwrap()
    }

    /// The body that a buyer sends after seeing the total.
    pub async fn order(&self) -> Value {
        let items = json!([{ "id": self.variant, "qty": 1 }]);
        let mut body = json!({
            "checkout_id": Uuid::now_v7(), "click_id": Uuid::now_v7(), "items": items,
            "email": "buyer@shop.example", "state": "OH", "postal_code": "43215",
            "address": {
                "first_name": "Ada", "last_name": "Reed", "line1": "12 High Street", "city": "Columbus",
                "state": "OH", "postal_code": "43215",
            },
            "shipping_method": "ground", "payment_method": "square", "source_id": "cnon:card-nonce-ok",
        });
        body["expected_total"] = self.total(&body).await;
        body
    }

    /// The same for goods that are picked up and paid for in the store.
    pub async fn pickup(&self) -> Value {
        let mut body = self.order().await;
        (body["shipping_method"], body["payment_method"]) = (json!("pickup"), json!("pickup"));
        body["expected_total"] = self.total(&body).await;
        body
    }

    async fn total(&self, body: &Value) -> Value {
        let quote: Value = self.post("/api/checkout/quote", body).await.json().await.unwrap();
        quote["total"].clone()
    }

    /// The token of the only link that was emailed.
    pub async fn emailed_link(&mut self) -> String {
        const LINK: &str = "/checkout/confirm?link=";
        assert_eq!(self.pass().await.as_deref(), Some("done"));
        let address = format!("http://localhost:{}/messages.json", self.port + MAILBOX);
        let emails = async || self.http.get(&address).send().await.unwrap().text().await.unwrap();
        until("the email is there", async || emails().await.contains(LINK)).await;
        let all = emails().await;
        let (_, link) = all.split_once(LINK).unwrap();
        link.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect()
    }

    pub fn another_click(order: &Value) -> Value {
        let mut again = order.clone();
        again["click_id"] = json!(Uuid::now_v7());
        again
    }

    /// Pays; returns the status.
    pub async fn pay(&self, order: &Value) -> u16 {
        self.pay_and_read(order).await.status().as_u16()
    }

    pub async fn pay_and_read(&self, order: &Value) -> reqwest::Response {
        self.post("/api/checkout/pay", order).await
    }

    /// The state of the payment on the order's page.
    pub async fn shown_payment(&self, page: &str) -> String {
        let address = format!("http://localhost:{}{}", self.port, payload_of(page));
        let page: Value = self.http.get(address).send().await.unwrap().json().await.unwrap();
        page["props"]["order"]["payment_status"].as_str().unwrap_or_else(|| panic!("{page}")).to_owned()
    }

    /// Pays at the second program; returns the status.
    pub async fn pay_beside(&self, beside: &Beside, order: &Value) -> u16 {
        self.request_at(beside.port, "/api/checkout/pay", order).send().await.unwrap().status().as_u16()
    }

    /// Holds the request for a payment at this point, and the shop's repetitions of it, the first of them after eight seconds. Dropping this
    /// lets them continue.
    pub fn hold_payment(&self, point: Point) -> [Hold; 3] {
        std::array::from_fn(|_| self.stand_in.faults.hold(Operation::CreatePayment, point))
    }

    /// Pays without waiting for a response, which may never come.
    pub fn pay_unheard(&self, order: &Value) {
        self.post_unheard("/api/checkout/pay", order);
    }

    pub fn post_unheard(&self, path: &str, body: &Value) {
        let request = self.request(path, body);
        tokio::spawn(async move { drop(request.send().await) });
    }

    /// The buyer returns after everything is settled: retries the same click, and makes another one if the first was not paid.
    pub async fn come_back(&self, order: &Value) {
        let status = match self.pay(order).await {
            409 => self.pay(&Self::another_click(order)).await,
            status => status,
        };
        assert_eq!(status, 200, "the buyer gets the order");
    }

    /// The provider charges the card of the order's first attempt, which the shop had given up.
    pub async fn charge_first_attempt(&self, order: &Value) {
        let sql = "SELECT a.id FROM payment_attempts a JOIN orders o ON o.id = a.order_id WHERE o.checkout_id = $1 AND a.number = 1";
        let checkout = Uuid::parse_str(order["checkout_id"].as_str().unwrap()).unwrap();
        let mut reader = self.db().await.read().await.unwrap();
        let attempt: Uuid =
            sql!(&mut reader.conn(), c => sqlx::query_scalar(sql).bind(checkout).fetch_one(c).await).unwrap();
        drop(reader);
        let payment = json!({
            "source_id": "cnon:card-nonce-ok", "idempotency_key": Uuid::now_v7().simple().to_string(),
            "amount_money": { "amount": order["expected_total"], "currency": "USD" }, "reference_id": attempt,
        });
        let address = self.stand_in.base_url.join("v2/payments").unwrap();
        let request = self.http.post(address).bearer_auth("stand-in-access-token").json(&payment);
        assert_eq!(request.send().await.unwrap().status(), 200);
    }

    async fn pass(&mut self) -> Option<String> {
        self.clock.advance(STEP_MS);
        self.victim().pass(STEP_MS).await
    }

    /// Advances the clock until the program dies; returns its last output.
    pub async fn pass_until_it_dies(&mut self) -> String {
        for _ in 0..STEPS {
            match self.pass().await {
                Some(line) if line != "done" => return line,
                _ => {}
            }
        }
        panic!("it lives on");
    }

    /// Waits until the program has done what its start adds a moment later: the next job is that of an order.
    pub async fn until_idle(&self) {
        const ALL: &str = "SELECT COUNT(*) FROM jobs";
        // Those that recur are due again later than when they were added.
        const LEFT: &str = "SELECT COUNT(*) FROM jobs WHERE run_at <= created_at";
        until("its jobs are done", async || self.count(ALL).await > 0 && self.count(LEFT).await == 0).await;
    }

    /// How many times this was logged.
    pub fn logged(&self, what: &str) -> usize {
        std::fs::read_to_string(self.folder.join("log")).unwrap().matches(what).count()
    }

    /// Waits until the program is dead, and releases all requests that were held.
    pub async fn bury(&mut self, point: &str, said: Option<String>) {
        self.victim.take().unwrap().assert_killed_at(point, said).await;
        self.stand_in.faults.clear();
    }

    pub async fn kill(&mut self) {
        self.victim.take().unwrap().kill().await;
    }

    /// Restarts the program a minute later, when the leases of the dead process have expired. What it left is not damaged.
    pub async fn restart(&mut self) {
        if self.database.starts_with("sqlite:") {
            let mut conn = SqliteConnection::connect(&self.database).await.unwrap();
            assert_eq!(damage(&mut conn).await.unwrap(), None, "see {}", self.folder.display());
            conn.close().await.unwrap();
        }
        let mut tx = self.db().await.begin().await.unwrap();
        let statement = "UPDATE jobs SET leased_until = 1 WHERE leased_until > 0";
        sql!(&mut tx.conn(), c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
        tx.commit().await.unwrap();
        let ahead = self.clock.ahead();
        let victim =
            Victim::start(&self.program, self.port, &self.folder, &self.database, &self.stand_in.base_url, ahead).await;
        self.victim = Some(victim);
    }

    /// Advances the clock by at most two minutes, until no payment, refund or webhook is pending.
    pub async fn pass_until_settled(&mut self) {
        const OPEN: &str = "SELECT (SELECT COUNT(*) FROM payment_attempts WHERE status IN ('sending', 'unknown', 'authorized', 'voiding'))
            + (SELECT COUNT(*) FROM refunds WHERE status = 'pending') + (SELECT COUNT(*) FROM webhook_events WHERE processed_at IS NULL)
            + (SELECT COUNT(*) FROM jobs WHERE name IN ('capture_payment', 'void_payment', 'refund', 'webhook'))";
        if self.hears {
            self.hear_everything().await;
        }
        let mut open = 0;
        for _ in 0..STEPS {
            open = self.count(OPEN).await;
            if open == 0 {
                return;
            }
            assert_eq!(self.pass().await.as_deref(), Some("done"));
        }
        panic!("{open} things are open after two minutes; see {}", self.folder.display());
    }

    /// Adds a webhook endpoint for placed orders.
    pub async fn add_endpoint(&self, url: &str) {
        let config = shop_demo::config(self.port, self.folder.clone(), false).unwrap();
        let (id, now) = (Uuid::now_v7(), self.clock.now_ms());
        let secret = Sender::new(&config).unwrap().new_secret(id).unwrap();
        let (name, url) = ("Warehouse".to_owned(), url.to_owned());
        let input = EndpointInput { name, url, events: vec![NotificationKind::OrderPlaced], is_enabled: true };
        let mut tx = self.db().await.begin().await.unwrap();
        insert_endpoint(&mut tx.conn(), id, &input, &secret.sealed, None, now).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// The cookie of somebody with this role who has just signed in.
    pub async fn sign_in(&self, role: &str) -> String {
        let config = shop_demo::config(self.port, self.folder.clone(), false).unwrap();
        let identity = Identity::new(&config, None).unwrap();
        let clock = Arc::clone(&self.clock) as Arc<dyn Clock>;
        let cx = Context { clock, config: Arc::new(config), db: self.db().await.clone() };
        let profile = Profile {
            issuer: "https://id.example".to_owned(),
            subject: role.to_owned(),
            email: format!("{role}@shop.example"),
            email_verified: true,
            name: "Ada Reed".to_owned(),
            roles: vec![role.to_owned()],
        };
        let now = self.clock.now_ms();
        let sign_in =
            SignIn { profile, authenticated_at: now, methods: Vec::new(), provider_session: None, tokens: None };
        let device = Device { name: "Firefox on Linux".to_owned(), network: "127.0.0.0".to_owned() };
        format!("session={}", start_session(&cx, &identity, &sign_in, now, &device).await.unwrap().token)
    }

    /// Uploads a file of products; returns the status.
    pub async fn import(&self, cookie: &str, file: &'static str) -> u16 {
        let address = format!("http://localhost:{}/api/admin/products/imports", self.port);
        let request = self.http.post(address).header("cookie", cookie).header("sec-fetch-site", "same-origin");
        request.header("content-type", "text/csv").body(file).send().await.unwrap().status().as_u16()
    }

    /// Advances the clock by at most two minutes, until all webhooks were delivered.
    pub async fn pass_until_told(&mut self) {
        for _ in 0..STEPS {
            if self.count("SELECT COUNT(*) FROM jobs WHERE name = 'dispatch'").await == 0 {
                return;
            }
            assert_eq!(self.pass().await.as_deref(), Some("done"));
        }
        panic!("somebody is not told; see {}", self.folder.display());
    }

    /// Waits until the last event of each payment was received, with as many retries as needed.
    async fn hear_everything(&self) {
        let told = async {
            loop {
                let payments = i64::try_from(self.stand_in.payments().len()).unwrap();
                if self.count("SELECT COUNT(DISTINCT subject) FROM webhook_events WHERE kind LIKE 'payment.%'").await
                    >= payments
                {
                    return;
                }
                sleep(PAUSE).await;
            }
        };
        timeout(LIMIT, told).await.expect("every payment is told of");
    }

    pub async fn count(&self, statement: &'static str) -> i64 {
        let mut reader = self.db().await.read().await.unwrap();
        sql!(&mut reader.conn(), c => sqlx::query_scalar(statement).fetch_one(c).await).unwrap()
    }

    pub async fn assert_books_balance(&self) {
        let books = self.books.as_ref().expect("the tables are those of this release");
        books.assert_balance(self.db().await, &self.stand_in.payments()).await;
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // If this fails, the system cleans up its temporary files.
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// A second node of the same shop.
pub struct Beside {
    port: u16,
    victim: Victim,
}

impl Beside {
    pub async fn kill(self) {
        self.victim.kill().await;
    }
}

/// What SQLite finds wrong with its file, if anything.
pub async fn damage(conn: &mut SqliteConnection) -> sqlx::Result<Option<String>> {
    let found: String = sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut *conn).await?;
    if found != "ok" {
        return Ok(Some(found));
    }
    let lost = sqlx::query("PRAGMA foreign_key_check").fetch_optional(&mut *conn).await?;
    Ok(lost.map(|_| "a row lacks the one that it names".to_owned()))
}

/// The variant that buyers buy, read without migrating the tables.
async fn variant_in(database: &str) -> Uuid {
    const SQL: &str = "SELECT id FROM product_variants WHERE sku = $1";
    if database.starts_with("sqlite:") {
        let mut conn = SqliteConnection::connect(database).await.unwrap();
        return sqlx::query_scalar(SQL).bind(PIPE_TOOL).fetch_one(&mut conn).await.unwrap();
    }
    let mut conn = PgConnection::connect(database).await.unwrap();
    sqlx::query_scalar(SQL).bind(PIPE_TOOL).fetch_one(&mut conn).await.unwrap()
}
