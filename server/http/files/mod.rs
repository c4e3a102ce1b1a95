//! Files of the bundle, the icon, information about newer builds, robots.txt, and `/.well-known/`.

pub mod assets;
pub mod builds;
pub mod icon;
pub mod robots;
pub mod well_known;
