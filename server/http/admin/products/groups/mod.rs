//! `/admin/products/groups`: categories and collections.

pub mod api;
pub mod pages;
