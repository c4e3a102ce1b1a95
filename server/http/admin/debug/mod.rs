//! `/admin/debug`: the state of this node, waiting and failed jobs, recent errors.

pub mod api;
pub mod pages;
