//! The catalogue as a CSV file with the columns of Shopify's product files and a few of our own: out, and in again.
//!
//! Invariants: a file is carried out as a whole or not at all, and only as the report said that its author has seen; what was written
//! out reads back as unchanged; nothing is fetched from anywhere; what is not in a file stays as it is.

mod columns;
pub mod export;
mod html;
pub mod import;
pub mod report;
mod rows;
mod store;
mod walk;
