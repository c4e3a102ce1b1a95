//! The search over everything that staff look for, behind the command palette.

pub mod api;
pub mod queries;
