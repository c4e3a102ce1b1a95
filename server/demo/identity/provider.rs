//! A running identity provider, as its handlers access it.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use shop_base::clock::Clock;
use tokio::sync::Mutex;

use super::faults::Faults;
use super::state::{Memory, Store};

pub const CLIENT_ID: &str = "shop";

/// Not actually secret: the provider listens on this machine only.
pub const CLIENT_SECRET: &str = "demonstration";

/// The audience of access tokens.
pub const AUDIENCE: &str = "shop-api";

/// A running provider. Cheap to clone.
#[derive(Clone)]
pub struct Provider(pub(super) Arc<Inner>);

/// The fields are private to the provider.
pub struct Inner {
    pub(super) issuer: String,
    pub(super) shop: String,
    pub(super) clock: Arc<dyn Clock>,
    /// What survives a restart: keys, accounts, grants.
    pub(super) store: Mutex<Store>,
    /// What does not survive: codes and browser sessions.
    pub(super) memory: Mutex<Memory>,
    pub(super) faults: std::sync::Mutex<Faults>,
    /// How often tokens were refreshed.
    pub(super) refreshes: AtomicUsize,
    pub(super) http: reqwest::Client,
}

impl std::ops::Deref for Provider {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Provider {
    pub(super) fn now_seconds(&self) -> i64 {
        self.clock.now_ms() / 1000
    }
}
