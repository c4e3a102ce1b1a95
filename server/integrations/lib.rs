//! External services. Those that the domain calls implement a trait that is defined below this crate; wire types stay private.

pub mod openid;
pub mod purging;
pub mod smtp;
pub mod square;
