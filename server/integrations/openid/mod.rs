//! Sign-in with an OpenID provider: discovery, sign-in, refresh, and verification of tokens.
//!
//! - The provider's metadata is fetched when first needed and then hourly; its keys also when a token names an unknown one, at most every
//!   10 s. If the provider is down, sign-in is unavailable and the rest of the shop is not affected.
//! - No token signed with a symmetric key is accepted: that key would be the client's own secret.

mod discovery;
mod errors;
mod provider;
mod types;
mod userinfo;
mod verify;

pub use self::provider::{OpenId, OpenIdStartError};
