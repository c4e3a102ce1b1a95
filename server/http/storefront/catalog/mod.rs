//! Lists, products and the site map.

pub mod api;
pub mod pages;
pub mod sitemap;
