//! The audit log: which staff member changed what, when and from where.
//!
//! Invariants: an entry is written in the same transaction as the change it records; entries are never changed or deleted (the tables
//! prevent it); each entry's hash covers the previous one, so that gaps and forgeries are detected; personal data of shoppers is not
//! recorded.

pub mod extract;
pub mod head;
pub mod model;
pub mod service;
pub mod store;
