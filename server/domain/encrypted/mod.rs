//! What the database stores encrypted with `SHOP_SECRET`, and how it is encrypted anew when that is replaced.

pub mod service;
mod store;
