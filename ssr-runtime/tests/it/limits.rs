//! A page that asks for too much fails alone: the others are rendered meanwhile, and the pool is soon whole again.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use ssr_runtime::{Options, RenderError, Renderer};

use crate::fixture::{cards, props, snapshot, until, whole};

/// Renders the page among others in a pool of two isolates, and returns how it failed.
async fn fails(page: &str) -> RenderError {
    let options = Options {
        isolates: 2,
        deadline: Duration::from_secs(1),
        heap_limit_bytes: 64 << 20,
        warm_up: vec![cards(8)],
        ..snapshot()
    };
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
    assert!(matches!(fails("loop").await, RenderError::TimedOut(_)));
}

#[tokio::test]
async fn a_promise_that_takes_too_long_times_out() {
    assert!(matches!(fails("slow").await, RenderError::TimedOut(_)));
}

#[tokio::test]
async fn endless_timers_time_out() {
    assert!(matches!(fails("timers").await, RenderError::TimedOut(_)));
}

#[tokio::test]
async fn unbounded_recursion_is_thrown() {
    let error = fails("recursion").await;
    assert!(matches!(&error, RenderError::Thrown { message, .. } if message.starts_with("RangeError")), "{error:?}");
}

#[tokio::test]
async fn components_without_end_run_into_a_limit() {
    let error = fails("matryoshka").await;
    assert!(matches!(error, RenderError::TimedOut(_) | RenderError::OutOfMemory), "{error:?}");
}

#[tokio::test]
async fn a_full_heap_is_out_of_memory() {
    for page in ["heap", "arrays", "strings"] {
        let error = fails(page).await;
        assert!(matches!(error, RenderError::OutOfMemory), "{page}: {error:?}");
    }
}

#[tokio::test]
async fn too_many_array_buffers_are_out_of_memory() {
    assert!(matches!(fails("buffers").await, RenderError::OutOfMemory));
    // Buffers that could grow unseen do not exist.
    assert!(matches!(fails("resizable").await, RenderError::Thrown { .. }));
}
