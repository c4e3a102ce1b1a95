//! Stock on hand, reservations and movements.
//!
//! Invariants, kept by the tables' checks as well: 0 ≤ reserved ≤ on hand; the reserved stock of a variant is the sum of its held
//! reservations; every change of the stock on hand has a movement.
//!
//! Rows are always locked in the order of their variants' ids, to avoid deadlocks between orders.

pub mod adjust;
pub mod counts;
mod notification;
pub mod queries;
pub mod rows;
pub mod service;
pub mod store;
