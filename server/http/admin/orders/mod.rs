//! Orders for staff: the list, the page of one order and its printouts, and the calls that change orders.

pub mod api;
pub mod drafts;
pub mod list;
pub mod pages;
pub mod queries;
mod read;
mod timeline;
pub mod unfinished;
pub mod view;
