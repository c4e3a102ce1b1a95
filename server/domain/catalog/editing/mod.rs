//! Catalog management by staff: products with their options, variants and pictures.
//!
//! Invariants: a product is written as a whole, with a version check and an audit log entry; a product visible to shoppers has a variant, a
//! picture and an alternative text for each picture; a handle that shoppers have seen leads to the product's current address; a variant
//! that appears in orders, carts or stock history is archived, never deleted.

pub mod bulk;
pub mod differences;
pub mod model;
mod notification;
pub mod service;
pub mod store;
mod write;
