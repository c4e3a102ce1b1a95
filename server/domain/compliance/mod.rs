//! What may be sold, where to, and how: every product has a class, and a class without a rule that allows it is not sold.

pub mod deliveries;
pub mod editing;
pub mod model;
pub mod service;
pub mod store;
