//! The area of the staff.

pub mod audit;
pub mod lists;
pub mod orders;
pub mod products;
pub mod rights;
pub mod testing;
pub mod users;
