//! `/admin/overview`: key figures of the shop, and what needs attention.

pub mod api;
pub mod pages;
pub mod queries;
