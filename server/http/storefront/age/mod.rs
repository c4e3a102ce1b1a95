//! The age gate.

pub mod api;
pub mod cookie;
pub mod pages;
