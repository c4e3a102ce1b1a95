//! A page that exceeds a limit fails alone: others are rendered meanwhile, and the pool soon recovers.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use ssr_runtime::{Options, Program, RenderError, Renderer};

use crate::fixture::{cards, options, props, snapshot, until, whole};

/// For a page that exceeds the deadline.
const SHORT: Duration = Duration::from_millis(500);
/// For a page that exceeds another limit first.
const LONG: Duration = Duration::from_secs(60);

/// Renders the page among others in a pool of two isolates; returns its error.
async fn fails(page: &str, deadline: Duration) -> RenderError {
    let options = Options { isolates: 2, deadline, heap_limit_bytes: 32 << 20, warm_up: vec![cards(8)], ..snapshot() };
    let renderer = Renderer::start(options).unwrap();
    let failing = renderer.render(props(page, json!({})));
    let others = join_all((0..50).map(|_| renderer.render(cards(8))));
    let (failed, others) = tokio::join!(failing, others);
    assert!(others.iter().all(Result::is_ok), "{page} took others with it");
    let took = until(&renderer, whole).await;
    assert!(took < Duration::from_secs(1), "whole again after {took:?}");
    join_all((0..10).map(|_| renderer.render(cards(8)))).await.into_iter().for_each(|html| drop(html.unwrap()));
    failed.unwrap_err()
}

#[tokio::test]
async fn an_endless_loop_times_out() {
    assert!(matches!(fails("loop", SHORT).await, RenderError::TimedOut(_)));
}

#[tokio::test]
async fn a_promise_that_takes_too_long_times_out() {
    assert!(matches!(fails("slow", SHORT).await, RenderError::TimedOut(_)));
}

#[tokio::test]
async fn endless_timers_time_out() {
    assert!(matches!(fails("timers", SHORT).await, RenderError::TimedOut(_)));
}

#[tokio::test]
async fn unbounded_recursion_is_thrown() {
    let error = fails("recursion", LONG).await;
    assert!(matches!(&error, RenderError::Thrown { message, .. } if message.starts_with("RangeError")), "{error:?}");
}

#[tokio::test]
async fn components_without_end_run_into_a_limit() {
    let error = fails("matryoshka", LONG).await;
    assert!(matches!(error, RenderError::OutOfMemory), "{error:?}");
}

#[tokio::test]
async fn a_full_heap_is_out_of_memory() {
    for page in ["heap", "arrays", "strings"] {
        let error = fails(page, LONG).await;
        assert!(matches!(error, RenderError::OutOfMemory), "{page}: {error:?}");
    }
}

#[tokio::test]
async fn too_many_array_buffers_are_out_of_memory() {
    assert!(matches!(fails("buffers", LONG).await, RenderError::OutOfMemory));
    // Buffers that could grow without being accounted for are not available.
    assert!(matches!(fails("resizable", LONG).await, RenderError::Thrown { .. }));
}

/// Each of these allocates in another part of V8, and V8 aborts the process when such an allocation fails.
#[tokio::test]
async fn memory_runs_out_in_many_ways() {
    let program = Program::Script("globalThis.render = (script) => (0, eval)(script);".into());
    let options = Options { heap_limit_bytes: 32 << 20, deadline: LONG, ..options(program) };
    let renderer = Renderer::start(options).unwrap();
    for script in [
        "const map = new Map(); for (let i = 0; ; i++) map.set(i, {})",
        "Array.from({ length: 1e9 }, () => ({}))",
        "new Array(1e7).fill().map(() => [])",
        "let text = 'x'; for (;;) { text += text + '-'; text.charCodeAt(1) }",
        "let text = ''; for (;;) text += JSON.stringify([text])",
        "const kept = []; for (;;) kept.push(BigInt(1) << 20000n)",
        "const kept = []; for (;;) kept.push(new Promise(() => {}).then(() => kept))",
        "const more = () => { queueMicrotask(more); queueMicrotask(more) }; more()",
        "const more = () => { setTimeout(more); setTimeout(more) }; more(); new Promise(() => {})",
        "const more = async () => { await 1; more(); more() }; more()",
        "JSON.parse('[' + '{\"a\":[]},'.repeat(1e6) + '1]')",
        "[...'ab'.repeat(5e7)]",
        "new Uint8Array(2 ** 32)",
    ] {
        let error = renderer.render(script.into()).await.unwrap_err();
        assert!(matches!(error, RenderError::OutOfMemory), "{script}: {error:?}");
        until(&renderer, whole).await;
    }
}

/// Timers that a page leaves behind fire later, during other pages. They must not make those fail.
#[tokio::test]
async fn what_a_page_leaves_behind_is_limited_too() {
    let program = Program::Script("globalThis.render = (script) => (0, eval)(script);".into());
    let renderer = Renderer::start(Options { deadline: Duration::from_millis(300), ..options(program) }).unwrap();
    renderer.render("setTimeout(() => { for (;;); }, 10); 'done'".into()).await.unwrap();
    until(&renderer, |stats| stats.isolates[0].restarts == 1 && whole(stats)).await;
    assert_eq!(renderer.render("'next'".into()).await.unwrap().text, "next");
}
