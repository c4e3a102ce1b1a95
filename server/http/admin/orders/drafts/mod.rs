//! Draft orders: the list, one of them, and what is done with it.

pub mod api;
pub mod list;
pub mod pages;
pub mod queries;
