//! Sales by day and by product.

pub mod model;
pub mod store;
