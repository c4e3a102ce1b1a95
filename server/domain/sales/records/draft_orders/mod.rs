//! Orders that staff put together for a customer who pays through a link.
//!
//! A draft is a checkout that staff have filled: its goods and their prices are fixed, and the link opens the ordinary checkout, where
//! everything else is decided as for any cart. Invariants: its goods can be paid only in its own checkout, so it becomes at most one order;
//! what is held or paid is determined by the order of that checkout, never by the draft; it holds no stock; it shows the buyer no personal
//! data; another recipient gets another link and another checkout.

pub mod jobs;
pub mod model;
pub mod promise;
pub mod rows;
pub mod service;
pub mod store;
