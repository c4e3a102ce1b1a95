//! Orders for staff: the list, one order's page and what is printed of it, and the calls that change one.

pub mod api;
pub mod drafts;
pub mod list;
pub mod pages;
pub mod queries;
mod read;
mod timeline;
pub mod unfinished;
pub mod view;
