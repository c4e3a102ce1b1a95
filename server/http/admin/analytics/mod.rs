//! `/admin/analytics`: what visitors do and what is sold, over time.

pub mod api;
pub mod pages;
pub mod query;
