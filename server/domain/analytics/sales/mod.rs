//! Sales by day and by product: the days that something has happened to are made anew.

pub mod model;
pub mod service;
pub mod store;
