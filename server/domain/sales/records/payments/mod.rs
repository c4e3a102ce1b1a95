//! Money for orders: attempts, refunds, and the interface of payment providers.
//!
//! Invariants: an attempt and its idempotency key are stored before the provider is called, and every retry of a call sends the same key;
//! an attempt's status only moves forward; never more is refunded than was taken, and the shares of a line add up to the line.

pub mod attempts;
pub mod declines;
pub mod in_store;
pub mod jobs;
pub mod model;
pub mod proration;
pub mod provider;
pub mod refunds;
pub mod rows;
pub mod store;
pub mod summary;
