//! What the shop asks of whoever signs people in. An integration implements it; its wire types stay inside.

use std::fmt;

use async_trait::async_trait;
use serde_json::{Map, Value};
use url::Url;

use super::model::{SignIn, Tokens};

/// What a refresh brought.
#[derive(Debug)]
pub struct Refreshed {
    pub tokens: Tokens,
    /// The roles of now; none at all when the provider lists none. Not known while it could not be asked.
    pub roles: Option<Vec<String>>,
}

#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// It does not answer, or nothing that makes sense. Worth another try later.
    #[error("the identity provider is unavailable: {0}")]
    Unavailable(String),
    /// It says no, or what it says does not hold.
    #[error("refused: {0}")]
    Refused(String),
}

/// What a sign-in asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    SignIn,
    SignUp,
    /// Credentials again, whatever session the provider has.
    Confirm,
}

/// One sign-in's secrets.
#[derive(Debug)]
pub struct Started {
    pub url: Url,
    pub state: String,
    pub nonce: String,
    pub verifier: String,
}

#[async_trait]
pub trait IdentityProvider: fmt::Debug + Send + Sync {
    fn issuer(&self) -> &str;

    /// The shop's name at the provider.
    fn client_id(&self) -> &str;

    /// Whom access tokens for the shop's API are made out to; none are taken without it.
    fn audience(&self) -> Option<&str>;

    /// The roles that claims list, under the configured name. `None` when they say nothing of roles.
    fn roles(&self, claims: &Map<String, Value>) -> Option<Vec<String>>;

    /// Begins a sign-in: where to send the browser, and what to remember until it comes back with `state`.
    async fn start(&self, purpose: Purpose, state: String) -> Result<Started, ProviderError>;

    /// Ends a sign-in: trades the code for tokens and checks all that they claim.
    async fn finish(&self, code: &str, verifier: &str, nonce: &str) -> Result<SignIn, ProviderError>;

    /// Renews the tokens of a session of `subject`.
    async fn refresh(&self, tokens: &Tokens, subject: &str) -> Result<Refreshed, ProviderError>;

    /// Where the provider ends its own session and then sends the browser to `return_to`, if it has such a place.
    async fn sign_out_url(&self, id_token: Option<&str>, return_to: &str) -> Option<Url>;

    /// Claims of a JWT that somebody presents: of one of these types, signed by the provider for `audience` and not over.
    async fn verify(&self, token: &str, types: &[&str], audience: &str) -> Result<Map<String, Value>, ProviderError>;
}

/// A claim that is text.
pub fn text(claims: &Map<String, Value>, name: &str) -> Option<String> {
    claims.get(name).and_then(Value::as_str).map(str::to_owned)
}
