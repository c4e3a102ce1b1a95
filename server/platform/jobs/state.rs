//! The worker of this node and its shared state: what wakes it, which jobs it holds, and when each lane last looked for work.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use shop_base::context::Context;
use tokio::sync::Notify;
use uuid::Uuid;

use super::ends::Ends;
use super::model::{Lane, is_clock_right};
use super::registry::Registry;
use super::rows::LeasedJob;
use super::store::Except;

/// After the database was away, so long no job is taken whose lease has ended: its node renews it as soon as the database is back. It counts from a
/// lane's last look before that, of which each lane has one every 5 s.
const RENEWED_WITHIN: Duration = Duration::from_secs(10);

/// The job worker of this node. Cheap to clone.
#[derive(Clone)]
pub struct Worker {
    pub cx: Context,
    pub state: Arc<WorkerState>,
    pub registry: Arc<Registry>,
}

#[derive(Debug, Default)]
pub struct WorkerState {
    lanes: [LaneState; Lane::ALL.len()],
    held: Mutex<HashSet<Held>>,
    runs: Mutex<BTreeMap<&'static str, Runs>>,
    pub ends: Ends,
    /// Set when the worker starts; until then no lane counts as silent.
    silent_after: OnceLock<Duration>,
    is_clock_wrong: AtomicBool,
    /// When a lane has last found the database away.
    away_at: Mutex<Option<Instant>>,
}

#[derive(Debug, Default)]
struct LaneState {
    wake: Notify,
    looked_at: Mutex<Option<Instant>>,
}

/// How the runs of a kind of job ended on this node, and how long they took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Runs {
    pub done: u64,
    /// To be tried again.
    pub failed: u64,
    pub dead: u64,
    pub took: Duration,
}

/// A job running on this node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Held {
    pub lane: Lane,
    pub id: Uuid,
    pub lease: String,
    /// None in a lane without groups.
    pub group: Option<Uuid>,
}

/// Releases the job when dropped, however its run ends.
#[derive(Debug)]
pub struct Hold {
    state: Arc<WorkerState>,
    held: Held,
}

impl Drop for Hold {
    fn drop(&mut self) {
        locked(&self.state.held).remove(&self.held);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WorkerState {
    /// Wakes this node's worker: there may be work.
    pub fn ring(&self) {
        for lane in &self.lanes {
            lane.wake.notify_one();
        }
    }

    pub async fn rung(&self, lane: Lane) {
        self.lanes[lane as usize].wake.notified().await;
    }

    /// From now on every lane must look for work at least this often.
    pub fn begin(&self, silent_after: Duration) {
        for lane in Lane::ALL {
            self.looked(*lane);
        }
        // The worker starts only once.
        let _ = self.silent_after.set(silent_after);
    }

    /// Notes that a lane has looked for work.
    pub fn looked(&self, lane: Lane) {
        *locked(&self.lanes[lane as usize].looked_at) = Some(Instant::now());
    }

    /// Notes that a lane has found the database away.
    pub fn found_away(&self) {
        *locked(&self.away_at) = Some(Instant::now());
    }

    /// How long ago a lane looked for work; none before the worker has started.
    pub fn last_look(&self, lane: Lane) -> Option<Duration> {
        locked(&self.lanes[lane as usize].looked_at).map(|at| at.elapsed())
    }

    /// Lanes that have not looked for work for too long.
    pub fn silent(&self) -> Vec<Lane> {
        let Some(limit) = self.silent_after.get() else { return Vec::new() };
        Lane::ALL.iter().copied().filter(|lane| self.last_look(*lane).is_none_or(|since| since > *limit)).collect()
    }

    /// Marks a job as held until the returned guard is dropped.
    pub fn hold(self: &Arc<Self>, lane: Lane, job: &LeasedJob) -> Hold {
        // Jobs without a group are one, too.
        let group = lane.has_groups().then_some(job.group_id);
        let held = Held { lane, id: job.id, lease: job.lease.clone(), group };
        locked(&self.held).insert(held.clone());
        Hold { state: Arc::clone(self), held }
    }

    /// Notes that this node's clock is so many milliseconds ahead of the database's. Whether it is right, if that has changed.
    pub fn note_clock(&self, ahead: i64) -> Option<bool> {
        let is_right = is_clock_right(ahead);
        (self.is_clock_wrong.swap(!is_right, Ordering::Relaxed) == is_right).then_some(is_right)
    }

    /// Counts a run of a kind of job.
    pub fn count_run(&self, kind: &'static str, count: impl FnOnce(&mut Runs)) {
        count(locked(&self.runs).entry(kind).or_default());
    }

    /// The runs of each kind.
    pub fn runs(&self) -> BTreeMap<&'static str, Runs> {
        locked(&self.runs).clone()
    }

    pub fn held(&self) -> Vec<Held> {
        locked(&self.held).iter().cloned().collect()
    }

    /// The jobs of a lane that this node takes none of for now. A group may have as many slots as it leaves free, so that some are always
    /// left for others.
    pub fn excepted_in(&self, lane: Lane) -> Except {
        let held = locked(&self.held);
        let in_lane = || held.iter().filter(|held| held.lane == lane);
        let jobs: Vec<Uuid> = in_lane().map(|held| held.id).collect();
        let free = lane.slots().saturating_sub(jobs.len());
        let mut sizes: BTreeMap<Uuid, usize> = BTreeMap::new();
        for group in in_lane().filter_map(|held| held.group) {
            *sizes.entry(group).or_default() += 1;
        }
        let groups = sizes.into_iter().filter(|(_, size)| *size >= free).map(|(group, _)| group).collect();
        let is_without_lapsed = locked(&self.away_at).is_some_and(|at| at.elapsed() < RENEWED_WITHIN);
        Except { jobs, groups, is_without_lapsed }
    }

    /// Number of jobs of a lane running on this node.
    pub fn running(&self, lane: Lane) -> usize {
        locked(&self.held).iter().filter(|held| held.lane == lane).count()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use shop_base::clock::CLOCK_SKEW;
    use uuid::Uuid;

    use super::WorkerState;
    use crate::jobs::model::Lane;
    use crate::jobs::rows::LeasedJob;

    #[test]
    fn a_group_has_no_more_slots_than_it_leaves_free() {
        let (state, lane) = (Arc::new(WorkerState::default()), Lane::Dispatches);
        let mut running = Vec::new();
        let shares = [1, 2, 3].map(Uuid::from_u128).map(|group| {
            let before = running.len();
            while !state.excepted_in(lane).groups.contains(&group) {
                let job = LeasedJob {
                    id: Uuid::from_u128(running.len() as u128),
                    name: String::new(),
                    payload: String::new(),
                    group_id: group,
                    lease: String::new(),
                    run_at: 0,
                    attempts: 1,
                    additions: 0,
                    may_be_done: false,
                };
                running.push(state.hold(lane, &job));
            }
            running.len() - before
        });
        assert_eq!(shares, [8, 4, 2]);
        running.truncate(1);
        assert!(state.excepted_in(lane).groups.is_empty());
    }

    #[test]
    fn a_wrong_clock_is_told_once() {
        let state = WorkerState::default();
        let told = [0, CLOCK_SKEW, CLOCK_SKEW + 1, 2 * CLOCK_SKEW, -CLOCK_SKEW - 1, -CLOCK_SKEW, 0]
            .map(|ahead| state.note_clock(ahead));
        assert_eq!(told, [None, None, Some(false), None, None, Some(true), None]);
    }
}
