//! Changes that somebody still has to take into account.

use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use super::changes::Change;

/// Collects changes until they are taken, all at once.
#[derive(Debug, Default)]
pub struct Pending {
    change: Mutex<Change>,
    added: Notify,
}

impl Pending {
    pub fn add(&self, change: Change) {
        self.change.lock().unwrap_or_else(PoisonError::into_inner).add(change);
        self.added.notify_one();
    }

    /// What has been added since the former call, as soon as there is something.
    pub async fn next(&self) -> Change {
        loop {
            let change = std::mem::take(&mut *self.change.lock().unwrap_or_else(PoisonError::into_inner));
            if !change.is_none() {
                return change;
            }
            self.added.notified().await;
        }
    }
}
