//! What the provider can be told to do wrong.

use std::time::Duration;

use serde::Deserialize;

/// What is wrong with an ID token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wrong {
    Nonce,
    Issuer,
    Audience,
    /// Signed with the client's secret.
    Algorithm,
    /// Signed by a key that was never published, under the name of one that was.
    Signature,
    Expiry,
    /// The hash of another access token.
    AccessTokenHash,
}

/// What the provider leaves out, as some do by their settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Omission {
    RolesInIdToken,
    RolesInUserinfo,
    /// Userinfo answers 503.
    Userinfo,
    IdTokenAtRefresh,
    RefreshToken,
}

#[derive(Debug, Default)]
pub struct Faults {
    /// Of the next ID token only.
    pub wrong: Option<Wrong>,
    /// Of all that follows.
    pub omits: Vec<Omission>,
    pub down: bool,
    pub delay: Duration,
}
