//! Statistics of a renderer.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize};
use std::time::Duration;

use serde::Serialize;

use crate::RenderError;

/// A renderer's counters at one moment; all but the queue count from its start.
#[derive(Clone, Debug, Serialize)]
pub struct Stats {
    /// Pages rendered.
    pub renders: u64,
    pub thrown: u64,
    pub timed_out: u64,
    pub out_of_memory: u64,
    pub overloaded: u64,
    /// Jobs whose caller had gone before their turn.
    pub abandoned: u64,
    /// Jobs currently waiting for an isolate.
    pub queued: usize,
    /// Durations of successful renders, without the wait in the queue.
    pub render_time: Times,
    /// How long jobs waited for an isolate.
    pub queue_time: Times,
    pub isolates: Vec<IsolateStats>,
}

/// How often something took how long.
#[derive(Clone, Debug, Serialize)]
pub struct Times {
    pub buckets: Vec<Bucket>,
    pub total: Duration,
}

/// How often it took at most this long, but longer than the previous bucket.
#[derive(Clone, Debug, Serialize)]
pub struct Bucket {
    /// Absent in the last bucket, which has no bound.
    pub up_to_microseconds: Option<u64>,
    pub count: u64,
}

impl Times {
    pub fn count(&self) -> u64 {
        self.buckets.iter().map(|bucket| bucket.count).sum()
    }
}

/// One isolate of the pool. Byte counts were measured when it last paused.
#[derive(Clone, Debug, Serialize)]
pub struct IsolateStats {
    pub state: State,
    pub renders: u64,
    /// How often it was discarded and replaced.
    pub restarts: u64,
    pub heap_used: usize,
    pub heap_total: usize,
    pub heap_limit: usize,
    /// Array buffers and strings outside the heap.
    pub external: usize,
}

/// What an isolate is doing.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Starting,
    Ready,
    Rendering,
}

const BUCKETS: [u64; 12] = [125, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000];

#[derive(Default)]
pub(crate) struct Counters {
    thrown: AtomicU64,
    timed_out: AtomicU64,
    out_of_memory: AtomicU64,
    overloaded: AtomicU64,
    pub abandoned: AtomicU64,
    render_time: TimeCounters,
    pub queue_time: TimeCounters,
    pub isolates: Vec<IsolateCounters>,
}

#[derive(Default)]
pub(crate) struct TimeCounters {
    buckets: [AtomicU64; BUCKETS.len() + 1],
    microseconds: AtomicU64,
}

impl TimeCounters {
    pub fn add(&self, time: Duration) {
        let microseconds = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let bucket = BUCKETS.partition_point(|up_to| *up_to < microseconds);
        self.buckets[bucket].fetch_add(1, Relaxed);
        self.microseconds.fetch_add(microseconds, Relaxed);
    }

    fn read(&self) -> Times {
        let bounds = BUCKETS.iter().copied().map(Some).chain([None]);
        let bucket =
            |(up_to_microseconds, count): (_, &AtomicU64)| Bucket { up_to_microseconds, count: count.load(Relaxed) };
        Times {
            buckets: bounds.zip(&self.buckets).map(bucket).collect(),
            total: Duration::from_micros(self.microseconds.load(Relaxed)),
        }
    }
}

#[derive(Default)]
pub(crate) struct IsolateCounters {
    state: AtomicU8,
    pub renders: AtomicU64,
    pub restarts: AtomicU64,
    heap_used: AtomicUsize,
    heap_total: AtomicUsize,
    heap_limit: AtomicUsize,
    external: AtomicUsize,
}

impl Counters {
    pub fn new(isolates: usize) -> Self {
        Self { isolates: (0..isolates).map(|_| IsolateCounters::default()).collect(), ..Self::default() }
    }

    pub fn rendered(&self, took: Duration) {
        self.render_time.add(took);
    }

    pub fn failed(&self, error: &RenderError) {
        let counter = match error {
            RenderError::Thrown { .. } => &self.thrown,
            RenderError::TimedOut(_) => &self.timed_out,
            RenderError::OutOfMemory => &self.out_of_memory,
            RenderError::Overloaded => &self.overloaded,
            RenderError::Stopped => return,
        };
        counter.fetch_add(1, Relaxed);
    }

    pub fn read(&self, queued: usize) -> Stats {
        let render_time = self.render_time.read();
        Stats {
            renders: render_time.count(),
            thrown: self.thrown.load(Relaxed),
            timed_out: self.timed_out.load(Relaxed),
            out_of_memory: self.out_of_memory.load(Relaxed),
            overloaded: self.overloaded.load(Relaxed),
            abandoned: self.abandoned.load(Relaxed),
            queued,
            render_time,
            queue_time: self.queue_time.read(),
            isolates: self.isolates.iter().map(IsolateCounters::read).collect(),
        }
    }
}

impl IsolateCounters {
    pub fn set_state(&self, state: State) {
        self.state.store(state as u8, Relaxed);
    }

    pub fn set_heap(&self, heap: &deno_core::v8::HeapStatistics) {
        self.heap_used.store(heap.used_heap_size(), Relaxed);
        self.heap_total.store(heap.total_heap_size(), Relaxed);
        self.heap_limit.store(heap.heap_size_limit(), Relaxed);
        self.external.store(heap.external_memory(), Relaxed);
    }

    fn read(&self) -> IsolateStats {
        IsolateStats {
            state: match self.state.load(Relaxed) {
                state if state == State::Ready as u8 => State::Ready,
                state if state == State::Rendering as u8 => State::Rendering,
                _ => State::Starting,
            },
            renders: self.renders.load(Relaxed),
            restarts: self.restarts.load(Relaxed),
            heap_used: self.heap_used.load(Relaxed),
            heap_total: self.heap_total.load(Relaxed),
            heap_limit: self.heap_limit.load(Relaxed),
            external: self.external.load(Relaxed),
        }
    }
}
