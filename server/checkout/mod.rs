//! From a cart to a paid order.
//!
//! A quote says what goods cost at this moment, where they may go and what stands in the way; it stores nothing. Paying makes the order
//! from a new quote of its own, in one transaction, and refuses when the total is another than the shopper agreed to.

pub mod api;
pub mod by_staff;
pub mod confirm;
pub mod form;
pub mod model;
pub mod pages;
pub mod pay;
pub mod quote;
pub mod tax_lines;
