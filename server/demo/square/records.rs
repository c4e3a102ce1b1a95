//! Payments or refunds, in the orders in which they are listed and fall due. Neither a request nor a task reads all of them: a shop that is
//! tested for hours has a hundred thousand.

use std::collections::btree_map::Values;
use std::collections::{BTreeMap, BTreeSet};

/// A time in UTC milliseconds, and an id: as times may be equal.
pub type Place = (i64, String);

pub trait Record {
    fn id(&self) -> &str;
    fn created_at(&self) -> i64;
    fn updated_at(&self) -> i64;
    /// When it changes by time alone.
    fn due_at(&self) -> Option<i64>;
}

#[derive(Debug)]
pub struct Records<R> {
    all: BTreeMap<String, R>,
    by_creation: BTreeSet<Place>,
    by_update: BTreeSet<Place>,
    due: BTreeSet<Place>,
}

impl<R> Default for Records<R> {
    fn default() -> Self {
        Self { all: BTreeMap::new(), by_creation: BTreeSet::new(), by_update: BTreeSet::new(), due: BTreeSet::new() }
    }
}

impl<R: Record> Records<R> {
    pub fn get(&self, id: &str) -> Option<&R> {
        self.all.get(id)
    }

    pub fn contains_key(&self, id: &str) -> bool {
        self.all.contains_key(id)
    }

    pub fn values(&self) -> Values<'_, String, R> {
        self.all.values()
    }

    /// Adds the record, or puts it in the place of the one with its id.
    pub fn insert(&mut self, record: R) {
        let place = |at: i64| (at, record.id().to_owned());
        if let Some(former) = self.all.get(record.id()) {
            self.by_creation.remove(&place(former.created_at()));
            self.by_update.remove(&place(former.updated_at()));
            if let Some(at) = former.due_at() {
                self.due.remove(&place(at));
            }
        }
        self.by_creation.insert(place(record.created_at()));
        self.by_update.insert(place(record.updated_at()));
        if let Some(at) = record.due_at() {
            self.due.insert(place(at));
        }
        self.all.insert(record.id().to_owned(), record);
    }

    /// Oldest first.
    pub fn sorted(&self) -> impl DoubleEndedIterator<Item = &R> {
        self.by_creation.iter().filter_map(|(_, id)| self.all.get(id))
    }

    /// Those that fall due until `now`.
    pub fn due(&self, now: i64) -> impl Iterator<Item = &R> {
        self.due.iter().take_while(move |(at, _)| *at <= now).filter_map(|(_, id)| self.all.get(id))
    }

    /// The places of all, by their creation or last update.
    pub fn places(&self, by_update: bool) -> &BTreeSet<Place> {
        if by_update { &self.by_update } else { &self.by_creation }
    }
}

#[cfg(test)]
mod tests {
    use super::{Record, Records};

    #[derive(Clone, Debug, PartialEq)]
    struct Thing {
        id: &'static str,
        at: i64,
        due_at: Option<i64>,
    }

    impl Record for Thing {
        fn id(&self) -> &str {
            self.id
        }

        fn created_at(&self) -> i64 {
            1
        }

        fn updated_at(&self) -> i64 {
            self.at
        }

        fn due_at(&self) -> Option<i64> {
            self.due_at
        }
    }

    #[test]
    fn who_changes_changes_places() {
        let mut things = Records::default();
        let [old, new] = [5, 9].map(|at| Thing { id: "a", at, due_at: Some(at) });
        let other = Thing { id: "b", at: 7, due_at: None };
        things.insert(old.clone());
        things.insert(other.clone());
        assert_eq!(things.due(4).count(), 0);
        assert_eq!(things.due(5).collect::<Vec<_>>(), [&old]);
        things.insert(new.clone());
        assert_eq!(things.due(8).count(), 0);
        assert_eq!(things.due(9).collect::<Vec<_>>(), [&new]);
        assert_eq!(things.sorted().collect::<Vec<_>>(), [&new, &other]);
        let places: Vec<_> = things.places(true).iter().map(|(at, id)| (*at, id.as_str())).collect();
        assert_eq!(places, [(7, "b"), (9, "a")]);
        assert_eq!(things.values().count(), 2);
    }
}
