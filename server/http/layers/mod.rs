//! Middleware around all handlers: access guards, headers, CORS, rate limits, compression, and graceful shutdown.

pub mod compression;
pub mod cors;
pub mod drain;
pub mod guard;
pub mod headers;
pub mod limits;
pub mod outermost;
