//! Lists that staff have given a name: their own, and those that somebody shares with all.

pub mod api;
