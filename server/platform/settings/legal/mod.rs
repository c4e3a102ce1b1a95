//! The legal texts: Markdown inside the binary, filled with the configured company.

pub mod model;
pub mod service;
pub mod store;
