//! `/admin/users/guests`: buyers without an account, by email address.

pub mod list;
pub mod queries;
