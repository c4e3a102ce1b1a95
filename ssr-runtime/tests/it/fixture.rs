//! The fixture app, bundled once per test process, and renderers for it.

use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use ssr_runtime::{Options, Program, Renderer, State, Stats, snapshot};

struct Fixture {
    script: String,
    source_map: Vec<u8>,
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| bundle("production"));

fn bundle(mode: &str) -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    node(&["tests/fixture/build.mjs", folder.path().to_str().unwrap(), mode]);
    Fixture {
        script: std::fs::read_to_string(folder.path().join("app.js")).unwrap(),
        source_map: std::fs::read(folder.path().join("app.js.map")).unwrap(),
    }
}

static SNAPSHOT: LazyLock<&'static [u8]> = LazyLock::new(|| {
    // A renderer must initialize V8 first: in a process that starts with a snapshot, V8 is single-threaded.
    drop(Renderer::start(script()).unwrap());
    Box::leak(snapshot::create(&FIXTURE.script).unwrap())
});

/// Runs a Node script of the fixture; returns its output.
pub fn node(arguments: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("node").args(arguments).current_dir(root).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// One isolate that runs the bundle from source.
pub fn script() -> Options {
    options(Program::Script(FIXTURE.script.clone()))
}

/// One isolate that runs the development build of React and of the bundle.
pub fn development() -> Options {
    options(Program::Script(bundle("development").script))
}

/// One isolate that starts from the snapshot.
pub fn snapshot() -> Options {
    options(Program::Snapshot(*SNAPSHOT))
}

pub fn options(program: Program) -> Options {
    Options { program, source_map: Some(FIXTURE.source_map.clone().into()), isolates: 1, ..Options::default() }
}

pub fn props(page: &str, props: Value) -> String {
    json!({ "page": page, "props": props }).to_string()
}

/// A page with one line of text.
pub fn text(text: &str) -> String {
    props("text", json!({ "text": text }))
}

/// The page with this many cards. Its text is not all ASCII.
pub fn cards(count: usize) -> String {
    let card = |id| json!({ "id": id, "title": format!("Briar No. {id} \u{2013} caf\u{e9}"), "price": 1_999 + id, "sale": id % 3 == 0 });
    props("cards", json!({ "cards": (0..count).map(card).collect::<Vec<_>>() }))
}

/// Waits until the renderer's statistics match; returns how long that took.
pub async fn until(renderer: &Renderer, wanted: impl Fn(&Stats) -> bool) -> Duration {
    let began = Instant::now();
    while !wanted(&renderer.stats()) {
        assert!(began.elapsed() < Duration::from_secs(20), "it never came to that: {:?}", renderer.stats());
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    began.elapsed()
}

/// Whether all isolates are ready for work.
pub fn whole(stats: &Stats) -> bool {
    stats.isolates.iter().all(|isolate| isolate.state == State::Ready)
}
