//! The cart. A guest's lives in the browser alone; a signed-in shopper's is kept here too, one per user, and merged with what each
//! device sends.
//!
//! Invariants: a variant is in a cart once; what a device changed wins over what it did not know, and what it did not change
//! stays as another device left it; sending the same thing twice changes nothing.

pub mod api;
pub mod model;
pub mod pages;
pub mod service;
pub mod store;
