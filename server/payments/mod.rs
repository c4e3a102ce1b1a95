//! Money for orders.
//!
//! Invariants: an attempt and its idempotency key are stored before the provider is called, and every repetition of a call sends the same
//! key; money is first held and taken only when the order is placed; news of a payment, by whatever way it comes, goes through
//! [`service::settle`], which only moves forward; an attempt is given up only after the provider was told never to carry it
//! out; what is taken for an order that does not want it is given back; never
//! more is given back than was taken, and the parts of a line add up to the line; a refund is failed only when its provider has said so
//! and has none of it; no record of the provider is older than the watermark and not compared with ours.

pub mod api;
pub mod attempts;
pub mod compare;
pub mod counter;
pub mod declines;
pub mod disputes;
pub mod giving;
pub mod jobs;
pub mod limits;
pub mod model;
pub mod pickup;
pub mod provider;
pub mod reconcile;
pub mod refunds;
pub mod rows;
pub mod service;
pub mod share;
pub mod store;
pub mod webhooks;
