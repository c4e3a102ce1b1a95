//! Export and import of the catalog as a CSV file with the columns of Shopify's product files and a few of our own.
//!
//! Invariants: a file with errors is not written at all, and otherwise only what its author has seen in the report is written; a product is
//! written completely or not at all; products that have changed meanwhile are skipped and listed; an unmodified export imports as
//! unchanged; nothing is fetched from the network; what is not in the file stays as it is.

mod columns;
pub mod export;
mod html;
pub mod import;
pub mod report;
mod rows;
mod store;
mod walk;
pub mod work;
