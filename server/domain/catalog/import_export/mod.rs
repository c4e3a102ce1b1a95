//! The catalog as a CSV file with the columns of Shopify's product files and a few of our own: out, and in again.
//!
//! Invariants: nothing of a file is written while it has errors, and then only what the report said that its author has seen; a product is
//! written whole or not at all, and what was changed meanwhile is left alone and named; what was written out reads back as unchanged;
//! nothing is fetched from anywhere; what is not in a file stays as it is.

mod columns;
pub mod export;
mod html;
pub mod import;
pub mod report;
mod rows;
mod store;
mod walk;
pub mod work;
