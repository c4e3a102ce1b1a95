//! Best sellers and products bought together: the order of lists, and the related products on a product's page.
//!
//! A recurring job writes both to the products. As long as nothing was sold, they stay unchanged.

pub mod jobs;
pub mod service;
pub mod store;
