//! What visitors do in the shop, so that its owner learns which pages work. Browsers report it, [`service`] takes it in.
//!
//! Nothing is kept of a visitor whose browser sends `DNT: 1` or `Sec-GPC: 1`. Addresses are cut to a network before anything
//! is stored. Events wait in a bounded [`queue`] and are written in batches: no visitor ever waits for them, and when the
//! queue is full they are dropped and counted. After 90 days [`super::retention`] deletes them.

pub mod model;
pub mod queue;
pub mod service;
pub mod store;
