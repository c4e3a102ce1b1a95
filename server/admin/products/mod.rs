//! Products as staff see and change them.

pub mod api;
