//! Goods that come back.
//!
//! Invariants: no more of a line is announced than has left and was not announced before; only what was received is put on the shelf,
//! and money for it is given back once; a rejected return ends there.

pub mod model;
pub mod rows;
pub mod service;
pub mod store;
