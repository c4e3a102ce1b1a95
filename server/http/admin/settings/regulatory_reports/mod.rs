//! `/admin/settings/reports`: deliveries of regulated goods by month and state, as states require them to be reported.

pub mod api;
pub mod pages;
