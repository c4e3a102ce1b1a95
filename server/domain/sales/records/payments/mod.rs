//! Money for orders: attempts to take it, refunds, and what providers must do.
//!
//! Invariants: an attempt and its idempotency key are stored before the provider is called, and every repetition of a call sends the same
//! key; an attempt only moves forward; never more is given back than was taken, and the parts of a line add up to the line.

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
