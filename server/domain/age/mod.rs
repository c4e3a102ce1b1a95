//! The age gate. A birth date is checked and discarded; it is never stored, logged or put into a URL. What remains is a signed cookie with
//! the time until which its holder counts as verified.

pub mod model;
pub mod service;
pub mod store;
