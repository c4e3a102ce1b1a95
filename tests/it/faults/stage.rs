//! Three nodes behind nginx, each with a network to the database that can be cut; the provider and the mail server are in this process.

use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use reqwest::Client;
use reqwest::header::{CACHE_CONTROL, COOKIE, ORIGIN, SET_COOKIE};
use serde_json::{Value, json};
use shop_base::clock::{Clock, SystemClock};
use shop_base::context::Context;
use shop_base::db::Db;
use shop_base::sql;
use shop_demo::mailbox::Mailbox;
use shop_demo::square::{Options, StandIn};
use shop_domain::identity::Identity;
use shop_domain::identity::model::{Profile, SignIn};
use shop_domain::identity::service::{Device, start_session};
use shop_platform::media::WIDTHS;
use tokio::net::TcpListener;
use tokio::time::sleep;
use uuid::Uuid;

use crate::checkout::books::Books;
use crate::kills::scene::Ahead;
use crate::support::cluster::{Cluster, is_root};
use crate::support::link::Link;
use crate::support::nginx::Nginx;
use crate::support::ports::free_port;
use crate::support::program::Program;
use crate::support::temporary_folder;

pub const NODES: usize = 3;
const PAUSE: Duration = Duration::from_millis(20);
/// Steps of the clock until everything is settled, and their length.
const STEPS: usize = 60;
const STEP_MS: i64 = 5_000;
/// Two minutes, until 99% of the payments are settled.
const STEPS_FOR_MOST: usize = 24;

pub struct Stage {
    pub origin: String,
    pub nginx: Nginx,
    pub nodes: Vec<Program>,
    /// To the database, one for each node.
    pub links: Vec<Link>,
    pub mail: Link,
    pub stand_in: StandIn,
    pub cluster: Cluster,
    /// Not through a link.
    pub db: Db,
    pub books: Books,
    pub age_cookie: String,
    pub staff_cookie: String,
    /// Of the pictures' masters, which the nodes share.
    pub pictures: PathBuf,
    /// The data of the first node, on a file system of its own if the system lets us.
    pub small_disk: PathBuf,
    pub http: Client,
    /// The keys of the pictures, and how many renditions were asked for.
    masters: Vec<String>,
    shown: AtomicUsize,
    clock: Arc<Ahead>,
    _mailbox: Mailbox,
    folder: PathBuf,
}

impl Stage {
    pub async fn set() -> Self {
        let folder = temporary_folder();
        let cluster = Cluster::start();
        let clock = Arc::new(Ahead::default());
        let (tls, plain) = (free_port(), free_port());
        let origin = format!("https://localhost:{tls}");

        let mut config = shop_demo::config(0, folder.clone(), false).unwrap();
        config.data.database = shop_base::config::Secret::new(Cluster::database_at(cluster.port));
        let db = Db::open(config.data.database.expose()).await.unwrap();
        shop::demo_data::seed(&db, &config, &SystemClock).await.unwrap();
        execute(&db, "UPDATE stock_levels SET on_hand = 100000").await;
        let books = Books::open(&db).await;
        let cx = Context { clock: Arc::clone(&clock) as Arc<dyn Clock>, config: Arc::new(config), db: db.clone() };
        let staff_cookie = format!("__Host-session={}", admin(&cx).await);

        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
        let stand_in = StandIn::start(listener, base_url, cx.clock, Options::fast(None)).await.unwrap();
        let mailbox = Mailbox::start(&folder, 0).await.unwrap();
        let mail = Link::to(mailbox.smtp_address().port()).await;

        let (mut nodes, mut links) = (Vec::new(), Vec::new());
        let small_disk = folder.join("node-0/data");
        for at in 0..NODES {
            let own = folder.join(format!("node-{at}"));
            let data = own.join("data");
            fs::create_dir_all(&data).unwrap();
            if data == small_disk && is_root() {
                let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"]).arg(&data).status();
                assert!(mounted.unwrap().success());
            }
            std::os::unix::fs::symlink(folder.join("pictures"), data.join("pictures")).unwrap();
            let link = Link::to(cluster.port).await;
            let database = Cluster::database_at(link.port);
            let settings = [
                ("SHOP_ORIGIN", origin.as_str()),
                ("SHOP_DATA", data.to_str().unwrap()),
                ("SHOP_TRUSTED_PROXIES", "127.0.0.1/32"),
                ("SHOP_RATE_LIMITS", "off"),
                ("SHOP_SMTP_URL", &format!("smtp://127.0.0.1:{}", mail.port)),
                ("SHOP_MAIL_FROM", "care@shop.example"),
                ("SHOP_CLOCK_SHIFT", "0"),
                ("SHOP_SQUARE_STAND_IN", stand_in.base_url.as_str()),
            ];
            nodes.push(Program::node_in(own, free_port(), &database, &settings).await);
            links.push(link);
        }
        let ports: Vec<u16> = nodes.iter().map(|node| node.port).collect();
        let nginx = Nginx::start(tls, plain, &ports).await;
        let http = Client::builder().timeout(Duration::from_secs(10)).build().unwrap();
        let mut stage = Self {
            origin,
            nginx,
            nodes,
            links,
            mail,
            stand_in,
            cluster,
            db,
            books,
            age_cookie: String::new(),
            staff_cookie,
            pictures: folder.join("pictures"),
            small_disk,
            http,
            masters: keys(&folder.join("pictures")),
            shown: AtomicUsize::new(0),
            clock,
            _mailbox: mailbox,
            folder,
        };
        stage.readiness(Duration::from_secs(30)).await;
        stage.age_cookie = stage.pass_age_gate().await;
        stage
    }

    async fn pass_age_gate(&self) -> String {
        let client = self.nginx.client(Ipv4Addr::new(127, 0, 6, 1));
        let request = client.post(format!("{}/api/verify-age", self.origin)).header(ORIGIN, &self.origin);
        let answer = request.json(&json!({ "birth_date": "1980-05-17" })).send().await.unwrap();
        answer.headers()[SET_COOKIE].to_str().unwrap().split(';').next().unwrap().to_owned()
    }

    /// How long it takes until all nodes are ready.
    pub async fn readiness(&self, limit: Duration) -> Duration {
        let began = Instant::now();
        for node in &self.nodes {
            loop {
                let answer = self.http.get(format!("http://127.0.0.1:{}/readyz", node.port)).send().await;
                if answer.as_ref().is_ok_and(|answer| answer.status() == 200) {
                    break;
                }
                let state = match answer {
                    Ok(answer) => answer.text().await.unwrap_or_default(),
                    Err(error) => error.to_string(),
                };
                assert!(began.elapsed() < limit, "not ready after {limit:?}: {state}; see {}", node.folder.display());
                sleep(PAUSE).await;
            }
        }
        began.elapsed()
    }

    /// A page's envelope, from one node.
    pub async fn envelope(&self, node: usize, path: &str) -> Result<Value, String> {
        let address = format!("http://127.0.0.1:{}{path}/_payload.json", self.nodes[node].port);
        let answer = self.http.get(address).send().await.map_err(|error| error.to_string())?;
        match answer.status().as_u16() {
            200 => answer.json().await.map_err(|error| error.to_string()),
            status => Err(format!("status {status}")),
        }
    }

    /// Asks a node for a rendition that nobody has asked for; returns the status and whether it may be kept.
    pub async fn picture(&self, node: usize) -> (u16, bool) {
        let at = self.shown.fetch_add(1, Ordering::Relaxed);
        let key = &self.masters[at % self.masters.len()];
        let width = WIDTHS[at / self.masters.len()];
        let address = format!("http://127.0.0.1:{}/images/{key}-{width}.webp", self.nodes[node].port);
        let answer = self.http.get(address).send().await.unwrap();
        let control = answer.headers().get(CACHE_CONTROL);
        (answer.status().as_u16(), control.is_some_and(|control| control.to_str().unwrap().contains("immutable")))
    }

    /// A call of an admin through nginx.
    pub async fn administer(&self, client: &Client, path: &str, body: &Value) -> Result<Value, String> {
        let request = client.post(format!("{}{path}", self.origin)).header(COOKIE, &self.staff_cookie);
        let request = request.header(ORIGIN, &self.origin).header("sec-fetch-site", "same-origin").json(body);
        let answer = request.send().await.map_err(|error| error.to_string())?;
        let status = answer.status();
        let body = answer.text().await.map_err(|error| error.to_string())?;
        if status.is_success() { Ok(serde_json::from_str(&body).unwrap()) } else { Err(format!("{status}: {body}")) }
    }

    pub async fn variant(&self, sku: &str) -> Uuid {
        let mut reader = self.db.read().await.unwrap();
        let mut conn = reader.conn();
        sql!(&mut conn, c => sqlx::query_scalar("SELECT id FROM product_variants WHERE sku = $1").bind(sku).fetch_one(c).await)
            .unwrap()
    }

    pub async fn count(&self, statement: &'static str) -> i64 {
        let mut reader = self.db.read().await.unwrap();
        let mut conn = reader.conn();
        sql!(&mut conn, c => sqlx::query_scalar(statement).fetch_one(c).await).unwrap()
    }

    /// Kills a node and starts it again.
    pub async fn kill(&mut self, node: usize) {
        self.nodes[node].kill_and_start("SHOP_CLOCK_SHIFT", &self.clock.ahead().to_string()).await;
    }

    /// Advances all clocks until no payment, refund or email waits.
    pub async fn settle(&mut self) {
        const PAYMENTS: &str = "SELECT COUNT(*) FROM payment_attempts";
        const OPEN_PAYMENTS: &str =
            "SELECT COUNT(*) FROM payment_attempts WHERE status IN ('sending', 'unknown', 'authorized', 'voiding')";
        const OTHERS: &str = "SELECT (SELECT COUNT(*) FROM refunds WHERE status = 'pending')
            + (SELECT COUNT(*) FROM jobs WHERE name IN ('capture_payment', 'void_payment', 'refund') OR name LIKE '%mail')";
        // Leases of nodes that were killed.
        execute(&self.db, "UPDATE jobs SET leased_until = 1 WHERE leased_until > 0").await;
        let mut open = 0;
        for step in 0..STEPS {
            let payments = self.count(OPEN_PAYMENTS).await;
            if step == STEPS_FOR_MOST {
                let all = self.count(PAYMENTS).await;
                assert!(payments * 100 <= all, "{payments} of {all} payments are open; see {}", self.folder.display());
            }
            open = payments + self.count(OTHERS).await;
            if open == 0 {
                return;
            }
            self.clock.advance(STEP_MS);
            for node in &mut self.nodes {
                node.order(&format!("pass {STEP_MS}")).await;
            }
        }
        panic!("{open} things are open; see {}", self.folder.display());
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.nodes.clear();
        if is_root() {
            let _ = Command::new("umount").arg("--lazy").arg(&self.small_disk).status();
        }
        if !std::thread::panicking() {
            // If this fails, the system cleans up its temporary files.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

fn keys(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    // The folder's id has no ending.
    let pictures = files.filter(|file| file.extension().is_some());
    pictures.filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned())).collect()
}

async fn execute(db: &Db, statement: &'static str) {
    let mut tx = db.begin().await.unwrap();
    let mut conn = tx.conn();
    sql!(&mut conn, c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
}

/// The token of an admin's session.
async fn admin(cx: &Context) -> String {
    let identity = Identity::new(&cx.config, None).unwrap();
    let profile = Profile {
        issuer: "https://id.example".to_owned(),
        subject: "admin".to_owned(),
        email: "admin@shop.example".to_owned(),
        email_verified: true,
        name: "Ada Reed".to_owned(),
        roles: vec!["admin".to_owned()],
    };
    let authenticated_at = cx.clock.now_ms();
    let sign_in = SignIn { profile, authenticated_at, methods: Vec::new(), provider_session: None, tokens: None };
    let device = Device { name: "Firefox on Linux".to_owned(), network: "127.0.0.0".to_owned() };
    start_session(cx, &identity, &sign_in, authenticated_at, &device).await.unwrap().token
}
