//! Unfinished checkouts: who wanted what, why no order was placed, and what the buyers were told.

pub mod list;
pub mod queries;
pub mod story;
