//! Money for orders.

pub mod provider;
