//! `/admin/settings/tax`: rates with their dates and sources, and which county a ZIP code is in.

pub mod api;
pub mod pages;
