//! Places for files that staff send: a node has so many of them in memory at a time, also while they arrive. So a place is taken before a
//! body is read, and kept until the file is stored.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use shop_base::error::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How long a sender waits for a place.
const WAIT: Duration = Duration::from_secs(2);
/// So long a file may take to arrive in the last free place, so that slow senders do not keep all others out.
const IN_THE_LAST_PLACE: Duration = Duration::from_secs(60);

/// Clones share the places.
#[derive(Clone, Debug)]
pub struct Places {
    free: Arc<Semaphore>,
    wait: Duration,
    patience: Duration,
}

/// Free again when it is dropped.
#[derive(Debug)]
pub struct Place {
    _permit: OwnedSemaphorePermit,
    /// It was the last one that was free.
    is_last: bool,
    patience: Duration,
}

impl Places {
    pub fn new(count: usize) -> Self {
        Self { free: Arc::new(Semaphore::new(count)), wait: WAIT, patience: IN_THE_LAST_PLACE }
    }

    /// Fails if none becomes free in time.
    pub async fn take(&self) -> Result<Place, Error> {
        let place = timeout(self.wait, Arc::clone(&self.free).acquire_owned()).await;
        let Ok(Ok(permit)) = place else { return Err(Error::TooManyFiles) };
        Ok(Place { _permit: permit, is_last: self.free.available_permits() == 0, patience: self.patience })
    }
}

impl Place {
    /// The file, once it has arrived.
    pub async fn wait_for(&self, file: impl Future<Output = Result<Bytes, Error>>) -> Result<Bytes, Error> {
        if self.is_last { timeout(self.patience, file).await.unwrap_or(Err(Error::TooManyFiles)) } else { file.await }
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};
    use std::time::Duration;

    use bytes::Bytes;
    use shop_base::error::Error;
    use tokio::time::timeout;

    use super::Places;

    #[tokio::test]
    async fn a_slow_sender_does_not_keep_the_last_place() {
        let places = Places { wait: Duration::ZERO, patience: Duration::from_millis(1), ..Places::new(2) };
        let first = places.take().await.unwrap();
        let last = places.take().await.unwrap();
        assert!(matches!(places.take().await, Err(Error::TooManyFiles)));
        assert!(matches!(last.wait_for(pending()).await, Err(Error::TooManyFiles)));
        assert!(timeout(Duration::from_millis(50), first.wait_for(pending())).await.is_err(), "it is waited for");
        drop(last);
        let next = places.take().await.unwrap();
        let file = Bytes::from_static(b"a file");
        assert_eq!(next.wait_for(ready(Ok(file.clone()))).await.unwrap(), file);
    }
}
