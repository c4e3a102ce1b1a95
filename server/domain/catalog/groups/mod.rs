//! Groups of products: the tree of categories, and collections ordered by staff.
//!
//! Invariants: the tree has no cycles; a slug that shoppers have seen leads to the category's current address; only an empty category can
//! be deleted. Each change has a version and an audit log entry.

pub mod categories;
pub mod collections;
mod order;
pub mod queries;
pub mod rows;
mod store;
mod versions;
