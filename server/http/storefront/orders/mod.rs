//! Orders, as their buyers see them.

pub mod pages;
