//! From a page with its props to bytes: the envelope, rendering in an isolate, the document, and pages that are kept.

pub mod cache;
pub mod document;
pub mod render;
pub mod serve;
pub mod visit;
