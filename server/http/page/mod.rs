//! Turns a page with its props into a response: the envelope, rendering in an isolate, the document, and the page cache.

mod admission;
pub mod cache;
pub mod document;
pub mod entry;
pub mod envelope;
pub mod render;
pub mod serve;
pub mod shared;
pub mod turns;
pub mod visit;
