//! The interface of identity providers. An integration implements it and keeps its wire types to itself.

use std::fmt;

use async_trait::async_trait;
use serde_json::{Map, Value};
use url::Url;

use super::model::{SignIn, Tokens};

/// The result of a refresh.
#[derive(Debug)]
pub struct Refreshed {
    pub tokens: Tokens,
    /// The current roles; empty if the provider lists none, `None` if they could not be read.
    pub roles: Option<Vec<String>>,
    /// The current email address; `None` if the provider says none.
    pub email: Option<SaidEmail>,
}

/// An email address as the provider says it.
#[derive(Debug)]
pub struct SaidEmail {
    /// One that the shop can store and show.
    pub address: String,
    pub is_verified: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// No answer, or an invalid one. Worth retrying later.
    #[error("the identity provider is unavailable: {0}")]
    Unavailable(String),
    /// The provider refuses, or its answer fails verification or cannot be read.
    #[error("refused: {0}")]
    Refused(String),
}

/// What a sign-in asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    SignIn,
    SignUp,
    /// For the admin area, which may require certain methods.
    Staff,
    /// Authenticate again, even if the provider has a session.
    Confirm,
}

/// The secrets of one sign-in.
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

    /// The shop's client id at the provider.
    fn client_id(&self) -> &str;

    /// The audience of access tokens for the shop's API; without it none are accepted.
    fn audience(&self) -> Option<&str>;

    /// The roles in the claims, under the configured name. `None` if the claims contain no roles.
    fn roles(&self, claims: &Map<String, Value>) -> Option<Vec<String>>;

    /// Begins a sign-in: the URL for the browser, and what to store until it returns with `state`.
    async fn start(&self, purpose: Purpose, state: String) -> Result<Started, ProviderError>;

    /// Ends a sign-in: exchanges the code for tokens and verifies all their claims.
    async fn finish(&self, code: &str, verifier: &str, nonce: &str) -> Result<SignIn, ProviderError>;

    /// Renews the tokens of a session of `subject`.
    async fn refresh(&self, tokens: &Tokens, subject: &str) -> Result<Refreshed, ProviderError>;

    /// The URL at which the provider ends its own session and then redirects to `return_to`, if it has one.
    async fn sign_out_url(&self, id_token: Option<&str>, return_to: &str) -> Option<Url>;

    /// The verified claims of a JWT: of one of these types, signed by the provider for `audience`, and not expired.
    async fn verify(&self, token: &str, types: &[&str], audience: &str) -> Result<Map<String, Value>, ProviderError>;
}

/// The value of a text claim.
pub fn text(claims: &Map<String, Value>, name: &str) -> Option<String> {
    claims.get(name).and_then(Value::as_str).map(str::to_owned)
}
