//! `/admin/overview`: how the shop does, and what needs a hand.

pub mod api;
pub mod pages;
pub mod queries;
