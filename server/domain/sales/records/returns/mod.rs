//! Goods that come back.
//!
//! Invariants: no more of a line is announced than was shipped and not announced before; only received goods are restocked, and they are
//! refunded once; a rejected return stays rejected.

pub mod model;
pub mod rows;
pub mod service;
pub mod store;
