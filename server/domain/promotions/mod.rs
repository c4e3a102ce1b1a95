//! Codes that take something off: a part, an amount, or the shipping.
//!
//! Invariants: a code is used at most as often as it may, counted by one guarded update; a code that is good once per customer
//! has one redemption per email address; a discount never exceeds what it is taken off, and is spread over the lines exactly.

pub mod model;
pub mod service;
pub mod store;
