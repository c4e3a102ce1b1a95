//! Whose turn it is with SQLite's one writer. Purposes that want more than there is get the same part of its time each: jobs are not left
//! behind by a rush of shoppers, and shoppers do not wait for all jobs that are due. Within a purpose, turns go in the order of requests.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::purpose::Purpose;

const PURPOSES: usize = Purpose::ALL.len();
/// As much of a turn counts: others wait for 15 s at most, and must not be kept out for as long as a disk once stood still.
const COUNTED: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub(super) struct Turns(Mutex<Schedule>);

#[derive(Debug, Default)]
struct Schedule {
    /// Whose turn it is.
    current: Option<Purpose>,
    waiting: [VecDeque<oneshot::Sender<Turn>>; PURPOSES],
    /// The time that each has used. A purpose that comes back is set to `reached`, so that it has no claim to the time in which it
    /// wanted nothing.
    used: [Duration; PURPOSES],
    /// What the latest turn began with; when nobody is left, what it ended with.
    reached: Duration,
}

/// The right to write, until it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    turns: Arc<Turns>,
    since: Instant,
}

impl Turns {
    /// Waits for a turn.
    pub async fn take(self: &Arc<Self>, purpose: Purpose) -> Result<Turn, sqlx::Error> {
        let given = {
            let mut schedule = self.lock();
            schedule.join(purpose);
            if schedule.current.is_none() {
                schedule.begin(purpose);
                return Ok(self.turn());
            }
            let (turn, given) = oneshot::channel();
            schedule.waiting[purpose as usize].push_back(turn);
            given
        };
        given.await.map_err(|_| sqlx::Error::PoolClosed)
    }

    fn turn(self: &Arc<Self>) -> Turn {
        Turn { turns: Arc::clone(self), since: Instant::now() }
    }

    fn lock(&self) -> MutexGuard<'_, Schedule> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut schedule = self.turns.lock();
        schedule.end(self.since.elapsed());
        if let Some((purpose, next)) = schedule.next() {
            schedule.begin(purpose);
            drop(schedule);
            // If the one who waited has just gone, the turn is dropped here, and goes to the next.
            drop(next.send(self.turns.turn()));
        }
    }
}

impl Schedule {
    /// A purpose wants a turn.
    fn join(&mut self, purpose: Purpose) {
        if self.current != Some(purpose) && self.waiting[purpose as usize].is_empty() {
            self.used[purpose as usize] = self.used[purpose as usize].max(self.reached);
        }
    }

    fn begin(&mut self, purpose: Purpose) {
        self.current = Some(purpose);
        self.reached = self.reached.max(self.used[purpose as usize]);
    }

    fn end(&mut self, took: Duration) {
        let Some(purpose) = self.current.take() else { return };
        for queue in &mut self.waiting {
            queue.retain(|next| !next.is_closed());
        }
        self.used[purpose as usize] += took.min(COUNTED);
        if self.waiting.iter().all(VecDeque::is_empty) {
            self.reached = self.reached.max(self.used[purpose as usize]);
        }
    }

    /// Who has waited longest, of the waiting purpose that has used least.
    fn next(&mut self) -> Option<(Purpose, oneshot::Sender<Turn>)> {
        let waiting = Purpose::ALL.into_iter().filter(|purpose| !self.waiting[*purpose as usize].is_empty());
        let purpose = waiting.min_by_key(|purpose| self.used[*purpose as usize])?;
        Some((purpose, self.waiting[purpose as usize].pop_front()?))
    }
}

#[cfg(test)]
mod tests {
    use std::pin::{Pin, pin};
    use std::sync::Arc;
    use std::task::{Context, Poll, Waker};
    use std::time::Duration;

    use tokio::sync::oneshot;

    use super::{Schedule, Turn, Turns};
    use crate::db::Purpose::{self, Jobs, Lists, Shoppers, Staff};

    impl Schedule {
        /// Waits until the result is dropped.
        fn wait(&mut self, purpose: Purpose) -> oneshot::Receiver<Turn> {
            let (turn, given) = oneshot::channel();
            self.join(purpose);
            self.waiting[purpose as usize].push_back(turn);
            given
        }

        /// Ends the current turn after so many milliseconds; returns whose the next one is.
        fn after(&mut self, took: u64) -> Option<Purpose> {
            self.end(Duration::from_millis(took));
            let next = self.next().map(|(purpose, _)| purpose);
            next.inspect(|purpose| self.begin(*purpose))
        }
    }

    #[test]
    fn purposes_that_always_want_more_get_the_same_time() {
        let mut schedule = Schedule::default();
        schedule.begin(Shoppers);
        let _waiting: Vec<_> =
            [Shoppers, Staff, Jobs].repeat(200).into_iter().map(|purpose| schedule.wait(purpose)).collect();
        // A turn of theirs takes so many milliseconds.
        let takes = |purpose| match purpose {
            Shoppers => 2,
            Staff => 40,
            Jobs => 5,
            Lists => 1,
        };
        let mut used = [0; 4];
        let mut current = Shoppers;
        while used.iter().sum::<u64>() < 600 {
            used[current as usize] += takes(current);
            current = schedule.after(takes(current)).unwrap();
        }
        let [shoppers, staff, jobs, _] = used;
        assert!(shoppers.abs_diff(200) <= 40 && jobs.abs_diff(200) <= 40 && staff.abs_diff(200) <= 40, "{used:?}");
    }

    #[test]
    fn who_wanted_nothing_for_long_gets_no_more_than_others_now() {
        let mut schedule = Schedule::default();
        schedule.begin(Shoppers);
        let _waiting: Vec<_> = std::iter::repeat_with(|| schedule.wait(Shoppers)).take(60).collect();
        while schedule.after(900).is_some() {}
        let both = [Shoppers, Jobs].repeat(10);
        schedule.begin(Shoppers);
        let _waiting: Vec<_> = both.iter().map(|purpose| schedule.wait(*purpose)).collect();
        let turns: Vec<_> = std::iter::repeat_with(|| schedule.after(10).unwrap()).take(10).collect();
        assert_eq!(turns.iter().filter(|purpose| **purpose == Jobs).count(), 5, "{turns:?}");
    }

    #[test]
    fn one_long_turn_keeps_its_purpose_out_for_a_second_at_most() {
        let mut schedule = Schedule::default();
        schedule.begin(Shoppers);
        let gone = schedule.wait(Jobs);
        let _waiting: Vec<_> = [Shoppers, Jobs].repeat(40).into_iter().map(|purpose| schedule.wait(purpose)).collect();
        drop(gone);
        assert_eq!(schedule.after(20_000), Some(Jobs));
        let others =
            std::iter::repeat_with(|| schedule.after(100).unwrap()).take_while(|purpose| *purpose == Jobs).count();
        assert!(others <= 10, "{others} turns of 0.1 s");
    }

    /// The turn, if it is there already.
    fn taken(taking: Pin<&mut impl Future<Output = Result<Turn, sqlx::Error>>>) -> Option<Turn> {
        match taking.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(turn) => Some(turn.unwrap()),
            Poll::Pending => None,
        }
    }

    #[test]
    fn a_turn_goes_to_the_next_who_still_waits() {
        let turns = Arc::new(Turns::default());
        let first = taken(pin!(turns.take(Shoppers))).unwrap();
        let mut gone = Box::pin(turns.take(Jobs));
        let mut second = pin!(turns.take(Shoppers));
        assert!(taken(gone.as_mut()).is_none() && taken(second.as_mut()).is_none());
        drop(gone);
        drop(first);
        let second = taken(second).unwrap();
        let mut third = Box::pin(turns.take(Jobs));
        assert!(taken(third.as_mut()).is_none());
        drop(second);
        // It has the turn without having noticed.
        drop(third);
        assert!(taken(pin!(turns.take(Staff))).is_some());
    }
}
