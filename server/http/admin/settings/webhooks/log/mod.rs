//! The log of webhooks, and one dispatch with all its tries.

pub mod pages;
