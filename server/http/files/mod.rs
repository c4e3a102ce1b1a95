//! Files of the bundle, information about newer builds, and robots.txt.

pub mod assets;
pub mod builds;
pub mod robots;
