//! What a job is, how jobs of a kind are queued, and when failed ones are retried.

use std::error::Error;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use shop_base::clock::CLOCK_SKEW;
use shop_base::db::{DbError, decoded, stored};
use uuid::Uuid;

/// A piece of work. Its fields are stored as JSON together with the name of its kind. Fields that were ever stored must stay readable.
pub trait Job: Serialize + DeserializeOwned + Send + Sync + 'static {
    const KIND: Kind;

    /// When it is due, UTC milliseconds, if it is scheduled for a certain time.
    fn due(&self) -> Option<i64> {
        None
    }

    /// The id of whom it is for, if those of one must not keep those of others waiting.
    fn group(&self) -> Option<Uuid> {
        None
    }
}

/// How jobs of one kind are queued and retried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The name in the table, in the stored JSON and in logs: it never changes.
    pub name: &'static str,
    pub lane: Lane,
    /// Failed runs after which it is dead. With the delays below, 60 runs take two days and 36 take one.
    pub max_attempts: i64,
    /// The longest wait before another try, in milliseconds.
    pub longest_delay: i64,
    /// Milliseconds from the end of one run to the next, for recurring jobs.
    pub interval: Option<i64>,
}

impl Kind {
    /// A kind whose jobs are done once.
    pub const fn new(name: &'static str, lane: Lane, max_attempts: i64) -> Self {
        Self { name, lane, max_attempts, longest_delay: HOUR, interval: None }
    }

    /// A kind of which one job recurs forever. Its longest delay is short: after an outage of a provider it must not sleep for an hour.
    pub const fn recurring(name: &'static str, lane: Lane, interval: i64) -> Self {
        Self { name, lane, max_attempts: i64::MAX, longest_delay: MINUTE, interval: Some(interval) }
    }

    #[must_use]
    pub const fn longest_delay(self, longest_delay: i64) -> Self {
        Self { longest_delay, ..self }
    }

    /// The latest time to which a job with so many failed runs can have been scheduled, as seen at `now`; `due` is its own time. A job
    /// scheduled later was postponed by a clock that ran ahead.
    pub fn latest_run(&self, due: Option<i64>, attempts: i64, now: i64) -> i64 {
        let wait = match self.interval {
            _ if attempts > 0 => delay(attempts, self.longest_delay, 1.0),
            Some(interval) => interval,
            None => 0,
        };
        let latest = now + wait + CLOCK_SKEW;
        due.map_or(latest, |due| latest.max(due))
    }
}

/// The stored form of a job.
pub fn payload<J: Job>(job: &J) -> Result<String, DbError> {
    #[derive(Serialize)]
    struct Stored<'a, J> {
        job: &'static str,
        #[serde(flatten)]
        fields: &'a J,
    }
    decoded("payload", serde_json::to_string(&Stored { job: J::KIND.name, fields: job }))
}

/// Why a job did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// It will be tried again.
    #[error(transparent)]
    Failed(Box<dyn Error + Send + Sync>),
    /// It will be tried again, but may have been done: who was asked did not answer.
    #[error(transparent)]
    Unanswered(Box<dyn Error + Send + Sync>),
    /// A retry would change nothing.
    #[error(transparent)]
    Final(Box<dyn Error + Send + Sync>),
    /// It is not due yet; nothing has failed.
    #[error(transparent)]
    Early(Box<dyn Error + Send + Sync>),
    /// A panic message may contain personal data, so it is written to standard error only.
    #[error("the program panicked; its standard error says where")]
    Panicked,
    #[error("this version of the program does not know this kind of job")]
    Unknown,
}

impl From<DbError> for JobError {
    fn from(error: DbError) -> Self {
        Self::Failed(error.into())
    }
}

/// What happens to a job after a run.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    Done,
    /// It runs again after `wait` milliseconds.
    Again {
        wait: i64,
        attempts: i64,
        error: Option<String>,
    },
    Dead {
        error: String,
    },
}

/// The worker's time settings.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// How long a node that no longer responds keeps its jobs.
    pub lease: Duration,
    /// Between two renewals of the leases this node holds.
    pub beat: Duration,
    /// How often a lane polls: other nodes cannot wake this one's lanes.
    pub look_again: Duration,
    /// A lane that has not looked for work for this long counts as stopped.
    pub silent_after: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(60),
            beat: Duration::from_secs(15),
            look_again: Duration::from_secs(5),
            silent_after: Duration::from_secs(60),
        }
    }
}

pub(super) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

stored! {
    /// Jobs that have workers of their own, so that they never wait for those of another lane.
    Lane {
        /// Taking and refunding money, finding out the outcome of both, and releasing what is never paid for.
        Money = "money",
        /// Webhooks received from providers.
        Webhooks = "webhooks",
        Mail = "mail",
        /// Outgoing webhooks, each of which may take long.
        Dispatches = "dispatches",
        /// Jobs that may take long and that nobody waits for.
        Maintenance = "maintenance",
    }
}

impl Lane {
    /// How many of its jobs a node runs at once.
    pub fn slots(self) -> usize {
        match self {
            // A payment has two events.
            Self::Money | Self::Webhooks | Self::Dispatches => 16,
            Self::Mail => 8,
            // As many as there are kinds, since there is usually one job of each: none of them waits for another.
            Self::Maintenance => 8,
        }
    }

    /// Whether no group may have more of its slots than it leaves free.
    pub fn has_groups(self) -> bool {
        self == Self::Dispatches
    }

    /// How many of its jobs a node takes at once.
    pub fn at_once(self) -> usize {
        // Each that is taken counts for which groups may have the next slot.
        if self.has_groups() { 1 } else { self.slots() }
    }
}

pub const SECOND: i64 = 1000;
pub const MINUTE: i64 = 60 * SECOND;
pub const HOUR: i64 = 60 * MINUTE;

/// Whether a clock is right that is so many milliseconds ahead of the database's.
pub fn is_clock_right(ahead: i64) -> bool {
    ahead.abs() <= CLOCK_SKEW
}

/// Milliseconds to wait after the given number of failed runs: 2 s, doubled up to `longest`, plus up to a tenth so that many jobs do not
/// retry at the same moment. `jitter` is from 0 to 1.
pub fn delay(failures: i64, longest: i64, jitter: f64) -> i64 {
    let doublings = u32::try_from(failures.saturating_sub(1)).unwrap_or(0).min(20);
    let base = (2 * SECOND).saturating_mul(1 << doublings).min(longest);
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a tenth of some hours fits")]
    let moved = (base as f64 * 0.1 * jitter) as i64;
    base + moved
}

#[cfg(test)]
mod tests {
    use super::{CLOCK_SKEW, HOUR, Kind, Lane, SECOND, delay};

    #[test]
    fn delays_double_up_to_an_hour() {
        let delays: Vec<i64> = [1, 2, 3, 11, 12, 13, 60].map(|failures| delay(failures, HOUR, 0.0)).to_vec();
        assert_eq!(delays, [2_000, 4_000, 8_000, 2_048_000, 3_600_000, 3_600_000, 3_600_000]);
        assert_eq!(delay(1, HOUR, 1.0), 2_200);
    }

    #[test]
    fn no_job_waits_for_longer_than_it_may() {
        let now = 1_000 * HOUR;
        let wait = |kind: Kind, attempts| kind.latest_run(None, attempts, now) - now - CLOCK_SKEW;
        let often = Kind::recurring("often", Lane::Money, 15 * SECOND);
        assert_eq!(
            (wait(often, 0), wait(Kind::recurring("daily", Lane::Money, 24 * HOUR), 0)),
            (15 * SECOND, 24 * HOUR)
        );
        assert_eq!((wait(often, 1), wait(often, 99)), (2_200, 66 * SECOND));
        let once = Kind::new("once", Lane::Money, 60);
        assert_eq!((wait(once, 0), wait(once, 1), wait(once, 30)), (0, 2_200, HOUR + HOUR / 10));
        let due = now + 500 * HOUR;
        assert_eq!(once.latest_run(Some(due), 0, now), due, "it has a time of its own");
        assert_eq!(once.latest_run(Some(0), 1, now) - now - CLOCK_SKEW, 2_200);
    }
}
