//! `/admin/audit`: who changed what.

pub mod api;
pub mod list;
pub mod queries;
