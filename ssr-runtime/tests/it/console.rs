//! The console output of JavaScript, and the output that only the development build has.

use std::fmt::{Debug, Write};
use std::sync::{Mutex, Once};

use serde_json::json;
use ssr_runtime::Renderer;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use crate::fixture::{cards, development, props, snapshot};

static SAID: Mutex<Vec<(Level, String)>> = Mutex::new(Vec::new());

/// Records the output of all isolates in this process.
struct Recorder;

impl Recorder {
    fn install() {
        static INSTALLED: Once = Once::new();
        INSTALLED.call_once(|| tracing::subscriber::set_global_default(Self).unwrap());
    }
}

/// Whether a line with this text was logged at this level.
fn said(level: Level, text: &str) -> bool {
    let said = SAID.lock().unwrap();
    said.iter().any(|(at, line)| *at == level && line.contains(text))
}

impl Subscriber for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "ssr"
    }

    fn event(&self, event: &Event<'_>) {
        let mut message = Message(String::new());
        event.record(&mut message);
        SAID.lock().unwrap().push((*event.metadata().level(), message.0));
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            write!(self.0, "{value:?}").unwrap();
        }
    }
}

#[tokio::test]
async fn the_console_writes_to_the_log() {
    Recorder::install();
    let renderer = Renderer::start(snapshot()).unwrap();
    renderer.render(props("talkative", json!({}))).await.unwrap();
    assert!(said(Level::DEBUG, "tea for two {\"sugar\":1}"));
    assert!(said(Level::WARN, "too hot undefined 100 %"));
}

#[tokio::test]
async fn the_development_build_renders_the_same_and_warns() {
    Recorder::install();
    let expected = Renderer::start(snapshot()).unwrap().render(cards(3)).await.unwrap().text;
    let renderer = Renderer::start(development()).unwrap();
    assert_eq!(renderer.render(cards(3)).await.unwrap().text, expected);

    renderer.render(props("unkeyed", json!({}))).await.unwrap();
    assert!(said(Level::ERROR, "Each child in a list should have a unique \"key\" prop."));
}
