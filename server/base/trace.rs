//! The spans of traces, inside of the span of a request or a job. They cost nothing unless a collector is configured.

use tracing::{Level, Span};

/// The target of these spans, by which they are told apart from what is logged.
pub const TRACE: &str = "shop::trace";

/// Whether anybody collects traces, and this is part of one.
pub fn is_traced() -> bool {
    tracing::enabled!(target: TRACE, Level::DEBUG) && !Span::current().is_none()
}

/// A span with these fields if it is part of a trace.
#[macro_export]
macro_rules! trace_span {
    ($($fields:tt)+) => {
        if $crate::trace::is_traced() {
            ::tracing::debug_span!(target: $crate::trace::TRACE, $($fields)+)
        } else {
            ::tracing::Span::none()
        }
    };
}
