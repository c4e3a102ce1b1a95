//! Files of all builds that nodes serve: during a deployment pages of one build ask nodes of another for theirs.

pub mod service;
mod store;
