//! What a shop does all day costs no more when it has sold for years. Counted on SQLite as steps of its virtual machine, which show a plan
//! that reads too much even if little is there to be read. PostgreSQL always has statistics, and so other plans.

pub mod accounts;
pub mod catalog;
pub mod jobs;
mod rows;
pub mod sales;
pub mod staff;
pub mod steps;
