//! Receives the browsers' reports of what visitors do.

pub mod api;
