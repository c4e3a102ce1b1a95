//! Orders for staff: the list, one order's page and what is printed of it, and the calls that change one.

pub mod api;
pub mod bulk;
pub mod drafts;
pub mod find;
pub mod goods;
pub mod list;
pub mod money;
pub mod new_order;
pub mod pages;
pub mod queries;
mod timeline;
pub mod unfinished;
pub mod view;
