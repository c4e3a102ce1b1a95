//! The admin area.

pub mod analytics;
pub mod audit;
pub mod debug;
pub mod lists;
pub mod orders;
pub mod overview;
pub mod products;
pub mod rights;
pub mod settings;
pub mod testing;
pub mod users;
