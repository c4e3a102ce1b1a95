//! Files of the bundle, information about newer builds, robots.txt, and `/.well-known/`.

pub mod assets;
pub mod builds;
pub mod robots;
pub mod well_known;
