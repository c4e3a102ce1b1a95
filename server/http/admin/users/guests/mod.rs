//! `/admin/users/guests`: who has bought without an account, by mail address.

pub mod list;
