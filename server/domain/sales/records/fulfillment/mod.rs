//! Goods that leave: parcels, and what is handed over in the store.
//!
//! Invariants: no more of a line leaves than was ordered and not canceled; nothing leaves that is not paid; where an adult signature or
//! marks on the parcel are required, somebody has confirmed them; a buyer is notified once that the goods are ready; the order's
//! fulfillment status follows from what has left.

pub mod model;
pub mod rows;
pub mod service;
pub mod store;
