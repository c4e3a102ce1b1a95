//! External services. Each integration implements a trait that is defined below this crate; its wire types stay private.

pub mod openid;
pub mod smtp;
pub mod square;
