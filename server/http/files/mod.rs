//! Files of the bundle, what tells of newer builds, and what crawlers read first.

pub mod assets;
pub mod builds;
pub mod robots;
