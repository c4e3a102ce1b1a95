//! What products are grouped by: the tree of categories, and collections in an order that staff choose.
//!
//! Invariants: the tree has no circles; a slug that shoppers have seen leads to where its category is now; a category is deleted only
//! when nothing is in it. Each change has a version and an entry in the audit log.

pub mod categories;
pub mod collections;
pub mod queries;
pub mod rows;
mod store;
