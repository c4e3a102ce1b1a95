//! A renderer under load and during shutdown.

use std::process::Command;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use ssr_runtime::{Options, RenderError, Renderer, State};

use crate::fixture::{cards, props, snapshot, text, until};

/// A deadline that even a busy machine meets.
const PATIENT: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_full_queue_turns_jobs_away_at_once() {
    let renderer = Renderer::start(Options { queue: 2, ..snapshot() }).unwrap();
    let slow = tokio::spawn({
        let renderer = renderer.clone();
        async move { renderer.render(props("timed", json!({ "delay": 300 }))).await }
    });
    until(&renderer, |stats| stats.isolates[0].state == State::Rendering).await;
    let results = join_all((0..5).map(|_| renderer.render(text("waiting")))).await;
    let overloaded = results.iter().filter(|result| matches!(result, Err(RenderError::Overloaded))).count();
    assert_eq!(overloaded, 3);
    assert_eq!(renderer.stats().overloaded, 3);
    assert!(results.iter().flatten().all(|html| html.queued > Duration::from_millis(100)));
    slow.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_job_whose_caller_has_gone_is_skipped() {
    let renderer = Renderer::start(snapshot()).unwrap();
    let slow = tokio::spawn({
        let renderer = renderer.clone();
        async move { renderer.render(props("timed", json!({ "delay": 100 }))).await }
    });
    until(&renderer, |stats| stats.isolates[0].state == State::Rendering).await;
    let gone = tokio::time::timeout(Duration::from_millis(1), renderer.render(text("gone"))).await;
    assert!(gone.is_err());
    slow.await.unwrap().unwrap();
    until(&renderer, |stats| stats.abandoned == 1).await;
    assert_eq!(renderer.stats().renders, 1);
}

#[tokio::test]
async fn dropping_the_last_handle_finishes_the_jobs() {
    let renderer = Renderer::start(snapshot()).unwrap();
    let mut jobs = Vec::new();
    for _ in 0..10 {
        let renderer = renderer.clone();
        let mut job = Box::pin(async move { renderer.render(props("timed", json!({ "delay": 5 }))).await });
        // Polled once, so that it is queued.
        assert!(futures_util::poll!(&mut job).is_pending());
        jobs.push(job);
    }
    drop(renderer);
    for result in join_all(jobs).await {
        assert_eq!(result.unwrap().text, "<!--$--><p>after 5 ms</p><!--/$-->");
    }
}

#[tokio::test]
async fn the_numbers_add_up() {
    let renderer = Renderer::start(snapshot()).unwrap();
    for _ in 0..3 {
        renderer.render(cards(3)).await.unwrap();
    }
    renderer.render(props("throwing", json!({}))).await.unwrap_err();
    until(&renderer, |stats| stats.isolates[0].heap_used > 0).await;
    let stats = renderer.stats();
    assert_eq!((stats.renders, stats.thrown, stats.queued), (3, 1, 0));
    assert_eq!(stats.render_time.count(), 3);
    let [isolate] = stats.isolates.as_slice() else { panic!("{stats:?}") };
    assert_eq!((isolate.renders, isolate.restarts), (4, 0));
    assert!(isolate.heap_used <= isolate.heap_total && isolate.heap_total <= isolate.heap_limit, "{isolate:?}");
}

/// In a separate process, where nothing else allocates memory.
#[test]
fn a_hundred_thousand_renders_leave_memory_flat() {
    let test = ["--exact", "load::a_hundred_thousand_renders", "--ignored"];
    let output = Command::new(std::env::current_exe().unwrap()).args(test).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

/// Memory use after many renders is the same as after a few. In heaps this small, a leak of 600 bytes per render would show.
#[tokio::test]
#[ignore = "measures the process: run by the test above"]
async fn a_hundred_thousand_renders() {
    let options = Options { isolates: 2, queue: 1_000, heap_limit_bytes: 32 << 20, deadline: PATIENT, ..snapshot() };
    let renderer = Renderer::start(options).unwrap();
    let render = async |times: usize| {
        for _ in 0..times / 1_000 {
            let page = |i: usize| if i.is_multiple_of(100) { props("throwing", json!({})) } else { cards(4) };
            for (i, result) in join_all((0..1_000).map(|i| renderer.render(page(i)))).await.into_iter().enumerate() {
                assert_eq!(result.is_err(), i.is_multiple_of(100), "{result:?}");
            }
        }
    };
    render(20_000).await;
    let before = resident_bytes();
    render(80_000).await;
    let after = resident_bytes();
    assert!(after < before + (48 << 20), "resident: {before} -> {after}");
    let stats = renderer.stats();
    assert!(stats.isolates.iter().all(|isolate| isolate.restarts == 0), "{stats:?}");
}

/// The resident memory of this process.
fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}
