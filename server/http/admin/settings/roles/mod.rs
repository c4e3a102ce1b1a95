//! `/admin/settings/roles`: what each role may do, from the one table of permissions.

pub mod pages;
