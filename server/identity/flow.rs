//! A sign-in that is on its way: what the shop must know again when the browser comes back from the provider.

use axum::http::{HeaderMap, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use super::cookie::{self, Name};
use super::provider::Started;
use crate::app::App;
use crate::error::Error;

const LIFETIME_MS: i64 = 10 * 60 * 1000;
const ABOUT: &[u8] = b"sign-in";

/// Sealed into a cookie of 10 minutes.
#[derive(Serialize, Deserialize)]
pub struct Flow {
    pub state: String,
    pub nonce: String,
    pub verifier: String,
    pub return_to: String,
    /// The one-time id of the page that opened a popup.
    pub popup: Option<String>,
    started_at: i64,
}

impl Flow {
    pub fn new(app: &App, started: &Started, return_to: &str, popup: Option<String>) -> Self {
        Self {
            state: started.state.clone(),
            nonce: started.nonce.clone(),
            verifier: started.verifier.clone(),
            return_to: return_to.to_owned(),
            popup,
            started_at: app.clock.now_ms(),
        }
    }

    pub fn cookie(&self, app: &App) -> Result<HeaderValue, Error> {
        let plain = serde_json::to_vec(self).map_err(Error::internal)?;
        let sealed = app.identity.flows.seal(&plain, ABOUT)?;
        Ok(cookie::set(app, Name::Flow, &URL_SAFE_NO_PAD.encode(sealed)))
    }

    /// The flow that this browser is in, unless it is too old.
    pub fn read(app: &App, headers: &HeaderMap) -> Option<Self> {
        let sealed = URL_SAFE_NO_PAD.decode(cookie::read(app, headers, Name::Flow)?).ok()?;
        let flow: Self = serde_json::from_slice(&app.identity.flows.open(&sealed, ABOUT)?).ok()?;
        let age = app.clock.now_ms() - flow.started_at;
        (0..LIFETIME_MS).contains(&age).then_some(flow)
    }
}
