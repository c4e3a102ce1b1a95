//! Programs that fail to start, and snapshots that cannot be created.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;

use ssr_runtime::snapshot::{self, SnapshotError};
use ssr_runtime::{Options, Program, RenderError, Renderer, StartError, Stats};

use crate::fixture::{cards, options, props, snapshot, until, whole};

fn start(script: &str) -> Result<Renderer, StartError> {
    Renderer::start(options(Program::Script(script.into())))
}

#[test]
fn a_program_that_throws_says_so() {
    for script in ["throw new Error('no tea')", "globalThis.warm = async () => { throw new Error('no tea') }"] {
        let Err(StartError::Program(RenderError::Thrown { message, .. })) = start(script) else { panic!("it started") };
        assert!(message.ends_with("Error: no tea"), "{message}");
    }
}

#[tokio::test]
async fn a_page_that_fails_in_the_warm_up_fails_alone() {
    let page = props("throwing", serde_json::json!({}));
    let options = Options { isolates: 2, warm_up: vec![page, cards(1)], ..snapshot() };
    let renderer = Renderer::start(options).unwrap();
    until(&renderer, whole).await;
    assert_eq!(renderer.stats().isolates.iter().map(|isolate| isolate.restarts).sum::<u64>(), 0);
    renderer.render(cards(1)).await.unwrap();
}

#[tokio::test]
async fn an_isolate_is_ready_when_it_has_rendered_each_page_of_the_warm_up() {
    // More than it renders before this looks.
    let renderer = Renderer::start(Options { warm_up: vec![cards(48); 100], ..snapshot() }).unwrap();
    assert!(!whole(&renderer.stats()));
    until(&renderer, whole).await;
}

#[tokio::test]
async fn an_idle_isolate_returns_its_garbage() {
    let options = Options { warm_up: vec![cards(48)], warm_up_rounds: 1000, ..snapshot() };
    let renderer = Renderer::start(options).unwrap();
    let total = |stats: &Stats| stats.isolates[0].heap_total;
    until(&renderer, |stats| total(stats) > 16 << 20).await;
    until(&renderer, |stats| total(stats) < 12 << 20).await;
    renderer.render(cards(48)).await.unwrap();
}

#[tokio::test]
async fn a_visitor_does_not_wait_for_the_rest_of_the_warm_up() {
    let endless = Options { isolates: 1, warm_up: vec![cards(48)], warm_up_rounds: usize::MAX, ..snapshot() };
    let renderer = Renderer::start(endless).unwrap();
    until(&renderer, whole).await;
    for _ in 0..3 {
        renderer.render(cards(1)).await.unwrap();
    }
}

#[test]
fn a_snapshot_needs_all_work_to_be_done() {
    drop(start("").unwrap());
    let error = snapshot::create("setTimeout(() => {}, 1000)").unwrap_err();
    assert!(matches!(error, SnapshotError::Pending), "{error:?}");
    let error = snapshot::create("globalThis.warm = () => new Promise(() => {})").unwrap_err();
    assert!(matches!(&error, SnapshotError::Program { message, .. } if message.contains("never settle")), "{error:?}");
    let error = snapshot::create("globalThis.warm = () => { throw new Error('no tea') }").unwrap_err();
    assert!(matches!(&error, SnapshotError::Program { message, .. } if message == "Error: no tea"), "{error:?}");
    assert!(snapshot::create("setTimeout(() => {}, 0)").is_ok());
}

#[tokio::test]
async fn a_program_without_a_page_fails_when_it_is_asked_for_one() {
    let error = start("").unwrap().render("{}".into()).await.unwrap_err();
    assert!(matches!(error, RenderError::Thrown { .. }), "{error:?}");
}

/// V8 would let an isolate read the read-only heap of another snapshot: at best that aborts the process.
#[test]
fn programs_take_turns() {
    let first = Renderer::start(options(Program::Script(String::new()))).unwrap();
    let gone = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let second = scope.spawn(|| {
            let renderer = Renderer::start(snapshot()).unwrap();
            (gone.load(SeqCst), renderer.stats().isolates.len())
        });
        gone.store(true, SeqCst);
        drop(first);
        assert_eq!(second.join().unwrap(), (true, 1));
    });
}
