//! Tests of the runtime in real isolates, with the React app in `tests/fixture`.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod console;
mod fixture;
mod html;
mod limits;
mod load;
mod reuse;
mod start;
