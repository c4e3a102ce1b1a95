//! `/admin/settings/legal`: the legal texts, written, previewed, published.

pub mod api;
pub mod pages;
