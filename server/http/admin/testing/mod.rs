//! `/admin/testing`: checks the external services, and makes test calls to them.

pub mod api;
pub mod checks;
pub mod compliance;
pub mod pages;
pub mod payment;
pub mod queries;
