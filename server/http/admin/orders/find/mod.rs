//! Searches for goods and buyers for orders that staff create.

pub mod api;
mod queries;
