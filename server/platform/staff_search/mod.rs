//! The terms by which staff find orders, draft orders, products and customers: each typed word matches the beginning of a term, in any
//! order.
//!
//! Invariant: code that changes a searched text also rewrites its terms, in the same transaction.

pub mod jobs;
pub mod model;
pub mod service;
pub mod store;
