//! Limits heavy work: so many tasks run at once, so many wait, and more are rejected. They have threads of their own, to which the system
//! gives a processor when nothing else needs it: pages do not wait for pictures.

use std::io;
use std::sync::Arc;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinError;

use super::error::MediaError;

/// About a tenth of the weight of other threads: enough that pictures are finished beside a busy shop.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

#[derive(Clone)]
pub struct Workers {
    threads: Arc<Threads>,
    /// One permit for each task that runs or waits.
    places: Arc<Semaphore>,
    /// One permit for each task that runs.
    hands: Arc<Semaphore>,
}

/// The permit to wait for a worker.
pub struct Place {
    _permit: OwnedSemaphorePermit,
}

/// The permit for one task.
pub struct Worker {
    threads: Handle,
    _place: Place,
    _hand: OwnedSemaphorePermit,
}

impl Workers {
    /// # Errors
    /// When the system has no thread left.
    pub fn new(at_a_time: usize, waiting: usize) -> io::Result<Self> {
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        let threads = Arc::new(Threads::start(at_a_time)?);
        Ok(Self { threads, places: semaphore(at_a_time + waiting), hands: semaphore(at_a_time) })
    }

    /// Waits for a free worker, or fails at once when too many wait already.
    pub async fn hire(&self) -> Result<Worker, MediaError> {
        self.hire_for(self.place()?).await
    }

    /// Fails at once when too many wait already.
    pub fn place(&self) -> Result<Place, MediaError> {
        let permit = Arc::clone(&self.places).try_acquire_owned().map_err(|_| MediaError::Busy)?;
        Ok(Place { _permit: permit })
    }

    /// Waits for a free worker.
    pub async fn hire_for(&self, place: Place) -> Result<Worker, MediaError> {
        let hand = Arc::clone(&self.hands).acquire_owned().await.map_err(|_| MediaError::Busy)?;
        Ok(Worker { threads: self.threads.handle.clone(), _place: place, _hand: hand })
    }

    /// How many more would be accepted.
    #[cfg(test)]
    pub fn free_places(&self) -> usize {
        self.places.available_permits()
    }
}

impl Worker {
    /// Runs the work, and keeps the permit until it is done, even when nobody waits for the result any more.
    pub async fn run<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, JoinError> {
        let threads = self.threads.clone();
        threads
            .spawn_blocking(move || {
                let _hired = self;
                work()
            })
            .await
    }
}

/// Threads of low priority: those that a runtime has for blocking work.
struct Threads {
    handle: Handle,
    /// Until it is dropped.
    runtime: Option<Runtime>,
}

impl Threads {
    fn start(count: usize) -> io::Result<Self> {
        let runtime = Builder::new_current_thread()
            .thread_name("pictures")
            .max_blocking_threads(count)
            .on_thread_start(lower_priority)
            .build()?;
        Ok(Self { handle: runtime.handle().clone(), runtime: Some(runtime) })
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // An ordinary drop waits for the threads, which is not allowed on those that answer requests.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Of the current thread. Elsewhere it would be that of the process.
#[cfg(target_os = "linux")]
pub fn lower_priority() {
    if let Err(error) = rustix::process::nice(NICE) {
        tracing::warn!(%error, "what pages do not wait for has their priority");
    }
}

#[cfg(not(target_os = "linux"))]
pub fn lower_priority() {}
