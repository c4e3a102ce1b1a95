//! Limits heavy work: so many tasks run at once, so many wait, and more are rejected.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinError, spawn_blocking};

use super::error::MediaError;

#[derive(Clone)]
pub struct Workers {
    /// One permit for each task that runs or waits.
    places: Arc<Semaphore>,
    /// One permit for each task that runs.
    hands: Arc<Semaphore>,
}

/// The permit for one task.
pub struct Worker {
    _place: OwnedSemaphorePermit,
    _hand: OwnedSemaphorePermit,
}

impl Workers {
    pub fn new(at_a_time: usize, waiting: usize) -> Self {
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        Self { places: semaphore(at_a_time + waiting), hands: semaphore(at_a_time) }
    }

    /// Waits for a free worker, or fails at once when too many wait already.
    pub async fn hire(&self) -> Result<Worker, MediaError> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| MediaError::Busy)?;
        let hand = Arc::clone(&self.hands).acquire_owned().await.map_err(|_| MediaError::Busy)?;
        Ok(Worker { _place: place, _hand: hand })
    }

    /// How many more would be accepted.
    #[cfg(test)]
    pub fn free_places(&self) -> usize {
        self.places.available_permits()
    }
}

impl Worker {
    /// Runs the work on a thread that may block, and keeps the permit until it is done, even when nobody waits for the result any more.
    pub async fn run<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, JoinError> {
        spawn_blocking(move || {
            let _hired = self;
            work()
        })
        .await
    }
}
