//! Promo codes, which give a percentage off, an amount off, or free shipping.
//!
//! Invariants: a code is never used more often than allowed, ensured by a single guarded update; a code limited to once per customer has
//! one redemption per email address; a discount never exceeds what it applies to, and is distributed exactly over the lines.

pub mod model;
pub mod queries;
pub mod service;
pub mod store;
