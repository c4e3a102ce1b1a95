//! Saved views of lists: private ones, and those shared with all staff.

pub mod api;
