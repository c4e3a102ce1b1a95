//! What was logged lately as a warning or an error, for the report of a test that fails: an answer says that something went wrong, not why.

use std::collections::VecDeque;
use std::fmt::{Debug, Write as _};
use std::io::{Write as _, stdout};
use std::sync::{Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::set_global_default;
use tracing::{Event, Level, Metadata, Subscriber};

/// Of all tests that run at the same time.
const KEPT: usize = 60;

static LINES: Mutex<VecDeque<String>> = Mutex::new(VecDeque::new());

pub fn keep() {
    set_global_default(Lately).unwrap();
}

pub fn print() {
    let lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut out = stdout().lock();
    writeln!(out, "Logged lately, by this test or by others:").unwrap();
    for line in lines.iter() {
        writeln!(out, "  {line}").unwrap();
    }
}

/// Whether all of these words are in one of the lines.
pub fn says(words: &[&str]) -> bool {
    let lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    lines.iter().any(|line| words.iter().all(|word| line.contains(word)))
}

/// Knows no spans: those that tests listen to begin and end in other threads, where a registry would miss them.
struct Lately;

impl Subscriber for Lately {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && *metadata.level() <= Level::WARN
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(format!("{} {}:", event.metadata().level(), event.metadata().target()));
        event.record(&mut line);
        let mut lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == KEPT {
            lines.pop_front();
        }
        lines.push_back(line.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {}={value:?}", field.name()).unwrap();
    }
}
