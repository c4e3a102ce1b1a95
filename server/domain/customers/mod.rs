//! A customer's own data: profile, addresses and preferences. Every statement filters by user, so nobody can reach the data of somebody
//! else.

pub mod model;
pub mod service;
pub mod store;
