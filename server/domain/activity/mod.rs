//! Visitor activity in the shop, to learn which pages work. Browsers report it, [`service`] receives it.
//!
//! Nothing is stored for a visitor whose browser sends `DNT: 1` or `Sec-GPC: 1`. Addresses are truncated to a network before anything is
//! stored. Events wait in a bounded [`queue`] and are written in batches: no request ever waits for them, and if the queue is full they are
//! dropped and counted. Of one account a limited number is stored, and of guests in a day, of each network and of all. After 90 days
//! [`super::retention`] deletes them.

pub mod model;
pub mod queue;
pub mod service;
pub mod store;
