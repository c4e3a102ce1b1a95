//! The cart. A guest's cart is stored in the browser, and in a signed cookie for the server; a signed-in shopper's is stored in the
//! database, one per user, and merged with the changes of each device.
//!
//! Invariants: a variant occurs once in a cart; a device's own changes win over changes that it did not know of, and what it did not change
//! stays as other devices left it; sending the same change twice has no further effect.

pub mod model;
pub mod service;
pub mod store;
