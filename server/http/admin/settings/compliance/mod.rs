//! `/admin/settings/compliance`: what may be sold where, and since when.

pub mod api;
pub mod pages;
