//! `/admin/testing`: does everything outside answer, and would it do what the shop asks of it?

pub mod api;
pub mod checks;
pub mod compliance;
pub mod pages;
pub mod payment;
pub mod queries;
