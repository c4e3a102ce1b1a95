//! What the isolates of a process are started from. V8 keeps one read-only heap per process, that of the isolate which
//! was there first, and an isolate that is started from another snapshot would read it wrongly, with no error. So
//! isolates of different origins never live at the same time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::Program;

/// The right to have isolates of one origin, for as long as it is kept.
#[derive(Debug)]
pub(crate) struct Origin(());

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// V8's own snapshot.
    Plain,
    /// The snapshot at this address.
    Snapshot(usize),
    /// V8's own, and the heap becomes a snapshot, for which the read-only heap is changed.
    Taken,
}

/// Who has the right now, and how often.
static PRESENT: Mutex<Option<(Kind, usize)>> = Mutex::new(None);
static LEFT: Condvar = Condvar::new();

impl Origin {
    /// Waits until nobody runs another program.
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
