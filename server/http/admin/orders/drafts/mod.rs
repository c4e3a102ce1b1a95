//! Draft orders: the list, the page of one, and the calls that change it.

pub mod api;
pub mod list;
pub mod pages;
pub mod queries;
