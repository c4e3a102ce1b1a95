//! By which words staff find orders, draft orders, products and customers: what they type is the beginning of each word, in any order.
//!
//! Invariant: whoever changes a text that is searched by writes its terms anew, in the same transaction.

pub mod jobs;
pub mod model;
pub mod service;
pub mod store;
