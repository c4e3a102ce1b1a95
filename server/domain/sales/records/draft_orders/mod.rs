//! Orders that staff put together for somebody who pays through a link.
//!
//! A draft is a checkout that staff have filled: its goods and their prices are fixed, and the link opens the ordinary checkout, where
//! everything else is decided as for any cart. Invariants: its goods can be paid in its own checkout only, so that it becomes one order at
//! most; what an order of that checkout holds or has paid decides, never the draft; it holds no stock; it names no one to the buyer.

pub mod jobs;
pub mod link;
pub mod model;
pub mod promise;
pub mod rows;
pub mod service;
pub mod store;
