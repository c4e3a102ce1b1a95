//! `/admin/settings/company`: what the shop says of itself.

pub mod api;
pub mod pages;
