//! Pickup orders, which shoppers pay for in the store, from the click to the handover.
//!
//! A pickup order costs nothing up front, so a click alone does not place one: a shopper who is signed in with the order's email address
//! places it immediately; everybody else must first follow a link in an email, and until then stock is held, not sold. Invariants: the
//! number of open orders and emails is limited per person and per network, counted under a lock in the transaction that adds one; only the
//! newest link of an order is valid, and only while its checkout is unchanged; an order that is ready and not picked up gets one reminder,
//! then its goods are released, unless staff have acted on it; one that was never ready is left to staff. Counter sales and draft orders are not counted here.
//! A shopper's order that costs nothing and is shipped is confirmed and counted like these, and nobody is reminded of it.

pub mod jobs;
pub mod model;
pub mod rows;
pub mod service;
pub mod store;
