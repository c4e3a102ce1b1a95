//! `/admin/settings/roles`: the permissions of each role, from the table of permissions.

pub mod pages;
