//! Managing products.

pub mod api;
pub mod groups;
pub mod imports;
pub mod list;
pub mod pages;
pub mod queries;
