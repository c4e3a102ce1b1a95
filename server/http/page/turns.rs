//! Turns at making pages that may be kept. However many visitors ask for pages that nobody asked for before, kept pages and the pages of
//! those who buy are answered in between.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use shop_base::config::{KEPT_PAGES_AT_ONCE, NEW_PAGES_AT_ONCE};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::yield_now;

/// How many more may wait.
const WAITING: usize = 256;

#[derive(Debug)]
pub struct AllTurns {
    /// At pages that nobody asked for before.
    pub new: Turns,
    /// At pages that are kept and may have changed: nobody who asks for others makes these wait.
    pub kept: Turns,
}

impl Default for AllTurns {
    fn default() -> Self {
        Self { new: Turns::at_once(NEW_PAGES_AT_ONCE), kept: Turns::at_once(KEPT_PAGES_AT_ONCE) }
    }
}

#[derive(Debug)]
pub struct Turns {
    permits: Semaphore,
    waiting: AtomicUsize,
    /// The log says that visitors are turned away; until nobody waits, it says so once.
    is_logged: AtomicBool,
}

/// One who waits, also one who leaves before their turn.
struct Waiting<'a>(&'a Turns);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let Self(turns) = self;
        if turns.waiting.fetch_sub(1, Ordering::Relaxed) == 1 {
            turns.is_logged.store(false, Ordering::Relaxed);
        }
    }
}

impl Turns {
    /// So many for each core.
    fn at_once(at_once: usize) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            permits: Semaphore::new(cores * at_once),
            waiting: AtomicUsize::new(0),
            is_logged: AtomicBool::new(false),
        }
    }

    /// Whether whoever comes now is turned away.
    pub fn are_gone(&self) -> bool {
        self.waiting() >= WAITING
    }

    /// How many wait.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Waits for a turn; `None`, at once, if too many wait.
    pub async fn take(&self) -> Option<SemaphorePermit<'_>> {
        let permit = match self.permits.try_acquire() {
            Ok(permit) => permit,
            Err(_) => self.wait().await?,
        };
        // Making a page may take no pause at all: whoever else is ready comes first.
        yield_now().await;
        Some(permit)
    }

    async fn wait(&self) -> Option<SemaphorePermit<'_>> {
        let others = self.waiting.fetch_add(1, Ordering::Relaxed);
        let _waiting = Waiting(self);
        // From now on most are turned away before they come here.
        if others + 1 >= WAITING && !self.is_logged.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                waiting = WAITING,
                "more pages are asked for than can be made: visitors are told to try again"
            );
        }
        if others >= WAITING {
            return None;
        }
        self.permits.acquire().await.ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::Ordering;

    use shop_base::config::{NEW_PAGES_AT_ONCE, Rendering};
    use tokio::task::JoinSet;

    use super::{AllTurns, Turns, WAITING};

    #[test]
    fn all_who_have_a_turn_find_a_place_in_the_queue_and_leave_others_theirs() {
        let turns = AllTurns::default();
        let at_once = turns.new.permits.available_permits() + turns.kept.permits.available_permits();
        assert!(Rendering::default().queue >= at_once + 256);
    }

    #[tokio::test]
    async fn too_many_are_turned_away_at_once_and_the_others_have_their_turn() {
        let turns = Arc::new(Turns::at_once(NEW_PAGES_AT_ONCE));
        let at_once = turns.permits.available_permits();
        let taken = turns.permits.acquire_many(at_once.try_into().unwrap()).await.unwrap();
        let mut visits = JoinSet::new();
        for _ in 0..WAITING + 10 {
            let turns = Arc::clone(&turns);
            visits.spawn(async move { turns.take().await.is_some() });
        }
        for _ in 0..10 {
            assert!(!visits.join_next().await.unwrap().unwrap());
        }
        assert!(turns.are_gone() && turns.is_logged.load(Ordering::Relaxed));
        drop(taken);
        while let Some(had_a_turn) = visits.join_next().await {
            assert!(had_a_turn.unwrap());
        }
        assert!(turns.take().await.is_some());
        assert!(!turns.are_gone() && !turns.is_logged.load(Ordering::Relaxed));
    }

    #[tokio::test]
    async fn who_leaves_no_longer_waits() {
        let turns = Turns::at_once(NEW_PAGES_AT_ONCE);
        let at_once = turns.permits.available_permits();
        let _taken = turns.permits.acquire_many(at_once.try_into().unwrap()).await.unwrap();
        for _ in 0..WAITING + 10 {
            let mut waiting = std::pin::pin!(turns.take());
            assert!(is_pending(waiting.as_mut()).await);
        }
    }

    /// Whether a future is not ready when it is asked once.
    async fn is_pending<F: Future>(mut future: std::pin::Pin<&mut F>) -> bool {
        std::future::poll_fn(|cx| std::task::Poll::Ready(future.as_mut().poll(cx).is_pending())).await
    }
}
