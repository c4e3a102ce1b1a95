//! Card payments with Square.
//!
//! - Payments are authorized first and captured in a second call; Square voids authorizations that are never captured.
//! - A call is retried with exactly the same bytes, including the idempotency key, and at most twice.
//! - The meaning of an error follows from its category, not from its HTTP status. After an unreadable response, or an error on a retry
//!   after a lost response, nothing is known about the money: the outcome is unknown.

mod client;
mod errors;
mod provider;
pub mod webhook;
mod wire;

pub use self::client::{ClientError, Patience, VERSION};
pub use self::provider::Square;
