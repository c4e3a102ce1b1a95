//! How long callers wait for connections, and how long transactions take.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use crate::metrics::{Durations, Histogram};

/// Measures the use of one pool.
#[derive(Debug, Default)]
pub(super) struct Meter {
    waiting: AtomicU32,
    waits: Histogram,
    transactions: Histogram,
}

/// The use of one pool since the start.
#[derive(Clone, Debug)]
pub struct PoolUse {
    pub name: &'static str,
    /// Callers that wait for a connection now.
    pub waiting: u32,
    /// How long callers waited for a connection.
    pub waits: Durations,
    /// How long its users' write transactions took, without the wait. Those of SQLite run on the connection of the writer.
    pub transactions: Durations,
}

impl Meter {
    /// A caller waits until the result is dropped.
    pub fn wait(&self) -> Waiting<'_> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        Waiting { meter: self, since: Instant::now() }
    }

    pub fn read(&self, name: &'static str) -> PoolUse {
        let waiting = self.waiting.load(Ordering::Relaxed);
        PoolUse { name, waiting, waits: self.waits.read(), transactions: self.transactions.read() }
    }
}

/// A caller that waits for a connection.
pub(super) struct Waiting<'m> {
    meter: &'m Meter,
    since: Instant,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.meter.waiting.fetch_sub(1, Ordering::Relaxed);
        self.meter.waits.observe(self.since.elapsed());
    }
}

/// Measures a transaction until it is dropped.
#[derive(Debug)]
pub(super) struct Timer {
    meter: Arc<Meter>,
    began: Instant,
}

impl Timer {
    pub fn start(meter: &Arc<Meter>) -> Self {
        Self { meter: Arc::clone(meter), began: Instant::now() }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.meter.transactions.observe(self.began.elapsed());
    }
}
