//! What sells, and what sells together: the order of lists, and what a product's page offers beside it.
//!
//! A recurring job writes both onto products. As long as nothing was sold, they stay as they are.

pub mod jobs;
pub mod service;
pub mod store;
