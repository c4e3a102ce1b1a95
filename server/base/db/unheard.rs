//! What is known of the channels to which this node has to listen.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Those to which it cannot listen.
#[derive(Debug, Default)]
pub(super) struct Unheard(Mutex<BTreeSet<&'static str>>);

impl Unheard {
    pub fn lock(&self) -> MutexGuard<'_, BTreeSet<&'static str>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
