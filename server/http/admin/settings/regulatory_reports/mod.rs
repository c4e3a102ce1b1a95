//! `/admin/settings/reports`: deliveries of regulated goods by month and state, as states want them reported.

pub mod api;
pub mod pages;
