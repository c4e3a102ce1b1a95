//! Ways to get an order and what they cost, by weight and destination.

pub mod model;
pub mod service;
pub mod store;
