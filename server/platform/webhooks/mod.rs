//! Other systems are told what happens in the shop: webhooks out, signed as Standard Webhooks has it.
//!
//! Invariants: a notification is written in the same transaction as what it tells of, so neither is without the other; it is sent at
//! least once to each endpoint that wanted its kind at that moment, always under the same id; it holds ids, numbers and amounts, and
//! nothing that names a buyer; nothing is sent to an address that is not public.

pub mod delivery;
pub mod egress;
pub mod jobs;
pub mod model;
pub mod queries;
pub mod rows;
pub mod sender;
pub mod service;
pub mod store;
