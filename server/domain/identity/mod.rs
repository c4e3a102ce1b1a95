//! Authentication. Customers sign in at an OpenID provider; the shop keeps its own session on the server.
//!
//! - The browser holds a random token in an HttpOnly cookie and nothing else; the database holds the token's hash.
//! - Every request with a session looks it up, so a revoked session or a changed role takes effect immediately. Only kept pages, which
//!   show a visitor no more than their own name and role, use sessions looked up within the last seconds (`recent`).
//! - The provider's tokens are encrypted in the database and never reach a browser.
//! - A request may carry a Bearer access token instead of the cookie; ID tokens are not accepted as access tokens.

pub mod accounts;
pub mod model;
pub mod provider;
pub mod recent;
pub mod refresh;
pub mod service;
pub mod standing;
pub mod store;

use std::sync::Arc;

use shop_base::config::Config;
use shop_base::seal::Seal;

use self::provider::IdentityProvider;
use self::recent::RecentSessions;

/// The purpose for which the provider's tokens are encrypted.
pub const TOKENS_SEALED_FOR: &str = "provider tokens";

/// What sign-in needs at run time.
#[derive(Debug)]
pub struct Identity {
    /// None when no provider is configured: then nobody can sign in.
    pub provider: Option<Arc<dyn IdentityProvider>>,
    /// Encrypts the provider's tokens in the database.
    pub tokens: Seal,
    /// Encrypts the state of a sign-in in its cookie.
    pub flows: Seal,
    pub recent: RecentSessions,
}

/// Why sign-in could not be set up.
#[derive(Debug, thiserror::Error)]
#[error("a key could not be derived from the secret")]
pub struct IdentityError(#[from] ring::error::Unspecified);

impl Identity {
    pub fn new(config: &Config, provider: Option<Arc<dyn IdentityProvider>>) -> Result<Self, IdentityError> {
        let (tokens, flows) = (Seal::new(config, TOKENS_SEALED_FOR)?, Seal::new(config, "sign-in flow")?);
        Ok(Self { provider, tokens, flows, recent: RecentSessions::default() })
    }
}
