//! Checkouts that were begun and not finished: who wanted what, why it came to nothing, and what they were told.

pub mod list;
pub mod queries;
pub mod story;
