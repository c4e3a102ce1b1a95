//! The outside world. Each integration implements a trait that a noun owns; its wire types stay inside.

pub mod smtp;
pub mod square;
