//! A thread that terminates JavaScript running past its deadline, in any isolate of a pool.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use deno_core::v8::IsolateHandle;

use crate::platform;

pub(crate) struct Watchdog {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    watches: Mutex<Watches>,
    changed: Condvar,
}

#[derive(Default)]
struct Watches {
    list: Vec<Watch>,
    /// When the thread checks next; if empty, it sleeps until it is woken.
    next: Option<Instant>,
    stopped: bool,
}

/// A pool thread's entry in the list.
#[derive(Default)]
struct Watch {
    isolate: Option<IsolateHandle>,
    deadline: Option<Instant>,
    fired: bool,
}

impl Watchdog {
    /// `places` is the number of pool threads that may be watched.
    pub fn start(places: usize) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        shared.lock().list.resize_with(places, Watch::default);
        let thread = platform::spawn("ssr-watchdog".into(), {
            let shared = shared.clone();
            move || shared.watch()
        })?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// The entry of the pool thread with this number.
    pub fn place(&self, index: usize) -> Place {
        Place { shared: self.shared.clone(), index }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.lock().stopped = true;
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Watches> {
        self.watches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watch(&self) {
        let mut watches = self.lock();
        while !watches.stopped {
            let now = Instant::now();
            watches.next = watches.list.iter_mut().filter_map(|watch| watch.check(now)).min();
            watches = match watches.next {
                Some(next) => {
                    let wait = self.changed.wait_timeout(watches, next - now);
                    wait.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(watches).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}

impl Watch {
    /// Terminates an isolate that is past its deadline; otherwise returns the deadline.
    fn check(&mut self, now: Instant) -> Option<Instant> {
        let deadline = self.deadline?;
        if deadline > now {
            return Some(deadline);
        }
        self.deadline = None;
        self.fired = true;
        if let Some(isolate) = &self.isolate {
            isolate.terminate_execution();
        }
        None
    }
}

/// A pool thread's handle to the watchdog.
pub(crate) struct Place {
    shared: Arc<Shared>,
    index: usize,
}

impl Place {
    /// Watches this isolate from now on.
    pub fn enter(&self, isolate: IsolateHandle) {
        self.shared.lock().list[self.index].isolate = Some(isolate);
    }

    pub fn arm(&self, deadline: Instant) {
        let mut watches = self.shared.lock();
        let watch = &mut watches.list[self.index];
        watch.deadline = Some(deadline);
        watch.fired = false;
        // Deadlines mostly come in order, so the thread is rarely woken for one.
        if watches.next.is_none_or(|next| deadline < next) {
            watches.next = Some(deadline);
            self.shared.changed.notify_one();
        }
    }

    /// Ends the watch. True if the deadline passed first: the isolate has been told to terminate.
    pub fn disarm(&self) -> bool {
        let mut watches = self.shared.lock();
        let watch = &mut watches.list[self.index];
        watch.deadline = None;
        watch.fired
    }
}
