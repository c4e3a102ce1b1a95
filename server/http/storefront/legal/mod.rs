//! Legal texts.

pub mod pages;
