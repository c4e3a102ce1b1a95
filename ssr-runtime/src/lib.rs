//! V8 isolates that render.
