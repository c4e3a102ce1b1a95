//! The front page: what the catalogue has to show first.

pub mod pages;
