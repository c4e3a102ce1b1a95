//! The checkout.

pub mod api;
pub mod confirm;
pub mod cookie;
pub mod form;
pub mod pages;
