//! The only source of time, so that tests can set it.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use jiff::tz::TimeZone;
use jiff::{Timestamp, civil};

/// How far the clocks of two nodes may differ, in milliseconds.
pub const CLOCK_SKEW: i64 = 60_000;

/// A source of the current time.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    fn now_ms(&self) -> i64;
}

/// Today's date in the shop's time zone.
pub fn today(clock: &dyn Clock, zone: &TimeZone) -> civil::Date {
    timestamp(clock.now_ms()).to_zoned(zone.clone()).date()
}

/// The timestamp of stored milliseconds; the epoch if out of range.
pub fn timestamp(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(ms).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// The day of a time in the shop's time zone: `2026-11-21`.
pub fn local_day(ms: i64, zone: &TimeZone) -> String {
    timestamp(ms).to_zoned(zone.clone()).date().to_string()
}

/// A time in the shop's time zone, in the format of the admin area: `2026-11-21T12:00:05`.
pub fn local_time(ms: i64, zone: &TimeZone) -> String {
    timestamp(ms).to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S").to_string()
}

/// The start of the first day and the end of the last one, UTC milliseconds.
pub fn day_starts(
    (from, to): (Option<civil::Date>, Option<civil::Date>),
    zone: &TimeZone,
) -> (Option<i64>, Option<i64>) {
    let start = |day: civil::Date| day.to_zoned(zone.clone()).ok().map(|start| start.timestamp().as_millisecond());
    (from.and_then(start), to.and_then(|day| day.tomorrow().ok()).and_then(start))
}

/// The system clock.
#[derive(Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the shop's time comes from here")]
    fn now_ms(&self) -> i64 {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |elapsed| i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX))
    }
}

/// A clock that stands still unless it is set; for tests.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    pub fn at(ms: i64) -> Self {
        Self(AtomicI64::new(ms))
    }

    pub fn advance(&self, ms: i64) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}
