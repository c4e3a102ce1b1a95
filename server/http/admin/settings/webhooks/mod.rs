//! `/admin/settings/webhooks`: other systems that are told what happens, and what became of each telling.

pub mod api;
pub mod log;
pub mod pages;
pub mod queries;
