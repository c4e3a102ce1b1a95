//! `/admin/audit`: who changed what.

pub mod api;
pub mod pages;
pub mod queries;
