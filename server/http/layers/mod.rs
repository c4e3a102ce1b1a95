//! Middleware around all handlers: access guards, headers, request ids, CORS, rate limits, compression, and graceful shutdown.

pub mod compression;
pub mod cors;
pub mod drain;
pub mod guard;
pub mod headers;
pub mod limits;
pub mod outermost;
pub mod refusals;
pub mod request_id;
