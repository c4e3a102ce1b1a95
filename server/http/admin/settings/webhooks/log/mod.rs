//! The log of webhooks, and the page of one dispatch with all its attempts.

pub mod list;
pub mod pages;
