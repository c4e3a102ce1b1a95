//! Puts a demonstration together: its settings, its stand-ins, and what is printed when it starts.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};

use jiff::tz::TimeZone;
use rand::RngCore;
use shop_base::clock::Clock;
use shop_base::config::{Company, Config, Data, Http, Networks, Rendering, Secret, SquareConfig};
use tokio::net::TcpListener;
use url::Url;

use crate::identity;
use crate::square::{self, Options, StandIn};

/// Settings of `shop demo`: SQLite and all other data inside `data`.
pub fn config(port: u16, data: PathBuf, dev: bool) -> io::Result<Config> {
    fs::create_dir_all(&data)?;
    let origin = local(port)?;
    let time_zone = TimeZone::get("America/New_York").map_err(io::Error::other)?;
    let square = square_config(&local(port.saturating_add(SQUARE_PORT))?, &origin)?;
    Ok(Config {
        http: Http {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
            metrics: None,
            origin,
            api_base: None,
            cookie_domain: None,
            trusted_proxies: Networks::default(),
            has_limits: false,
            drain: Duration::ZERO,
            grace: Duration::from_secs(20),
        },
        company: Company {
            name: "Cardinal & Briar".to_owned(),
            email: "care@cardinal-and-briar.example".to_owned(),
            phone: "+1 614 555 0142".to_owned(),
            address: "48 Gay Street, Columbus, OH 43215".to_owned(),
            state: "OH".to_owned(),
            county: "Franklin".to_owned(),
            time_zone,
        },
        rendering: Rendering::default(),
        analytics: None,
        cdn: None,
        otlp: None,
        square: Some(square),
        identity: Some(identity::settings(&identity_origin(port))),
        mail: None,
        backup_key: None,
        warnings: Vec::new(),
        secret: secret(&data)?,
        secret_fallback: None,
        demo: true,
        dev_bundle: dev.then(|| PathBuf::from("target/dev-bundle")),
        data: Data {
            database: Secret::new(format!("sqlite:{}", data.join("shop.db").display())),
            folder: data,
            bucket: None,
        },
    })
}

/// The stand-in's port, as an offset from the shop's.
const SQUARE_PORT: u16 = 2;

/// Settings with which a shop at `origin` uses the Square stand-in at `base_url`.
pub fn square_config(base_url: &Url, origin: &Url) -> io::Result<SquareConfig> {
    let webhook_url = origin.join(SquareConfig::WEBHOOK_PATH).map_err(io::Error::other)?;
    square::settings(base_url, webhook_url.into())
}

/// Starts the Square stand-in of a demonstration, which stores its payments in the shop's data folder.
pub async fn start_square(config: &Config, clock: Arc<dyn Clock>) -> io::Result<StandIn> {
    let port = config.http.address.port().saturating_add(SQUARE_PORT);
    let base_url = local(port)?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(|error| {
        io::Error::new(error.kind(), format!("the Square stand-in cannot listen on port {port}: {error}"))
    })?;
    let webhook_url = config.square.as_ref().map(|square| square.webhook_url.clone());
    let options = Options::kept_in(Some(config.data.folder.join(square::JOURNAL)), webhook_url);
    StandIn::start(listener, base_url, clock, options).await
}

/// The addresses of all parts of a demonstration, to print when it starts.
pub fn tour(config: &Config, mailbox: &str) -> String {
    let (shop, port) = (config.http.origin(), config.http.address.port());
    let square = config.square.as_ref().map_or("off", |square| square.api.as_str().trim_end_matches('/'));
    let accounts = identity::SAMPLES.map(|(_, name, _)| name).join(", ");
    format!(
        "

  Admin area   {shop}/admin/overview
  Accounts     {accounts}: choose one at {}
  Test cards   {square}
  Mail         {mailbox}
  Data         {}

Stop it with Ctrl+C.",
        identity_origin(port),
        config.data.folder.display()
    )
}

fn local(port: u16) -> io::Result<Url> {
    Url::parse(&format!("http://localhost:{port}")).map_err(io::Error::other)
}

/// The identity provider's origin, on the port after the shop's.
fn identity_origin(port: u16) -> String {
    format!("http://localhost:{}", port.saturating_add(1))
}

/// Starts the identity provider of a demonstration shop, for as long as the process runs.
pub async fn start_identity(config: &Config, clock: Arc<dyn Clock>) -> io::Result<()> {
    let port = config.http.address.port().saturating_add(1);
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = TcpListener::bind(address)
        .await
        .map_err(|error| io::Error::other(format!("the identity provider cannot listen on {address}: {error}")))?;
    let origin = identity_origin(config.http.address.port());
    let shop = config.http.origin().to_owned();
    let file = config.data.folder.join("identity.json");
    let provider = identity::Provider::open(origin, shop, file, clock)?;
    tokio::spawn(async move {
        if let Err(error) = provider.serve(listener).await {
            tracing::error!(%error, "the identity provider stopped");
        }
    });
    Ok(())
}

/// A secret that survives restarts, so that cookies stay valid.
fn secret(data: &Path) -> io::Result<Secret> {
    let file = data.join("secret");
    if let Ok(kept) = fs::read_to_string(&file) {
        return Ok(Secret::new(kept));
    }
    let mut bytes = [0_u8; 32];
    rand::rng().fill_bytes(&mut bytes);
    let made: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    fs::write(&file, &made)?;
    Ok(Secret::new(made))
}
