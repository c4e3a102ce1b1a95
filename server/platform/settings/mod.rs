//! What staff configure, part by part, and how every node learns of changes.
//!
//! Invariants: each part has a version, and a change names the version it was based on; a change is audited in its transaction; after it,
//! kept pages end on every node.

pub mod company;
pub mod dated;
pub mod legal;
pub mod mail;
mod own_ends;
pub mod parts;
pub mod store;
pub mod texts;
