//! Faults that the provider can be configured to have.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use tokio::sync::oneshot;

/// What is wrong with an ID token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wrong {
    Nonce,
    Issuer,
    Audience,
    /// It is for another audience, too, as all tokens of some providers are.
    FurtherAudience,
    /// The same, issued to another client.
    AuthorizedParty,
    /// The same, and it does not say to whom it was issued.
    NoAuthorizedParty,
    /// Signed with the client's secret.
    Algorithm,
    /// Signed with a key that was never published, using the id of a published one.
    Signature,
    Expiry,
    /// The hash is that of another access token.
    AccessTokenHash,
    /// A time cannot be read.
    Time,
}

/// What the provider omits, as some do depending on their settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Omission {
    RolesInIdToken,
    RolesInUserinfo,
    NameInIdToken,
    /// Userinfo responds with 503.
    Userinfo,
    IdTokenAtRefresh,
    RefreshToken,
    /// The scope `offline_access` is unknown: it is not published, and who asks for it is refused.
    OfflineAccess,
}

#[derive(Debug, Default)]
pub struct Faults {
    /// Affects the next ID token only.
    pub wrong: Option<Wrong>,
    /// Affects all following responses.
    pub omits: Vec<Omission>,
    /// Times and truth are text, as with Auth0 and Cognito.
    pub text_claims: bool,
    /// What all following ID tokens say instead of what is known of the account.
    pub says: Vec<(&'static str, Value)>,
    pub down: bool,
    pub delay: Duration,
    /// The next tokens are given, as of the time when they were asked for, once this resolves.
    pub held_tokens: Option<oneshot::Receiver<()>>,
}
