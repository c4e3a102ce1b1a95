//! Sign-in with an OpenID provider: discovery, sign-in, refresh, and tokens that others present.
//!
//! - What the provider publishes is fetched when first needed and each hour; its keys also when a token names an unknown
//!   one, at most every 10 s. A provider that is down leaves the shop without sign-in and otherwise as it is.
//! - Nothing is believed that is signed with a symmetric key: that key would be the client's own secret.

mod discovery;
mod errors;
mod provider;
mod types;
mod verify;

pub use self::provider::{OpenId, OpenIdStartError};
