//! Identifiers. New ones are UUIDv7: unique without a round trip, and close together in an index when made close in time.

use std::sync::{Mutex, PoisonError};

use uuid::timestamp::context::ContextV7;
use uuid::{Timestamp, Uuid};

use crate::clock::Clock;

/// Counts within a millisecond, so that ids made one after another here sort so.
static CONTEXT: Mutex<ContextV7> = Mutex::new(ContextV7::new());

/// A new id, stamped with the injected clock's time.
pub fn new_id(clock: &dyn Clock) -> Uuid {
    let ms = u64::try_from(clock.now_ms()).unwrap_or(0);
    let context = CONTEXT.lock().unwrap_or_else(PoisonError::into_inner);
    let nanos = u32::try_from(ms % 1000).unwrap_or(0) * 1_000_000;
    Uuid::new_v7(Timestamp::from_unix(&*context, ms / 1000, nanos))
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
    }
}
