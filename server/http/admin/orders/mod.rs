//! Orders for staff: the list, the page of one order and its printouts, the calls that change orders, and searches for new ones.

pub mod api;
pub mod drafts;
pub mod find;
pub mod list;
pub mod pages;
pub mod queries;
mod read;
mod timeline;
pub mod unfinished;
pub mod view;
