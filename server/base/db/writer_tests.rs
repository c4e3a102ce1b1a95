//! What is known of the writer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::watch;

/// What tests of the writer have found.
#[derive(Debug, Default)]
pub(super) struct WriterTests(Mutex<Found>);

#[derive(Debug, Default)]
pub(super) struct Found {
    /// When the last test succeeded, unless a later one failed.
    pub worked: Option<Instant>,
    /// Why the last test failed, unless a later one succeeded.
    pub problem: Option<Arc<str>>,
    /// Closed when the latest test is over.
    pub test: Option<watch::Receiver<()>>,
}

impl WriterTests {
    pub fn lock(&self) -> MutexGuard<'_, Found> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
