//! Lists, products and the sitemap.

pub mod api;
pub mod pages;
pub mod sitemap;
