//! What benchmarks of the running shop share.

use std::sync::Arc;
use std::time::Duration;

use shop::app::App;
use shop::clock::SystemClock;
use shop::config::Config;
use shop::db::Db;
use shop::demo;
use shop::identity::model::Profile;
use shop::identity::service::{Device, SignIn, start_session};
use shop::web::site::Site;
use tokio::net::TcpListener;
use url::Url;
use uuid::Uuid;

/// A free port of this machine.
pub async fn listen() -> (TcpListener, Url) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    (listener, address)
}

/// The demonstration's goods in an empty database.
pub async fn seeded(config: &Config) -> Db {
    let db = Db::open(config.data.database.expose()).await.unwrap();
    demo::seed(&db, config, &SystemClock).await.unwrap();
    db
}

/// A shop that answers at the listener's address.
pub async fn serve(config: Config, db: Db, listener: TcpListener) -> App {
    let site = Site::embedded(&config.rendering).unwrap();
    let app = App::build(config, Arc::new(SystemClock), db, site).await.unwrap();
    let served = app.clone();
    tokio::spawn(async move { shop::serve::serve(served, listener, std::future::pending()).await.unwrap() });
    app
}

/// The cookie of somebody who has just signed in.
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
    let sign_in = SignIn { profile, authenticated_at, provider_session: None, tokens: None };
    let device = Device { name: "Firefox on Linux".to_owned(), network: "127.0.0.0".to_owned() };
    format!("session={}", start_session(app, &sign_in, &device).await.unwrap())
}

/// The median and the 99th percentile, in milliseconds.
pub fn percentiles(taken: &mut [Duration]) -> (f64, f64) {
    taken.sort_unstable();
    let at = |part: usize| taken[(taken.len() - 1) * part / 100].as_secs_f64() * 1_000.0;
    (at(50), at(99))
}

/// An empty database of its own on the server.
pub async fn new_database(server: &str) -> String {
    use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
    let name = format!("shop_{}", Uuid::now_v7().simple());
    let mut admin = PgConnection::connect(&format!("{server}/postgres")).await.unwrap();
    admin.execute(AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.unwrap();
    format!("{server}/{name}")
}
