//! What staff set, part by part, and how every node learns of it.
//!
//! Invariants: each part has a version, and a change names the one that it was made upon; a change is audited in its transaction; after
//! it this node and the others forget the pages that they have kept.

pub mod company;
pub mod dated;
pub mod legal;
pub mod mail;
pub mod parts;
pub mod store;
pub mod texts;
