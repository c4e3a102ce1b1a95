//! `/admin/settings/mail`: what staff add to the letters of the shop.

pub mod api;
pub mod pages;
