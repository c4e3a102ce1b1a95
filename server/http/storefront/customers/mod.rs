//! The account.

pub mod api;
pub mod form;
pub mod pages;
