//! The front page.

pub mod pages;
