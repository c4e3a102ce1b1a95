//! The spans of traces, inside of the span of a request or a job. They cost nothing unless a collector is configured.

use tokio::task::JoinHandle;
use tracing::{Instrument, Level, Span};

/// The target of these spans, by which they are told apart from what is logged.
pub const TRACE: &str = "shop::trace";

/// Whether anybody collects traces, and this is part of one.
pub fn is_traced() -> bool {
    tracing::enabled!(target: TRACE, Level::DEBUG) && !Span::current().is_none()
}

/// Runs a task of its own inside of the caller's span: its lines of the log have the id of the request or the job, and its spans are part of
/// that trace.
pub fn spawn<F>(task: F) -> JoinHandle<F::Output>
where
    F: Future<Output: Send + 'static> + Send + 'static,
{
    tokio::spawn(task.in_current_span())
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

#[cfg(test)]
mod tests {
    use tracing::Span;

    use super::spawn;

    #[tokio::test]
    async fn a_task_is_inside_of_its_callers_span() {
        let _listening = tracing::subscriber::set_default(tracing_subscriber::registry());
        let request = tracing::error_span!("request");
        let task = request.in_scope(|| spawn(async { Span::current().id() }));
        let id = task.await.expect("it ends");
        assert!(id.is_some());
        assert_eq!(id, request.id());
    }
}
