//! `/admin/analytics`: visitor behavior and sales over time.

pub mod api;
pub mod pages;
pub mod query;
