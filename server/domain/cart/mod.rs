//! The cart. A guest's lives in the browser, and in a signed cookie by which the server knows it; a signed-in shopper's is kept here, one
//! per user, and merged with what each device sends.
//!
//! Invariants: a variant is in a cart once; what a device changed wins over what it did not know, and what it did not change
//! stays as another device left it; sending the same thing twice changes nothing.

pub mod model;
pub mod service;
pub mod store;
