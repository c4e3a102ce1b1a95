//! The age gate: who may enter. A birth date is compared and dropped; it is never stored, logged or put into an address.
//! What remains is a signed cookie that says until when its holder counts as verified.

pub mod model;
pub mod service;
pub mod store;
