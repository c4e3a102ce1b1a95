//! `/admin/settings/legal`: editing, previewing and publishing the legal texts.

pub mod api;
pub mod pages;
mod queries;
