//! `/admin/settings/webhooks`: endpoints of other systems, and the log of what was sent to them.

pub mod api;
pub mod log;
pub mod pages;
pub mod queries;
