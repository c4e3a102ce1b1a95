//! The statements that requests run, by their places in the code, and the connections that they take: how many round trips to the database a
//! page needs.

use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::thread;

use tokio::runtime::Builder;
use tracing::Subscriber;
use tracing::field::{Field, Visit};
use tracing::instrument::WithSubscriber;
use tracing::span::{Attributes, Id};
use tracing::subscriber::set_default;
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt};

use super::STACK_BYTES;

/// Names of spans in `server/base/db`.
const STATEMENT: &str = "statement";
const TAKING: &str = "wait for a connection";

/// The result of these acts, and the file and line of each statement of their requests, in the order in which they ran. What runs in tasks of
/// its own, or outside of a request, is not among them.
pub async fn of<T>(acts: impl Future<Output = T>) -> (T, Vec<String>) {
    spans(STATEMENT, acts).await
}

/// The result of these acts, and how often their requests took a connection to read with.
pub async fn takings<T>(acts: impl Future<Output = T>) -> (T, usize) {
    let (result, taken) = spans(TAKING, acts).await;
    (result, taken.len())
}

async fn spans<T>(name: &'static str, acts: impl Future<Output = T>) -> (T, Vec<String>) {
    let made = Arc::new(Mutex::new(Vec::new()));
    let listening = tracing_subscriber::registry().with(Spans(name, Arc::clone(&made)));
    let result = acts.with_subscriber(listening).await;
    let made = made.lock().unwrap().clone();
    (result, made)
}

/// As [`of`], also with what runs in tasks that these acts begin, as the end of a payment does: all of them share a thread. The connections to
/// PostgreSQL that they open end with it, so the pool may give out a dead one afterward.
pub fn of_all<T: Send>(acts: impl Future<Output = T> + Send) -> (T, Vec<String>) {
    let ran = Arc::new(Mutex::new(Vec::new()));
    let listening = tracing_subscriber::registry().with(Spans(STATEMENT, Arc::clone(&ran)));
    let run = || {
        let _listening = set_default(listening);
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let result = runtime.block_on(acts);
        runtime.shutdown_background();
        result
    };
    let result = thread::scope(|scope| {
        thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run).unwrap().join().unwrap()
    });
    let ran = ran.lock().unwrap().clone();
    (result, ran)
}

/// Keeps where the spans of a name were made.
struct Spans(&'static str, Arc<Mutex<Vec<String>>>);

impl<S: Subscriber> Layer<S> for Spans {
    fn on_new_span(&self, attributes: &Attributes<'_>, _: &Id, _: Context<'_, S>) {
        if attributes.metadata().name() == self.0 {
            let mut place = Place::default();
            attributes.record(&mut place);
            self.1.lock().unwrap().push(format!("{}:{}", place.file, place.line));
        }
    }
}

#[derive(Default)]
struct Place {
    file: String,
    line: u64,
}

impl Visit for Place {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "code.file.path" {
            value.clone_into(&mut self.file);
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "code.line.number" {
            self.line = value;
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}
