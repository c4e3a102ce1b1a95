//! Sign-in, sign-out and the session of a request.

pub mod address;
pub mod bearer;
pub mod cookie;
pub mod extract;
pub mod flow;
pub mod logout;
pub mod notice;
pub mod page_to;
pub mod sign_in;
