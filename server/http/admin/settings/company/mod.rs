//! `/admin/settings/company`: what the shop states about the company.

pub mod api;
pub mod pages;
