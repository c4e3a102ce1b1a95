//! Sales by day and by product: days with changes are recomputed.

pub mod model;
pub mod service;
pub mod store;
