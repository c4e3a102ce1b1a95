//! Identifiers. New ones are UUIDv7: unique without a round trip, and close together in an index when made close in time.

use uuid::Uuid;

use crate::clock::Clock;

/// A new id, stamped with the injected clock's time.
pub fn new_id(clock: &dyn Clock) -> Uuid {
    let ms = u64::try_from(clock.now_ms()).unwrap_or(0);
    let time = uuid::Timestamp::from_unix_time(ms / 1000, u32::try_from(ms % 1000).unwrap_or(0) * 1_000_000, 0, 0);
    Uuid::new_v7(time)
}
