//! Who of the staff changed what, when and from where.
//!
//! Invariants: an entry is written in the transaction of the change that it tells of; entries are never changed or deleted (the tables
//! refuse it); each entry's hash covers the one before, so that a gap or a forgery shows; personal data of shoppers stays out.

pub mod extract;
pub mod head;
pub mod model;
pub mod service;
pub mod store;
