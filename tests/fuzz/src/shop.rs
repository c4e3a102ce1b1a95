//! A whole shop in this process: seeded, with its pages, the stand-ins of its providers, and its socket for those that call back.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, FromRef};
use axum::http::{Request, StatusCode, header};
use shop::app::App;
use shop::router::{PAGES, router};
use shop_base::clock::{Clock, SystemClock};
use shop_base::config::Rendering;
use shop_base::db::Db;
use shop_demo::square::StandIn;
use shop_domain::identity::model::{Profile, SignIn};
use shop_domain::identity::service::{Device, start_session};
use shop_http::layers::outermost::Outermost;
use shop_http::storefront::age;
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::site::Site;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tower::ServiceExt;

pub struct Shop {
    runtime: Runtime,
    pub app: App,
    router: Outermost,
    shopper: Mutex<String>,
    pub owner: String,
    sent: AtomicU32,
    _square: StandIn,
    _folder: TempDir,
}

pub struct Answer {
    pub status: StatusCode,
    pub body: Vec<u8>,
    /// It takes the session's cookie away.
    pub ends_session: bool,
}

static SHOP: LazyLock<Shop> = LazyLock::new(Shop::open);

pub fn shop() -> &'static Shop {
    &SHOP
}

impl Shop {
    fn open() -> Self {
        let runtime = Runtime::new().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (app, square) = runtime.block_on(open(&folder));
        let shopper = Mutex::new(runtime.block_on(shopper(&app)));
        let owner = runtime.block_on(session(&app, "owner", &["super_admin"]));
        let router = router(app.clone(), PAGES).unwrap();
        let sent = AtomicU32::default();
        Self { runtime, app, router, shopper, owner, sent, _square: square, _folder: folder }
    }

    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// The cookies of a shopper.
    pub fn shopper(&self) -> String {
        self.shopper.lock().unwrap().clone()
    }

    /// After their session has ended: what follows would be a guest's.
    pub fn sign_in_again(&self) {
        let cookies = self.block_on(shopper(&self.app));
        *self.shopper.lock().unwrap() = cookies;
    }

    /// The answer, which is none of a program that failed.
    pub fn send(&self, mut request: Request<Body>) -> Answer {
        // Each comes from a network of its own: from one, most would be refused unread, as too many.
        let network = self.sent.fetch_add(1, Ordering::Relaxed) << 8;
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from((Ipv4Addr::from(network), 40_000))));
        let asked = format!("{} {}", request.method(), request.uri());
        let answer = self.block_on(async {
            let (parts, body) = self.router.clone().oneshot(request).await.unwrap().into_parts();
            let body = to_bytes(body, usize::MAX).await.unwrap().to_vec();
            let mut cookies = parts.headers.get_all(header::SET_COOKIE).iter();
            let ends_session = cookies.any(|line| line.as_bytes().starts_with(b"session=;"));
            Answer { status: parts.status, body, ends_session }
        });
        assert!(!answer.status.is_server_error(), "{asked}: {}", answer.status);
        answer
    }
}

async fn open(folder: &TempDir) -> (App, StandIn) {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let port = free_ports().await;
    let mut config = shop_demo::config(port, folder.path().to_owned(), false).unwrap();
    config.rendering = Rendering { isolates: 1, warm_up_rounds: 0, ..Rendering::default() };
    let db = Db::open(config.data.database.expose()).await.unwrap();
    shop::demo_data::seed(&db, &config, clock.as_ref()).await.unwrap();
    let square = shop_demo::start_square(&config, Arc::clone(&clock)).await.unwrap();
    shop_demo::start_identity(&config, Arc::clone(&clock)).await.unwrap();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.unwrap();
    let site = Site::embedded(&shop::bundle::BUNDLE, &config.rendering).unwrap();
    let app = App::build(config, clock, db, std::future::ready(Ok(site))).await.unwrap();
    let served = app.clone();
    tokio::spawn(async move { shop::serve::serve(served, listener.into(), std::future::pending()).await.unwrap() });
    (app, square)
}

/// A port that is free with the two after it, which the stand-ins take.
async fn free_ports() -> u16 {
    loop {
        let first = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = first.local_addr().unwrap().port();
        let mut others = Vec::new();
        for offset in [1, 2] {
            others.extend(TcpListener::bind((Ipv4Addr::LOCALHOST, port.saturating_add(offset))).await);
        }
        if others.len() == 2 {
            return port;
        }
    }
}

async fn shopper(app: &App) -> String {
    session(app, "shopper", &["customer"]).await
}

/// The cookies of an adult who has just signed in.
async fn session(app: &App, subject: &str, roles: &[&str]) -> String {
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
    let session = start_session(app, &app.parts.identity, &sign_in, authenticated_at, &device).await.unwrap().token;
    let age = age::cookie::issue(&SignedCookies::from_ref(app));
    let age = age.to_str().unwrap().split(';').next().unwrap_or_default();
    format!("session={session}; {age}")
}
