//! Goods that leave: parcels, and what is handed over in the store.
//!
//! Invariants: no more of a line leaves than was ordered and not canceled; nothing leaves that is not paid; where an adult has to sign,
//! or a parcel has to bear marks, somebody has confirmed it; a buyer is told once that goods lie ready; the order's fulfillment status follows from what has left.

pub mod model;
pub mod rows;
pub mod service;
pub mod store;
