//! What visits did, by day.

pub mod count;
pub mod model;
pub mod store;
