//! What has changed since something was read: so that what is kept in memory can tell whether it is still true.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use shop_base::clock;
use shop_base::clock::Clock;
use shop_platform::web::page::Topic;
use tokio::sync::broadcast;
use uuid::Uuid;

/// For so long, in milliseconds, what was read is believed although no change is known: another node may be killed before it announces one.
const BELIEVED: i64 = 30_000;
/// A message between nodes may have 8,000 bytes.
const MAX_ANNOUNCED: usize = 100;
/// More products than this would hold up the next update: they are loaded with all others, while updates go on.
const MAX_PRODUCTS: usize = 5_000;
/// A subscriber that is further behind hears only how many changes it missed.
const MAX_UNHEARD: usize = 256;
/// More topics than this are forgotten together, as a change to everything.
const MAX_TOPICS: usize = 50_000;

/// What has been committed, here or on another node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Any page may be different.
    pub everything: bool,
    /// These products are. If any page may be, lists are different in these products only, or in anything if there are none.
    pub products: BTreeSet<Uuid>,
}

impl Change {
    pub fn everything() -> Self {
        Self { everything: true, products: BTreeSet::new() }
    }

    /// These products are different.
    pub fn of(products: impl IntoIterator<Item = Uuid>) -> Self {
        Self { everything: false, products: products.into_iter().collect() }
    }

    /// Staff edited these products, or anything if there are none: any page may be different, such as where a former address leads.
    pub fn edit(products: impl IntoIterator<Item = Uuid>) -> Self {
        Self { everything: true, ..Self::of(products) }
    }

    /// Whether more is different in lists than these products.
    pub fn is_unlimited(&self) -> bool {
        self.everything && self.products.is_empty()
    }

    pub fn is_none(&self) -> bool {
        !self.everything && self.products.is_empty()
    }

    /// Together with another change.
    pub fn add(&mut self, other: Self) {
        if self.is_unlimited() || other.is_unlimited() {
            *self = Self::everything();
            return;
        }
        self.everything |= other.everything;
        self.products.extend(other.products);
        if self.products.len() > MAX_PRODUCTS {
            *self = Self::everything();
        }
    }

    /// In parts that can be announced.
    pub fn parts(self) -> Vec<Self> {
        let Self { everything, products } = self;
        if products.is_empty() {
            return vec![Self { everything, products }];
        }
        let products: Vec<Uuid> = products.into_iter().collect();
        let parts = products.chunks(MAX_ANNOUNCED).map(|part| part.iter().copied().collect());
        parts.map(|products| Self { everything, products }).collect()
    }
}

/// What pages are about that show something else from now on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topics {
    /// Any page may.
    pub everything: bool,
    pub topics: BTreeSet<Topic>,
}

impl Topics {
    pub fn everything() -> Self {
        Self { everything: true, topics: BTreeSet::new() }
    }

    pub fn is_none(&self) -> bool {
        !self.everything && self.topics.is_empty()
    }

    pub fn add(&mut self, topics: impl IntoIterator<Item = Topic>) {
        if !self.everything {
            self.topics.extend(topics);
            if self.topics.len() > MAX_TOPICS {
                *self = Self::everything();
            }
        }
    }

    pub fn merge(&mut self, other: Self) {
        if other.everything {
            *self = other;
        } else {
            self.add(other.topics);
        }
    }
}

impl From<&Change> for Topics {
    fn from(change: &Change) -> Self {
        if change.everything {
            return Self::everything();
        }
        let mut topics = Self::default();
        topics.add(change.products.iter().copied().map(Topic::Product));
        topics
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
    topics: RwLock<HashMap<Topic, u64>>,
    noted: broadcast::Sender<Topics>,
}

impl Default for Changes {
    fn default() -> Self {
        let noted = broadcast::Sender::new(MAX_UNHEARD);
        Self { latest: AtomicU64::new(0), everything: AtomicU64::new(0), topics: RwLock::default(), noted }
    }
}

impl Changes {
    /// What changes from now on, by whatever node.
    pub fn subscribe(&self) -> broadcast::Receiver<Topics> {
        self.noted.subscribe()
    }

    /// To be called before anything is read.
    pub fn moment(&self, clock: &dyn Clock, zone: &TimeZone) -> Moment {
        let (changes, at) = (self.latest.load(Ordering::Acquire), clock.now_ms());
        Moment { changes, at, today: clock::today(clock, zone) }
    }

    /// Whether nothing has changed since then that a page is about.
    pub fn are_none(&self, since: Moment, now: Moment, about: &[Topic]) -> bool {
        let is_as_before = || {
            let topics = self.topics.read().unwrap_or_else(PoisonError::into_inner);
            about.iter().all(|topic| topics.get(topic).is_none_or(|change| *change <= since.changes))
        };
        since.today == now.today
            && (since.at..since.at + BELIEVED).contains(&now.at)
            && is_as_before()
            // Last, since a change to everything takes the topics' place: whoever no longer finds them sees it.
            && self.everything.load(Ordering::Acquire) <= since.changes
    }

    /// Takes note of what has changed: nobody is shown the former state from now on.
    pub fn note(&self, changed: impl Into<Topics>) {
        let changed: Topics = changed.into();
        // Such as a commit of an import that left all of its products as they were.
        if changed.is_none() {
            return;
        }
        // Numbers are given out under the lock, so that those of a topic only grow.
        let mut topics = self.topics.write().unwrap_or_else(PoisonError::into_inner);
        let number = self.latest.fetch_add(1, Ordering::AcqRel) + 1;
        if changed.everything || topics.len() + changed.topics.len() > MAX_TOPICS {
            topics.clear();
            self.everything.fetch_max(number, Ordering::AcqRel);
        } else {
            topics.extend(changed.topics.iter().map(|topic| (*topic, number)));
        }
        // An error means that nobody listens.
        let _ = self.noted.send(changed);
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use jiff::tz::TimeZone;
    use shop_base::clock::ManualClock;
    use shop_platform::web::page::Topic;
    use uuid::Uuid;

    use super::{BELIEVED, Change, Changes, MAX_ANNOUNCED, MAX_PRODUCTS, Moment, Topics};

    const PIPE: Uuid = Uuid::from_u128(1);
    const ASHTRAY: Uuid = Uuid::from_u128(2);

    fn now(changes: &Changes) -> Moment {
        changes.moment(&ManualClock::at(1_795_280_400_000), &TimeZone::UTC)
    }

    #[test]
    fn a_sale_is_about_its_product_and_a_change_of_staff_about_everything() {
        let changes = Changes::default();
        let first = now(&changes);
        let is_true = |about: &[Topic]| changes.are_none(first, now(&changes), about);
        let (pipe, ashtray) = ([Topic::Product(PIPE), Topic::Card(ASHTRAY)], [Topic::Product(ASHTRAY)]);
        assert!(is_true(&pipe) && is_true(&[]));
        changes.note(&Change::of([PIPE]));
        assert!(!is_true(&pipe) && is_true(&ashtray) && is_true(&[Topic::Cards]) && is_true(&[]));
        let sold_out = Topics { everything: false, topics: [Topic::Cards, Topic::Card(ASHTRAY)].into() };
        changes.note(sold_out);
        assert!(is_true(&ashtray) && is_true(&[]) && !is_true(&[Topic::Cards]) && !is_true(&pipe[1..]));
        changes.note(&Change::edit([PIPE]));
        assert!(!is_true(&ashtray) && !is_true(&[]));
        assert!(changes.are_none(now(&changes), now(&changes), &pipe));
    }

    #[test]
    fn nobody_hears_of_a_change_of_nothing() {
        let changes = Changes::default();
        let mut heard = changes.subscribe();
        changes.note(&Change::of([]));
        assert!(heard.try_recv().is_err());
        changes.note(&Change::of([PIPE]));
        assert_eq!(heard.try_recv(), Ok(Topics { everything: false, topics: [Topic::Product(PIPE)].into() }));
    }

    #[test]
    fn changes_are_added_and_announced_in_parts() {
        let ids = |count: u128| (0..count).map(Uuid::from_u128);
        let sum = |changes: [Change; 2]| {
            let [mut one, other] = changes;
            one.add(other);
            one
        };
        assert_eq!(sum([Change::of([PIPE]), Change::edit([ASHTRAY])]), Change::edit([PIPE, ASHTRAY]));
        assert_eq!(sum([Change::edit([PIPE]), Change::everything()]), Change::everything());
        assert_eq!(sum([Change::everything(), Change::of([PIPE])]), Change::everything());
        let most = MAX_PRODUCTS as u128;
        assert_eq!(sum([Change::of(ids(most)), Change::of([Uuid::from_u128(most)])]), Change::everything());
        let parts = Change::edit(ids(most)).parts();
        assert_eq!(parts.len(), MAX_PRODUCTS.div_ceil(MAX_ANNOUNCED));
        assert!(parts.iter().all(|part| part.everything && !part.products.is_empty()));
        // The limit of PostgreSQL, and what the former release reads.
        assert!(parts.iter().all(|part| serde_json::to_string(part).unwrap().len() < 7_900));
        assert_eq!(parts.into_iter().reduce(|one, other| sum([one, other])), Some(Change::edit(ids(most))));
        assert_eq!(Change::everything().parts(), [Change::everything()]);
    }

    #[test]
    fn what_was_read_is_true_for_half_a_minute_and_on_that_day() {
        let changes = Changes::default();
        let zone = TimeZone::get("America/New_York").unwrap();
        let midnight = date(2026, 11, 22).to_zoned(zone.clone()).unwrap().timestamp().as_millisecond();
        let at = |at: i64| changes.moment(&ManualClock::at(at), &zone);
        let is_true = |read: i64, now: i64| changes.are_none(at(read), at(now), &[]);
        assert!(is_true(midnight - 2, midnight - 1) && is_true(midnight, midnight + 1));
        assert!(!is_true(midnight - 1, midnight));
        assert!(is_true(midnight, midnight + BELIEVED - 1) && !is_true(midnight, midnight + BELIEVED));
        assert!(!is_true(midnight + 1, midnight), "the clock was set back");
    }
}
