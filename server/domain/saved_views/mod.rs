//! Filters of a list that staff keep under a name.

pub mod model;
pub mod service;
pub mod store;
