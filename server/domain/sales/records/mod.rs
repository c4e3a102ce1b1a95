//! What is stored of sales: for each record its rows, its store and what keeps it sound.

pub mod draft_orders;
pub mod fulfillment;
pub mod orders;
pub mod payments;
pub mod pickups;
pub mod returns;
