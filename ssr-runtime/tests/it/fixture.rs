//! The fixture app, bundled once per test process, and renderers that run it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::{Value, json};
use ssr_runtime::{Options, Program, Renderer, snapshot};

pub struct Fixture {
    pub script: String,
    pub source_map: Vec<u8>,
}

pub static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    node(&["tests/fixture/build.mjs", folder.path().to_str().unwrap()]);
    Fixture {
        script: std::fs::read_to_string(folder.path().join("app.js")).unwrap(),
        source_map: std::fs::read(folder.path().join("app.js.map")).unwrap(),
    }
});

static SNAPSHOT: LazyLock<&'static [u8]> = LazyLock::new(|| {
    // V8 is started by a renderer first: a process in which a snapshot comes first runs V8 single-threaded.
    drop(Renderer::start(script()).unwrap());
    Box::leak(snapshot::create(&FIXTURE.script).unwrap())
});

/// Runs a node script of the fixture and returns what it prints.
pub fn node(arguments: &[&str]) -> String {
    let output = Command::new("node").args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// One isolate that runs the bundle as it is.
pub fn script() -> Options {
    options(Program::Script(FIXTURE.script.clone()))
}

/// One isolate that is started from the snapshot.
pub fn snapshot() -> Options {
    options(Program::Snapshot(*SNAPSHOT))
}

fn options(program: Program) -> Options {
    Options { program, source_map: Some(FIXTURE.source_map.clone().into()), isolates: 1, ..Options::default() }
}

pub fn props(page: &str, props: Value) -> String {
    json!({ "page": page, "props": props }).to_string()
}

/// Props of the page with as many cards.
pub fn cards(count: usize) -> String {
    let card = |id| json!({ "id": id, "title": format!("Briar No. {id} \u{2013} caf\u{e9}"), "price": 1_999 + id, "sale": id % 3 == 0 });
    props("cards", json!({ "cards": (0..count).map(card).collect::<Vec<_>>() }))
}
