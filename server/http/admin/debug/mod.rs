//! `/admin/debug`: what runs here, what waits and what failed.

pub mod api;
pub mod pages;
