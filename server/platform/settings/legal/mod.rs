//! The legal texts: Markdown built into the binary, with the configured company filled in.

pub mod model;
pub mod service;
pub mod store;
