//! What was bought. An order is a draft until its payment is certain, and a record afterward: its lines keep the names, prices and rules of
//! that moment.
//!
//! Invariants: totals add up (checked by the tables); the payment status is derived from the attempts and never set by hand; only one
//! payment attempt places an order; a placed order's stock is sold; every event leaves an entry in the history.

pub mod claim;
pub mod history;
pub mod jobs;
pub mod model;
pub mod rows;
pub mod service;
pub mod snapshots;
pub mod store;
pub mod webhook;
