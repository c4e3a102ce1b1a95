//! Who is asking. Customers sign in at an OpenID provider; the shop keeps a session of its own on the server.
//!
//! - The browser holds a random token in an HttpOnly cookie and nothing else; the database holds the token's hash.
//! - Every request of a session looks it up, so a revoked session or a changed role counts at once.
//! - The provider's tokens are sealed in the database and never reach a browser.
//! - A call may carry a Bearer access token instead of the cookie; an ID token is no access token.

pub mod accounts;
pub mod model;
pub mod provider;
pub mod refresh;
pub mod service;
pub mod store;

use std::sync::Arc;

use self::provider::Provider;
use shop_base::clock::Clock;
use shop_base::config::Config;
use shop_base::seal::Seal;

/// What sign-in needs while the shop runs.
#[derive(Debug)]
pub struct Identity {
    /// None when no provider is configured: then nobody can sign in.
    pub provider: Option<Provider>,
    /// Seals the provider's tokens in the database.
    pub tokens: Seal,
    /// Seals the state of a sign-in in its cookie.
    pub flows: Seal,
}

/// Why sign-in could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    #[error("the HTTP client: {0}")]
    Http(#[from] reqwest::Error),
    #[error("a key could not be derived from the secret")]
    Key(#[from] ring::error::Unspecified),
}

impl Identity {
    pub fn new(config: &Config, clock: &Arc<dyn Clock>) -> Result<Self, IdentityError> {
        let provider = |settings: &shop_base::config::Identity| {
            Provider::new(settings.clone(), config.http.origin(), Arc::clone(clock))
        };
        let secret = config.secret.expose();
        Ok(Self {
            provider: config.identity.as_ref().map(provider).transpose()?,
            tokens: Seal::new(secret, "provider tokens")?,
            flows: Seal::new(secret, "sign-in flow")?,
        })
    }
}
