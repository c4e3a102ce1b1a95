//! `/admin/settings/mail`: texts that staff add to the shop's emails.

pub mod api;
pub mod pages;
