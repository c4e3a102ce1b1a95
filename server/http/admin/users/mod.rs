//! `/admin/users`: customers and staff.

pub mod api;
pub mod guests;
pub mod list;
pub mod pages;
pub mod queries;
