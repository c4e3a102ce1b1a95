//! A pool of isolates behind one bounded queue: any free isolate takes the next job, and one that was terminated by its limits is discarded
//! and replaced while the others continue.

use std::borrow::Cow;
use std::future::{Future, poll_fn};
use std::ops::Range;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use async_channel::{Receiver, Sender, TryRecvError, TrySendError};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::isolate::{Fault, Isolate};
use crate::memory::Memory;
use crate::origin::Origin;
use crate::stack::Sources;
use crate::stats::{Counters, IsolateCounters, State, Stats};
use crate::watchdog::{Place, Watchdog};
use crate::{RenderError, StartError, platform};

/// What the isolates run.
#[derive(Clone, Debug)]
pub enum Program {
    /// A snapshot that [`crate::snapshot::create`] created, in a build of this same crate.
    Snapshot(&'static [u8]),
    /// The bundle itself, compiled by each isolate: for development.
    Script(String),
}

/// Settings of a renderer.
#[derive(Clone, Debug)]
pub struct Options {
    pub program: Program,
    /// The bundle's source map, in JSON: stacks then refer to the original sources. Decoded when the first error needs it.
    pub source_map: Option<Cow<'static, [u8]>>,
    /// How many isolates render in parallel, each on its own thread.
    pub isolates: usize,
    /// How many jobs may wait for an isolate.
    pub queue: usize,
    /// How long one render may take.
    pub deadline: Duration,
    /// Maximum size of one isolate's heap and, counted separately, of its array buffers.
    pub heap_limit_bytes: usize,
    /// Props that every isolate renders while it has no jobs: once until it counts as ready, so that V8 has compiled what visitors need,
    /// and again, so that V8 optimizes that code before many of them come.
    pub warm_up: Vec<String>,
    /// How often it renders each of them, in total.
    pub warm_up_rounds: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            program: Program::Script(String::new()),
            source_map: None,
            isolates: thread::available_parallelism().map_or(1, usize::from),
            queue: 256,
            deadline: Duration::from_secs(2),
            heap_limit_bytes: 256 << 20,
            warm_up: Vec::new(),
            warm_up_rounds: 200,
        }
    }
}

/// A rendered page.
#[derive(Clone, Debug)]
pub struct Html {
    pub text: String,
    /// How long the job waited for an isolate.
    pub queued: Duration,
    /// How long the isolate took.
    pub rendered: Duration,
}

/// A handle to a pool of isolates. When the last one is dropped the pool finishes its jobs and stops; the drop waits for that.
#[derive(Clone)]
pub struct Renderer(Arc<Pool>);

struct Pool {
    jobs: Sender<Job>,
    counters: Arc<Counters>,
    threads: Vec<JoinHandle<()>>,
    watchdog: Watchdog,
    /// Released when the threads have ended.
    _origin: Origin,
}

struct Job {
    props: String,
    queued: Instant,
    reply: oneshot::Sender<Result<Html, RenderError>>,
}

impl Renderer {
    /// Starts the isolates and returns when the first of them takes jobs; the others start later, since each start takes a core for a while.
    /// Blocks until then, including while a renderer with another snapshot, or with none, exists in this process: V8 cannot have both.
    pub fn start(options: Options) -> Result<Self, StartError> {
        let origin = Origin::of(&options.program);
        let (jobs, queue) = async_channel::bounded(options.queue.max(1));
        let isolates = options.isolates.max(1);
        let watchdog = Watchdog::start(isolates)?;
        let counters = Arc::new(Counters::new(isolates));
        let sources = Arc::new(Sources::new(options.source_map.clone()));
        let options = Arc::new(options);
        let (ready, started) = mpsc::channel();
        let mut ready = Some(ready);
        let mut pool = Pool { jobs, counters: counters.clone(), threads: Vec::new(), watchdog, _origin: origin };
        for index in 0..isolates {
            let worker = Worker {
                index,
                options: options.clone(),
                queue: queue.clone(),
                sources: sources.clone(),
                counters: counters.clone(),
                watch: pool.watchdog.place(index),
            };
            let first = ready.take();
            let is_first = first.is_some();
            pool.threads.push(platform::spawn(format!("ssr-{index}"), move || worker.run(first))?);
            if is_first {
                // Dropping the pool on an error stops the threads that did start.
                started.recv().unwrap_or(Err(RenderError::Stopped))?;
            }
        }
        Ok(Self(Arc::new(pool)))
    }

    /// Renders the page for these props, which are JSON. A job whose caller has gone before its turn is skipped.
    pub async fn render(&self, props_json: String) -> Result<Html, RenderError> {
        let (reply, answer) = oneshot::channel();
        let job = Job { props: props_json, queued: Instant::now(), reply };
        let result = match self.0.jobs.try_send(job) {
            Ok(()) => return answer.await.unwrap_or(Err(RenderError::Stopped)),
            Err(TrySendError::Full(_)) => Err(RenderError::Overloaded),
            Err(TrySendError::Closed(_)) => Err(RenderError::Stopped),
        };
        result.inspect_err(|error| self.0.counters.failed(error))
    }

    /// The current counters.
    pub fn stats(&self) -> Stats {
        self.0.counters.read(self.0.jobs.len())
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.jobs.close();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// How long a program may take to load, and a cold isolate to render once.
const START_DEADLINE: Duration = Duration::from_secs(30);
/// How long after the first isolate the others start, and how long it has had no job when it goes on with its warm-up: while a shop starts,
/// what its first pages need is still being loaded. On several cores, the first isolate is warmed up beside that.
const WHILE_LOADING: Duration = Duration::from_millis(100);
/// How long it has had none when it returns its garbage to the system.
const BEFORE_COLLECTION: Duration = Duration::from_secs(1);
/// Between two memory checks of an isolate that is never idle, in renders.
const CHECK_EVERY: u64 = 100;
/// Between two attempts to start an isolate; doubled each time, up to `MAX_PAUSE`.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const MAX_PAUSE: Duration = Duration::from_secs(5);

fn has_several_cores() -> bool {
    thread::available_parallelism().is_ok_and(|cores| cores.get() > 1)
}

fn event_loop() -> Result<tokio::runtime::Runtime, RenderError> {
    tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(|error| {
        let message = format!("no event loop: {error}");
        RenderError::Thrown { message, stack: String::new() }
    })
}

/// One thread of the pool.
struct Worker {
    index: usize,
    options: Arc<Options>,
    queue: Receiver<Job>,
    sources: Arc<Sources>,
    counters: Arc<Counters>,
    watch: Place,
}

/// Why an isolate no longer serves.
enum End {
    /// The pool is closing.
    Closed,
    /// The isolate was terminated by one of its limits, or is full.
    Condemned,
}

impl Worker {
    /// Tells `ready` once whether the first isolate takes jobs.
    fn run(self, mut ready: Option<mpsc::Sender<Result<(), RenderError>>>) {
        if ready.is_none() {
            thread::sleep(WHILE_LOADING);
        }
        let mut pause = FIRST_PAUSE;
        while !self.queue.is_closed() || !self.queue.is_empty() {
            // A panic in here is a bug; it may cost an isolate, but not a thread of the pool.
            let life = std::panic::catch_unwind(AssertUnwindSafe(|| event_loop()?.block_on(self.live(&mut ready))));
            self.count().set_state(State::Starting);
            match life.unwrap_or(Err(RenderError::Stopped)) {
                Ok(End::Closed) => return,
                Ok(End::Condemned) => {
                    tracing::warn!(isolate = self.index, "an isolate is replaced");
                    pause = FIRST_PAUSE;
                }
                Err(error) => match ready.take() {
                    Some(ready) => return drop(ready.send(Err(error))),
                    None if self.queue.is_closed() => return,
                    None => {
                        tracing::error!(%error, isolate = self.index, "an isolate is lost and starts again after a pause");
                        thread::sleep(pause);
                        pause = (pause * 2).min(MAX_PAUSE);
                    }
                },
            }
            self.count().restarts.fetch_add(1, Relaxed);
        }
    }

    /// The life of one isolate, from start to end.
    async fn live(&self, ready: &mut Option<mpsc::Sender<Result<(), RenderError>>>) -> Result<End, RenderError> {
        let memory = Memory::new(self.options.heap_limit_bytes);
        let mut isolate = self.start(&memory).await?;
        if let Some(ready) = ready.take() {
            let _ = ready.send(Ok(()));
        }
        let mut warm_up = 0..self.options.warm_up.len().saturating_mul(self.options.warm_up_rounds);
        if warm_up.is_empty() {
            self.count().set_state(State::Ready);
        }
        for turn in 1_u64.. {
            let job = match self.next(&mut isolate, &memory, &mut warm_up).await {
                Ok(job) => job,
                Err(end) => return Ok(end),
            };
            if job.reply.is_closed() {
                self.counters.abandoned.fetch_add(1, Relaxed);
                continue;
            }
            if self.serve(&mut isolate, &memory, job).await {
                return Ok(End::Condemned);
            }
            if turn.is_multiple_of(CHECK_EVERY)
                && (self.rest(&mut isolate, &memory).await || self.is_full(&mut isolate))
            {
                return Ok(End::Condemned);
            }
        }
        Ok(End::Condemned)
    }

    /// Starts an isolate, which must not reach a limit.
    async fn start(&self, memory: &Arc<Memory>) -> Result<Isolate, RenderError> {
        let watch = |handle| self.watch.enter(handle);
        let start = Isolate::start(&self.options.program, memory.clone(), watch);
        match self.limit(START_DEADLINE, memory, start).await {
            (Ok(_), true) => Err(RenderError::TimedOut(START_DEADLINE)),
            (result, _) => result,
        }
    }

    /// The next job. While there is none, the remaining warm-up is rendered, then garbage is collected.
    async fn next(&self, isolate: &mut Isolate, memory: &Memory, warm_up: &mut Range<usize>) -> Result<Job, End> {
        let once = self.options.warm_up.len();
        let is_unused = self.count().renders.load(Relaxed) == 0;
        let is_early = self.index == 0 && is_unused && warm_up.start < once && has_several_cores();
        let mut waits = !is_early;
        while !Range::is_empty(warm_up) {
            if waits && let Ok(next) = timeout(WHILE_LOADING, self.job(isolate, memory)).await {
                return next;
            }
            match self.queue.try_recv() {
                Ok(job) => return Ok(job),
                Err(TryRecvError::Closed) => return Err(End::Closed),
                Err(TryRecvError::Empty) => {}
            }
            if let Some(turn) = warm_up.next() {
                self.warm_up(isolate, memory, turn).await?;
            }
            waits = is_early && warm_up.start == once;
        }
        self.count().set_heap(&isolate.heap());
        if isolate.has_grown() {
            if let Ok(next) = timeout(BEFORE_COLLECTION, self.job(isolate, memory)).await {
                return next;
            }
            isolate.collect_garbage();
            self.count().set_heap(&isolate.heap());
        }
        self.job(isolate, memory).await
    }

    /// Renders one page of the warm-up.
    async fn warm_up(&self, isolate: &mut Isolate, memory: &Memory, turn: usize) -> Result<(), End> {
        let pages = &self.options.warm_up;
        let render = isolate.render(pages[turn % pages.len()].clone());
        let is_cold = turn < pages.len();
        let time = if is_cold { START_DEADLINE } else { self.options.deadline };
        let (result, condemned) = self.limit(time, memory, render).await;
        if let (Err(error), true) = (&result, is_cold) {
            tracing::error!(%error, isolate = self.index, "a page of the warm-up fails");
        }
        if turn + 1 == pages.len() {
            self.count().set_state(State::Ready);
        }
        if condemned { Err(End::Condemned) } else { Ok(()) }
    }

    /// Waits for a job. Meanwhile V8 may run its deferred work.
    async fn job(&self, isolate: &mut Isolate, memory: &Memory) -> Result<Job, End> {
        let mut job = pin!(self.queue.recv());
        poll_fn(|cx| match job.as_mut().poll(cx) {
            Poll::Ready(job) => Poll::Ready(job.map_err(|_| End::Closed)),
            Poll::Pending if self.rested(isolate, memory, cx) => Poll::Ready(Err(End::Condemned)),
            Poll::Pending => Poll::Pending,
        })
        .await
    }

    /// Renders and replies. True if the isolate cannot continue.
    async fn serve(&self, isolate: &mut Isolate, memory: &Memory, job: Job) -> bool {
        let count = self.count();
        count.set_state(State::Rendering);
        let began = Instant::now();
        self.counters.queue_time.add(began - job.queued);
        let (result, condemned) = self.limit(self.options.deadline, memory, isolate.render(job.props)).await;
        let rendered = began.elapsed();
        match &result {
            Ok(_) => self.counters.rendered(rendered),
            Err(error) => self.counters.failed(error),
        }
        count.renders.fetch_add(1, Relaxed);
        count.set_state(if condemned { State::Starting } else { State::Ready });
        let _ = job.reply.send(result.map(|text| Html { text, queued: began - job.queued, rendered }));
        condemned
    }

    /// Runs `work` under the limits of time and memory. The second value is true if it reached one of them: even if there is a result, V8
    /// has been told to stop.
    async fn limit<T>(
        &self,
        time: Duration,
        memory: &Memory,
        work: impl Future<Output = Result<T, Fault>>,
    ) -> (Result<T, RenderError>, bool) {
        self.watch.arm(Instant::now() + time);
        let result = timeout(time, work).await;
        let late = self.watch.disarm() || result.is_err();
        let exhausted = memory.is_exhausted();
        // A termination can surface as another error: it ends the current microtask, and what waited for that one then waits forever.
        let result = match result {
            Ok(Ok(value)) => Ok(value),
            _ if exhausted => Err(RenderError::OutOfMemory),
            Ok(Err(Fault::Thrown(thrown))) if !late => Err(self.sources.explain(thrown)),
            _ => Err(RenderError::TimedOut(time)),
        };
        (result, late || exhausted)
    }

    /// Lets V8 run its deferred work. True if that had to be terminated.
    fn rested(&self, isolate: &mut Isolate, memory: &Memory, cx: &mut Context<'_>) -> bool {
        self.watch.arm(Instant::now() + self.options.deadline);
        isolate.rest(cx);
        self.watch.disarm() || memory.is_exhausted()
    }

    /// The same between two renders.
    async fn rest(&self, isolate: &mut Isolate, memory: &Memory) -> bool {
        poll_fn(|cx| Poll::Ready(self.rested(isolate, memory, cx))).await
    }

    /// Whether the isolate retains too much memory even after a collection.
    fn is_full(&self, isolate: &mut Isolate) -> bool {
        let limit = self.options.heap_limit_bytes / 4 * 3;
        let heap = isolate.heap();
        self.count().set_heap(&heap);
        if heap.used_heap_size() < limit {
            return false;
        }
        isolate.collect_garbage();
        isolate.heap().used_heap_size() >= limit / 2
    }

    fn count(&self) -> &IsolateCounters {
        &self.counters.isolates[self.index]
    }
}
