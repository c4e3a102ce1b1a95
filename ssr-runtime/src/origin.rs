//! Keeps isolates with different origins from existing at the same time. V8 has one read-only heap per process, that of the first isolate,
//! and an isolate started from another snapshot would misread it without any error.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::Program;

/// Permission to have isolates of one origin, as long as it is held.
#[derive(Debug)]
pub(crate) struct Origin(());

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// V8's own snapshot.
    Plain,
    /// The snapshot at this address.
    Snapshot(usize),
    /// V8's own snapshot, and the heap becomes a snapshot, for which the read-only heap is modified.
    Taken,
}

/// The current origin, and the number of its holders.
static PRESENT: Mutex<Option<(Kind, usize)>> = Mutex::new(None);
static LEFT: Condvar = Condvar::new();

impl Origin {
    /// Waits until no other program is running.
    pub fn of(program: &Program) -> Self {
        match program {
            Program::Script(_) => Self::enter(Kind::Plain),
            Program::Snapshot(snapshot) => Self::enter(Kind::Snapshot(snapshot.as_ptr().addr())),
        }
    }

    /// For an isolate that becomes a snapshot. Waits until there is no other isolate.
    pub fn of_snapshot() -> Self {
        Self::enter(Kind::Taken)
    }

    fn enter(kind: Kind) -> Self {
        let mut present = lock();
        loop {
            let count = match *present {
                None => 1,
                Some((other, count)) if other == kind && kind != Kind::Taken => count + 1,
                Some(_) => {
                    tracing::warn!("waiting for the isolates of another program to end");
                    present = LEFT.wait(present).unwrap_or_else(PoisonError::into_inner);
                    continue;
                }
            };
            *present = Some((kind, count));
            return Self(());
        }
    }
}

impl Drop for Origin {
    fn drop(&mut self) {
        let mut present = lock();
        *present = match *present {
            Some((kind, count)) if count > 1 => Some((kind, count - 1)),
            _ => None,
        };
        LEFT.notify_all();
    }
}

fn lock() -> MutexGuard<'static, Option<(Kind, usize)>> {
    PRESENT.lock().unwrap_or_else(PoisonError::into_inner)
}
