//! Calls that import files of products.

pub mod api;
