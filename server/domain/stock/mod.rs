//! What is there, what is promised, what has left.
//!
//! Invariants, kept by the tables' checks as well: 0 ≤ reserved ≤ on hand; the reserved stock of a variant is the sum of its held
//! reservations; every change of the stock on hand has a movement.
//!
//! Rows are always taken in the order of their variants' ids, so that two orders never wait for each other.

pub mod adjust;
pub mod counts;
mod notification;
pub mod service;
pub mod store;
