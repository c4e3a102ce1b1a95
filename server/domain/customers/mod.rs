//! What a customer keeps here: profile, addresses and preferences. Every statement names the user, so nobody reaches
//! what is somebody else's.

pub mod model;
pub mod service;
pub mod store;
