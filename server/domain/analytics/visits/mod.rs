//! What visits did, by day: each event is counted once, into its visit and from there into its day.

pub mod model;
pub mod service;
pub mod store;
pub mod visit;
