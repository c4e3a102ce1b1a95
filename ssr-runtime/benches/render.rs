//! The cost of a page on one isolate, and of a new isolate, with and without snapshot and warm-up.
//! `cargo bench -p ssr-runtime`; the page is the 48 cards of `tests/fixture`.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on fails")]

use std::hint::black_box;
use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ssr_runtime::{Html, Options, Program, Renderer, State, snapshot};
use tokio::runtime::{Builder, Runtime};

#[expect(dead_code, reason = "the tests use all of it")]
#[path = "../tests/it/fixture.rs"]
mod fixture;

use fixture::cards;

/// The four ways to start an isolate. The second snapshot has loaded the bundle but rendered nothing.
fn ways() -> [(&'static str, Options); 4] {
    let Program::Script(script) = fixture::script().program else { unreachable!() };
    let cold = Box::leak(snapshot::create(&format!("{script};delete globalThis.warm")).unwrap());
    let warm_up = vec![cards(48)];
    [
        ("script", fixture::script()),
        ("snapshot, not warm", fixture::options(Program::Snapshot(cold))),
        ("snapshot", fixture::snapshot()),
        ("snapshot, warm-up", Options { warm_up, ..fixture::snapshot() }),
    ]
}

fn renders(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("render 48 cards");
    group.throughput(Throughput::Elements(1));
    let mut measure = |name: &str, options: Options, props: String| {
        let renderer = Renderer::start(options).unwrap();
        group.bench_function(name, |bencher| bencher.iter(|| render(&renderer, black_box(props.clone()))));
    };
    for (name, options) in ways() {
        measure(name, options, cards(48));
    }
    let referred: Vec<_> = (0..48).map(|id| serde_json::json!({ "$id": id })).collect();
    let reused = fixture::props("reused", serde_json::json!({ "cards": referred }));
    measure("snapshot, reused HTML", fixture::snapshot(), reused);
}

fn starts(criterion: &mut Criterion) {
    let ways = ways();
    let mut group = criterion.benchmark_group("start an isolate");
    group.sample_size(10);
    for (name, options) in &ways {
        group.bench_function(*name, |bencher| bencher.iter(|| Renderer::start(options.clone()).unwrap()));
    }
    drop(group);
    let mut group = criterion.benchmark_group("first render of an isolate");
    group.sample_size(10).measurement_time(Duration::from_secs(2));
    for (name, options) in &ways {
        group.bench_function(*name, |bencher| {
            bencher.iter_custom(|times| {
                let first = || {
                    let renderer = Renderer::start(options.clone()).unwrap();
                    while renderer.stats().isolates[0].state == State::Starting {
                        thread::sleep(Duration::from_millis(1));
                    }
                    render(&renderer, cards(48)).rendered
                };
                (0..times).map(|_| first()).sum()
            });
        });
    }
}

fn render(renderer: &Renderer, props: String) -> Html {
    static TOKIO: LazyLock<Runtime> = LazyLock::new(|| Builder::new_current_thread().build().unwrap());
    TOKIO.block_on(renderer.render(props)).unwrap()
}

criterion_group!(benches, renders, starts);
criterion_main!(benches);
