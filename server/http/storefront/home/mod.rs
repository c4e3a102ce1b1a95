//! The front page: what the catalog has to show first.

pub mod pages;
