//! Lets tests configure the provider's faults: in process, or by `POST /controls`.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use shop_platform::web::extract::Json;

use super::faults::{Faults, Omission, Wrong};
use super::provider::{CLIENT_ID, Provider};

#[derive(Deserialize)]
pub struct Controls {
    #[serde(default)]
    wrong: Option<Wrong>,
    #[serde(default)]
    omits: Vec<Omission>,
    #[serde(default)]
    text_claims: bool,
    #[serde(default)]
    down: bool,
    #[serde(default)]
    delay_ms: u64,
    #[serde(default)]
    rotate_keys: bool,
}

/// `POST /controls`
pub async fn set(State(provider): State<Provider>, Json(controls): Json<Controls>) -> StatusCode {
    provider.with_faults(|faults| {
        *faults = Faults {
            wrong: controls.wrong,
            omits: controls.omits,
            text_claims: controls.text_claims,
            says: Vec::new(),
            down: controls.down,
            delay: Duration::from_millis(controls.delay_ms),
            held_tokens: None,
        };
    });
    if controls.rotate_keys && provider.rotate_keys().await.is_err() {
        return StatusCode::INTERNAL_SERVER_ERROR;
    }
    StatusCode::NO_CONTENT
}

impl Provider {
    pub fn with_faults<T>(&self, use_faults: impl FnOnce(&mut Faults) -> T) -> T {
        use_faults(&mut self.faults.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Signs with a new key from now on; the old one is no longer published.
    pub async fn rotate_keys(&self) -> std::io::Result<()> {
        self.store.lock().await.rotate_key()
    }

    pub(super) fn omits(&self, omission: Omission) -> bool {
        self.with_faults(|faults| faults.omits.contains(&omission))
    }

    /// Changes the roles of an account.
    pub async fn set_roles(&self, sub: &str, roles: &[&str]) -> std::io::Result<()> {
        self.store.lock().await.set_roles(sub, roles)
    }

    /// How often tokens were refreshed.
    pub fn refresh_count(&self) -> usize {
        self.refreshes.load(Ordering::SeqCst)
    }

    /// The token that the back channel sends when a session of this subject ends.
    pub async fn logout_token(&self, subject: &str, session: Option<&str>) -> std::io::Result<String> {
        let now = self.now_seconds();
        let mut claims = json!({
            "iss": self.issuer, "aud": CLIENT_ID, "sub": subject, "iat": now, "exp": now + 120,
            "jti": uuid::Uuid::new_v4().to_string(),
            "events": { "http://schemas.openid.net/event/backchannel-logout": {} },
        });
        if let Some(session) = session {
            claims["sid"] = session.into();
        }
        self.sign("logout+jwt", &claims).await
    }

    /// Signs any claims with the provider's current key.
    pub async fn sign(&self, kind: &str, claims: &serde_json::Value) -> std::io::Result<String> {
        self.store.lock().await.key().sign(kind, claims)
    }
}
