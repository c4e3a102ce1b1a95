//! Orders that shoppers pay for when they pick them up, from the click to the counter.
//!
//! Such an order costs its buyer nothing, so nobody gets one by a click alone: who is signed in with the email address of the order places
//! it at once, everybody else follows a link in an email first, and until then stock is held, not sold. Invariants: one person and one
//! network have so many open orders and emails at most, counted under a lock in the transaction that adds one; of an order's links the
//! newest alone is good, and only while its checkout is as it was; what nobody picks up is reminded of once and then free again, unless
//! staff have had a hand in it. What staff make at the counter, and what they have put together, is none of these.

pub mod jobs;
pub mod link;
pub mod model;
pub mod rows;
pub mod service;
pub mod store;
