//! The desk at which staff keep the catalog: products with their options, variants and pictures.
//!
//! Invariants: a product is written as a whole, under its version, with an entry in the audit log; what a shopper sees has a variant, a
//! picture and a text for each picture; a handle that shoppers have seen leads to where the product is now; a variant that orders,
//! carts or the stock's history know is archived, never deleted.

pub mod bulk;
pub mod differences;
pub mod model;
mod notification;
pub mod service;
pub mod store;
mod write;
