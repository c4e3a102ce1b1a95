//! The stored records of sales: for each record its rows, its store and the rules that keep it consistent.

pub mod draft_orders;
pub mod fulfillment;
pub mod orders;
pub mod payments;
pub mod pickups;
pub mod returns;
