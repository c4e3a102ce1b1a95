//! Where browsers report what visitors do.

pub mod api;
