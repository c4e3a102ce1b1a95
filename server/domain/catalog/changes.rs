//! What has changed since something was read: so that what is kept in memory can tell whether it is still true.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use shop_base::clock;
use shop_base::clock::Clock;
use tokio::sync::broadcast;
use uuid::Uuid;

/// For so long, in milliseconds, what was read is believed although no change is known: another node may be killed before it announces one.
const BELIEVED: i64 = 30_000;
/// A message between nodes may have 8,000 bytes; more products than this are announced as "everything".
const MAX_ANNOUNCED: usize = 100;
/// A subscriber that is further behind hears only how many changes it missed.
const MAX_UNHEARD: usize = 256;
/// More products than this are forgotten together, as a change to everything.
const MAX_PRODUCTS: usize = 50_000;

/// What is different from now on, besides lists.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Anything may be.
    pub everything: bool,
    /// These products are.
    pub products: BTreeSet<Uuid>,
}

impl Change {
    pub fn everything() -> Self {
        Self { everything: true, products: BTreeSet::new() }
    }

    /// Together with another change; as everything, if it concerns too many products.
    pub fn add(&mut self, other: Self) {
        self.everything |= other.everything;
        self.products.extend(other.products);
        if self.everything || self.products.len() > MAX_ANNOUNCED {
            *self = Self::everything();
        }
    }
}

/// When something was read, in terms of what may have changed since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The number of changes until then.
    changes: u64,
    /// UTC milliseconds.
    at: i64,
    /// In the shop's time zone. Rules depend on the day.
    pub today: Date,
}

/// When what was changed last, in numbers of changes.
#[derive(Debug)]
pub struct Changes {
    latest: AtomicU64,
    everything: AtomicU64,
    products: RwLock<HashMap<Uuid, u64>>,
    noted: broadcast::Sender<Change>,
}

impl Default for Changes {
    fn default() -> Self {
        let noted = broadcast::Sender::new(MAX_UNHEARD);
        Self { latest: AtomicU64::new(0), everything: AtomicU64::new(0), products: RwLock::default(), noted }
    }
}

impl Changes {
    /// All changes from now on, on any node.
    pub fn subscribe(&self) -> broadcast::Receiver<Change> {
        self.noted.subscribe()
    }

    /// To be called before anything is read.
    pub fn moment(&self, clock: &dyn Clock, zone: &TimeZone) -> Moment {
        let (changes, at) = (self.latest.load(Ordering::Acquire), clock.now_ms());
        Moment { changes, at, today: clock::today(clock, zone) }
    }

    /// Whether nothing has changed since then: everything that is not about one product, and this product.
    pub fn are_none(&self, since: Moment, now: Moment, product: Option<Uuid>) -> bool {
        let change_of = |product| self.products.read().unwrap_or_else(PoisonError::into_inner).get(&product).copied();
        since.today == now.today
            && (since.at..since.at + BELIEVED).contains(&now.at)
            && self.everything.load(Ordering::Acquire) <= since.changes
            && product.and_then(change_of).is_none_or(|change| change <= since.changes)
    }

    /// Takes note of a change that has been made: nobody is shown the former state from now on.
    pub fn note(&self, change: &Change) {
        // Numbers are given out under the lock, so that a product's only grow.
        let mut products = self.products.write().unwrap_or_else(PoisonError::into_inner);
        let number = self.latest.fetch_add(1, Ordering::AcqRel) + 1;
        if change.everything || products.len() + change.products.len() > MAX_PRODUCTS {
            products.clear();
            self.everything.fetch_max(number, Ordering::AcqRel);
        } else {
            products.extend(change.products.iter().map(|product| (*product, number)));
        }
        // An error means that nobody listens.
        let _ = self.noted.send(change.clone());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use jiff::civil::date;
    use jiff::tz::TimeZone;
    use shop_base::clock::ManualClock;
    use uuid::Uuid;

    use super::{BELIEVED, Change, Changes, Moment};

    const PIPE: Uuid = Uuid::from_u128(1);
    const ASHTRAY: Uuid = Uuid::from_u128(2);

    fn now(changes: &Changes) -> Moment {
        changes.moment(&ManualClock::at(1_795_280_400_000), &TimeZone::UTC)
    }

    fn sold(product: Uuid) -> Change {
        Change { everything: false, products: BTreeSet::from([product]) }
    }

    #[test]
    fn a_sale_is_about_its_product_and_a_change_of_staff_about_everything() {
        let changes = Changes::default();
        let first = now(&changes);
        let is_true = |product| changes.are_none(first, now(&changes), product);
        assert!(is_true(Some(PIPE)) && is_true(None));
        changes.note(&sold(PIPE));
        assert!(!is_true(Some(PIPE)) && is_true(Some(ASHTRAY)) && is_true(None));
        changes.note(&Change::everything());
        assert!(!is_true(Some(ASHTRAY)) && !is_true(None));
        assert!(changes.are_none(now(&changes), now(&changes), Some(PIPE)));
    }

    #[test]
    fn what_was_read_is_true_for_half_a_minute_and_on_that_day() {
        let changes = Changes::default();
        let zone = TimeZone::get("America/New_York").unwrap();
        let midnight = date(2026, 11, 22).to_zoned(zone.clone()).unwrap().timestamp().as_millisecond();
        let at = |at: i64| changes.moment(&ManualClock::at(at), &zone);
        let is_true = |read: i64, now: i64| changes.are_none(at(read), at(now), None);
        assert!(is_true(midnight - 2, midnight - 1) && is_true(midnight, midnight + 1));
        assert!(!is_true(midnight - 1, midnight));
        assert!(is_true(midnight, midnight + BELIEVED - 1) && !is_true(midnight, midnight + BELIEVED));
        assert!(!is_true(midnight + 1, midnight), "the clock was set back");
    }
}
