//! The last errors that were logged, kept in memory for the operators of the shop: message, fields and time. Log entries contain no
//! personal data, so neither do these.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use super::clock::{Clock, SystemClock};
use super::metrics::Counter;

/// The oldest is dropped first.
const KEPT: usize = 100;
/// Maximum characters of a field; stack traces are long.
const LONGEST: usize = 4_000;

/// Global to this process, as the log subscriber is.
static RECENT: Mutex<VecDeque<LoggedError>> = Mutex::new(VecDeque::new());

static COUNT: Counter = Counter::new();

/// An error as it was logged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedError {
    /// UTC milliseconds by the system clock.
    pub at: i64,
    /// The module that logged it.
    pub target: String,
    pub message: String,
    /// Name and value of each field, and of those of the request.
    pub fields: Vec<(String, String)>,
}

/// How many there were since the start.
pub fn count() -> u64 {
    COUNT.get()
}

/// The recent errors, newest first.
pub fn list() -> Vec<LoggedError> {
    recent().iter().rev().cloned().collect()
}

fn recent() -> MutexGuard<'static, VecDeque<LoggedError>> {
    RECENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Records what is logged as an error, in addition to the log itself.
#[derive(Debug)]
pub struct RecentErrors;

/// The fields of a span, such as the id of a request.
struct SpanFields(Vec<(String, String)>);

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for RecentErrors {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut read = Read::default();
        attributes.record(&mut read);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(SpanFields(read.fields));
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        if *event.metadata().level() != Level::ERROR {
            return;
        }
        COUNT.add(1);
        let mut read = Read::default();
        event.record(&mut read);
        for span in context.event_scope(event).into_iter().flatten() {
            if let Some(SpanFields(fields)) = span.extensions().get() {
                read.fields.extend_from_slice(fields);
            }
        }
        let error = LoggedError {
            at: SystemClock.now_ms(),
            target: event.metadata().target().to_owned(),
            message: read.message,
            fields: read.fields,
        };
        let mut recent = recent();
        if recent.len() == KEPT {
            recent.pop_front();
        }
        recent.push_back(error);
    }
}

#[derive(Default)]
struct Read {
    message: String,
    fields: Vec<(String, String)>,
}

impl Read {
    fn keep(&mut self, field: &Field, text: &str) {
        let text: String = text.chars().take(LONGEST).collect();
        if field.name() == "message" {
            self.message = text;
        } else {
            self.fields.push((field.name().to_owned(), text));
        }
    }
}

impl Visit for Read {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.keep(field, &format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.keep(field, value);
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt;

    use super::{KEPT, RecentErrors, list};

    #[test]
    fn the_last_errors_are_kept_with_their_fields() {
        tracing::subscriber::with_default(tracing_subscriber::registry().with(RecentErrors), || {
            tracing::warn!("no error");
            let _request = tracing::info_span!("request", id = "0193-abc").entered();
            for number in 0..=KEPT {
                tracing::error!(number, cause = "sample", stack = %"at render (app/x.tsx:1)", "it broke");
            }
        });
        let errors: Vec<_> = list().into_iter().filter(|error| error.message == "it broke").collect();
        assert_eq!(errors.len(), KEPT, "the first is gone");
        let field =
            |name: &str| errors[0].fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str());
        assert_eq!((field("number"), field("cause")), (Some("100"), Some("sample")), "the newest first");
        assert_eq!(field("id"), Some("0193-abc"), "of its request");
        assert_eq!(field("stack"), Some("at render (app/x.tsx:1)"));
        assert!(list().iter().all(|error| error.message != "no error"));
    }
}
