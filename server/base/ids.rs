//! Identifiers. New ones are UUIDv7: unique without coordination, and ids created at about the same time are close together in an index.
//! Those that open something to whoever knows them are random.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use uuid::{Builder, Timestamp, Uuid};

use super::clock::Clock;

/// Follows the time in an id, so that ids created in sequence on this node sort in that order. It starts at a random value in the lower
/// half of its range.
static COUNTER: LazyLock<AtomicU64> = LazyLock::new(|| AtomicU64::new(rand::random_range(0..1 << (COUNTER_BITS - 1))));
const COUNTER_BITS: u8 = 42;

/// A new id with the injected clock's time.
pub fn new_id(clock: &dyn Clock) -> Uuid {
    let ms = u64::try_from(clock.now_ms()).unwrap_or(0);
    let nanos = u32::try_from(ms % 1000).unwrap_or(0) * 1_000_000;
    let count = COUNTER.fetch_add(1, Ordering::Relaxed) & ((1 << COUNTER_BITS) - 1);
    Uuid::new_v7(Timestamp::from_unix_time(ms / 1000, nanos, u128::from(count), COUNTER_BITS))
}

/// A new id that nobody can guess.
pub fn random_id() -> Uuid {
    Builder::from_random_bytes(rand::random()).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::new_id;
    use crate::clock::ManualClock;

    #[test]
    fn ids_of_one_millisecond_are_in_order() {
        let clock = ManualClock::at(1_795_280_400_123);
        let ids: Vec<_> = (0..1000).map(|_| new_id(&clock)).collect();
        assert!(ids.is_sorted());
        assert_eq!(ids[0].get_timestamp().map(|time| time.to_unix()), Some((1_795_280_400, 123_000_000)));
        let earlier = new_id(&ManualClock::at(1_000));
        assert_eq!(
            earlier.get_timestamp().map(|time| time.to_unix()),
            Some((1, 0)),
            "clocks do not disturb each other"
        );
    }
}
