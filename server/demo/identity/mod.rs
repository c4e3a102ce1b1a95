//! An OpenID provider for trying out the shop, on its own origin: discovery, keys, authorization code with PKCE, rotation of refresh tokens
//! with reuse detection, userinfo, front-channel and back-channel logout, JWT access tokens. Anybody can sign in as anybody, so it is for
//! the demonstration only.

mod authorize;
mod controls;
mod faults;
mod keys;
mod pages;
mod provider;
mod state;
mod token;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tokio::net::TcpListener;
use tokio::sync::Mutex;

pub use self::faults::{Faults, Omission, Wrong};
use self::provider::{AUDIENCE, CLIENT_SECRET, Inner};
pub use self::provider::{CLIENT_ID, Provider};
pub use self::state::SAMPLES;
pub use self::token::METHOD;

use self::state::Store;
use shop_base::clock::Clock;
use shop_base::config;
use shop_base::config::Secret;

/// The shop's settings for this provider.
pub fn settings(issuer: &str) -> config::Identity {
    config::Identity {
        issuer: issuer.to_owned(),
        client_id: CLIENT_ID.to_owned(),
        client_secret: Some(Secret::new(CLIENT_SECRET)),
        audience: Some(AUDIENCE.to_owned()),
        trusted_audiences: Vec::new(),
        roles_claim: "roles".to_owned(),
        account_url: url::Url::parse(&format!("{issuer}/account")).ok(),
        staff_methods: Vec::new(),
        confirm_methods: Vec::new(),
    }
}

impl Provider {
    /// Loads what an earlier run stored in `file`, or starts empty. `shop` is the shop's origin.
    pub fn open(issuer: String, shop: String, file: PathBuf, clock: Arc<dyn Clock>) -> std::io::Result<Self> {
        let http = reqwest::Client::builder()
            .timeout(Duration::from_secs(5))
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(std::io::Error::other)?;
        Ok(Self(Arc::new(Inner {
            issuer,
            shop,
            clock,
            store: Mutex::new(Store::open(file)?),
            memory: Mutex::default(),
            faults: std::sync::Mutex::default(),
            refreshes: AtomicUsize::new(0),
            http,
        })))
    }

    /// Serves until the task is dropped.
    pub async fn serve(self, listener: TcpListener) -> std::io::Result<()> {
        axum::serve(listener, self.router()).await
    }

    fn router(self) -> Router {
        Router::new()
            .route("/.well-known/openid-configuration", get(token::discovery))
            .route("/keys", get(token::keys))
            .route("/authorize", get(authorize::authorize))
            .route("/sign-in", post(authorize::sign_in))
            .route("/token", post(token::token))
            .route("/userinfo", get(token::userinfo).post(token::userinfo))
            .route("/end-session", get(authorize::end_session))
            .route("/account", get(authorize::account))
            .route("/style.css", get(pages::style))
            .layer(from_fn_with_state(self.clone(), misbehave))
            .route("/controls", post(controls::set))
            .with_state(self)
    }
}

/// Delays the response or fails, if so configured.
async fn misbehave(State(provider): State<Provider>, request: Request, next: Next) -> Response {
    let (down, delay) = provider.with_faults(|faults| (faults.down, faults.delay));
    tokio::time::sleep(delay).await;
    if down { StatusCode::SERVICE_UNAVAILABLE.into_response() } else { next.run(request).await }
}
