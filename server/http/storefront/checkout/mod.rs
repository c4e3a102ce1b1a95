//! The checkout.

pub mod api;
pub mod confirm;
pub mod cookie;
pub mod form;
pub mod opened;
pub mod pages;
pub mod place;
pub mod posted;
