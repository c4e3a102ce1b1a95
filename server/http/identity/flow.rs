//! A sign-in in progress: what the shop must remember until the browser returns from the provider. One browser may have several, in tabs
//! and popups; each is found by its own state.

use axum::http::{HeaderMap, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use shop_base::clock::CLOCK_SKEW;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_base::seal::random;
use shop_domain::identity::Identity;
use shop_domain::identity::provider::Started;
use uuid::Uuid;

use super::cookie;
use super::cookie::Name;

const LIFETIME_MS: i64 = 10 * 60 * 1000;
const ABOUT: &[u8] = b"sign-in";
/// Maximum number of flows per browser; their cookies are sent with every request.
const MOST: usize = 4;

/// Encrypted in a cookie that lasts 10 minutes.
#[derive(Serialize, Deserialize)]
pub struct Flow {
    pub state: String,
    pub nonce: String,
    pub verifier: String,
    pub return_to: String,
    started_at: i64,
}

impl Flow {
    pub fn new(cx: &Context, started: Started, return_to: &str) -> Self {
        let Started { state, nonce, verifier, .. } = started;
        Self { state, nonce, verifier, return_to: return_to.to_owned(), started_at: cx.clock.now_ms() }
    }

    /// The cookie that stores it, and deletions of the oldest ones if there are too many.
    pub fn cookies(&self, cx: &Context, identity: &Identity, headers: &HeaderMap) -> Result<Vec<HeaderValue>, Error> {
        let plain = serde_json::to_vec(self).map_err(Error::internal)?;
        let sealed = identity.flows.seal(&plain, ABOUT)?;
        let before = cookie::flows(cx, headers);
        let too_many = (before.len() + 1).saturating_sub(MOST);
        let mut cookies: Vec<_> =
            before.iter().take(too_many).map(|(id, _)| cookie::clear(cx, Name::Flow(*id))).collect();
        cookies.push(cookie::set(cx, Name::Flow(new_id(cx.clock.as_ref())), &URL_SAFE_NO_PAD.encode(sealed)));
        Ok(cookies)
    }

    /// The flow of this browser with this state, unless it has expired.
    pub fn find(cx: &Context, identity: &Identity, headers: &HeaderMap, state: &str) -> Option<(Uuid, Self)> {
        cookie::flows(cx, headers).into_iter().rev().take(MOST).find_map(|(id, value)| {
            let sealed = URL_SAFE_NO_PAD.decode(value).ok()?;
            let flow: Self = serde_json::from_slice(&identity.flows.open(&sealed, ABOUT)?).ok()?;
            let age = cx.clock.now_ms() - flow.started_at;
            // Negative if it began at a node whose clock is ahead.
            (flow.state == state && (-CLOCK_SKEW..LIFETIME_MS).contains(&age)).then_some((id, flow))
        })
    }
}

/// A new state. It contains the popup's id, so that the popup can report its result even if the flow itself has expired.
pub fn new_state(popup: Option<&str>) -> Result<String, Error> {
    let random = URL_SAFE_NO_PAD.encode(random::<16>()?);
    Ok(popup.map_or(random.clone(), |id| format!("{random}.{id}")))
}

/// The one-time id given by the page that opened the popup.
pub fn popup_of(state: &str) -> Option<&str> {
    state.split_once('.').map(|(_, id)| id).filter(|id| is_popup_id(id))
}

pub fn is_popup_id(id: &str) -> bool {
    (8..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}
