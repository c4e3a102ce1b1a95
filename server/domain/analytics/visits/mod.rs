//! Visits by day: each event is counted once, in its visit and thereby in its day.

pub mod model;
pub mod service;
pub mod store;
pub mod visit;
