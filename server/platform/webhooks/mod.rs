//! Outgoing webhooks, which tell other systems what happens in the shop, signed as specified by Standard Webhooks.
//!
//! Invariants: a notification is written in the same transaction as the event it reports, so neither exists without the other; it is sent
//! at least once to each endpoint that was subscribed to its kind at that moment, always under the same id; it contains ids, numbers and
//! amounts, and nothing that identifies a buyer; nothing is sent to an address that is not public.

pub mod delivery;
pub mod egress;
pub mod jobs;
pub mod model;
pub mod queries;
pub mod rows;
pub mod sender;
pub mod service;
pub mod store;
