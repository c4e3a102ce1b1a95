//! The outside world. Each integration implements a trait that a noun owns; its wire types stay inside.

pub mod openid;
pub mod smtp;
pub mod square;
