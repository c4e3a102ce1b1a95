//! `/admin/settings/shipping`: methods, zones and prices as one table.

pub mod api;
pub mod pages;
