//! Filters of a list that staff have saved under a name.

pub mod model;
pub mod service;
pub mod store;
