//! The calls by which files of products come in.

pub mod api;
