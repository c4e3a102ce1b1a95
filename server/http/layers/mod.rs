//! What happens around every handler: who may enter, headers, other origins, compression, and the end of a node.

pub mod compression;
pub mod cors;
pub mod drain;
pub mod guard;
pub mod headers;
