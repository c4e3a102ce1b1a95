//! What the shop sells: products with variants, options, pictures and stock, in a tree of categories.
//!
//! Invariants: a handle and a sku are unique forever (retired paths answer 301 or 410); a variant's compare-at price is
//! above its price; reserved stock never exceeds stock on hand; a product names exactly one compliance class.
//!
//! Lists, searches and cards are answered from [`listing`], an in-memory read model that is updated when the catalog changes; a product
//! page reads the database after each change that may concern it, so that its price and stock are current.

pub mod changes;
pub mod editing;
pub mod groups;
pub mod import_export;
pub mod jobs;
pub mod listing;
pub mod model;
mod nodes;
mod pending;
pub mod products;
pub mod query;
pub mod search;
pub mod service;
pub mod store;
pub mod tags;
pub mod updates;
