//! Checks whether the configured services are available.

use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use shop_base::context::Context;
use shop_domain::identity::Identity;
use shop_domain::identity::provider::{IdentityProvider, Purpose};
use shop_domain::sales::flows::parts::Providers;
use shop_domain::sales::records::payments::provider::PaymentProvider;
use shop_platform::mail::mailer::Mailer;
use shop_platform::media::Media;
use utoipa::ToSchema;

/// The result of checking one service.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Check {
    /// Such as `Mail`.
    pub name: &'static str,
    pub state: CheckState,
    /// What was checked, or what went wrong and how to fix it.
    pub detail: String,
    /// Duration of the check.
    pub milliseconds: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckState {
    Works,
    /// Not configured, so not checked.
    Off,
    Fails,
}

/// The services that the shop depends on.
#[derive(Clone)]
pub struct Services {
    pub cx: Context,
    pub media: Arc<Media>,
    pub identity: Arc<Identity>,
    pub providers: Arc<Providers>,
    /// None when its settings are missing.
    pub mailer: Option<Arc<dyn Mailer>>,
}

/// Checks all of them concurrently. Each check has its own timeout.
pub async fn run(services: &Services) -> Vec<Check> {
    let (database, storage, identity, payment, mail) = tokio::join!(
        timed("Database", database(&services.cx)),
        timed("Images", storage(&services.media)),
        timed("Sign-in", sign_in(services.identity.provider.as_deref())),
        timed("Card payment", payment(services.providers.square.as_deref(), services.cx.clock.now_ms())),
        timed("Email", mail(services.mailer.as_deref())),
    );
    vec![database, storage, identity, payment, mail]
}

pub type Outcome = (CheckState, String);

async fn timed(name: &'static str, check: impl Future<Output = Outcome>) -> Check {
    let began = Instant::now();
    let (state, detail) = check.await;
    Check { name, state, detail, milliseconds: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX) }
}

fn outcome<E: std::fmt::Display>(result: Result<(), E>, works: &str) -> Outcome {
    match result {
        Ok(()) => (CheckState::Works, works.to_owned()),
        Err(error) => (CheckState::Fails, error.to_string()),
    }
}

fn off(settings: &str) -> Outcome {
    (CheckState::Off, format!("Set {settings}, then restart the shop."))
}

async fn database(cx: &Context) -> Outcome {
    outcome(cx.db.ping().await, "It responds to queries.")
}

pub async fn storage(media: &Media) -> Outcome {
    outcome(media.check().await, "A test file was written, read back, and deleted.")
}

pub async fn sign_in(provider: Option<&dyn IdentityProvider>) -> Outcome {
    let Some(provider) = provider else { return off("SHOP_OIDC_ISSUER and SHOP_OIDC_CLIENT_ID") };
    let works = format!("{} published its sign-in address.", provider.issuer());
    // The started sign-in is never completed.
    let state = "test".to_owned();
    outcome(provider.start(Purpose::SignIn, state).await.map(drop), &works)
}

pub async fn payment(square: Option<&dyn PaymentProvider>, now: i64) -> Outcome {
    const MINUTE: i64 = 60_000;
    let Some(square) = square else { return off("the SHOP_SQUARE_… settings") };
    outcome(square.list_changed(now - MINUTE).await.map(drop), "Square accepts the credentials and lists payments.")
}

pub async fn mail(mailer: Option<&dyn Mailer>) -> Outcome {
    let Some(mailer) = mailer else { return off("SHOP_SMTP_URL and SHOP_MAIL_FROM") };
    outcome(mailer.check().await, "The mail server responds and accepts the credentials.")
}
