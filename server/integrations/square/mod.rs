//! Card payments with Square.
//!
//! - Money is authorized first and captured in a second call; what is never captured Square lets go of by itself.
//! - A call is repeated with the very same bytes, so with the same idempotency key, and at most twice.
//! - What an answer means follows from its category, not from its HTTP status. An answer that cannot be read, or a
//!   refusal after a try whose answer was lost, says nothing about the money: the outcome is unknown.

mod client;
mod errors;
mod provider;
pub mod webhook;
mod wire;

pub use self::client::{ClientError, Patience, VERSION};
pub use self::provider::Square;
