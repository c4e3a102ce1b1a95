//! The cart.

pub mod api;
pub mod cookie;
pub mod edits;
pub mod pages;
pub mod unfinished;
