//! Which pages are worth keeping. Lists have any number of addresses, most of which one visitor asks for once: keeping all of them would
//! only fill memory that each of them must first claim.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use super::cache::Key;

/// How many addresses are remembered, of 8 bytes each. A newer one takes the place of an older one by chance.
const SLOTS: usize = 1 << 14;
/// Set in the hash of an address that was asked for again.
const AGAIN: u64 = 1;

/// Remembers addresses that were asked for lately.
#[derive(Debug)]
pub struct Admission {
    slots: Box<[AtomicU64]>,
    hasher: RandomState,
}

/// A request for a page.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    slot: Option<&'a AtomicU64>,
    hash: u64,
}

impl Default for Admission {
    fn default() -> Self {
        Self { slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect(), hasher: RandomState::new() }
    }
}

impl Admission {
    /// To be called once for each request.
    pub fn note(&self, key: &Key) -> Ask<'_> {
        if key.query.is_empty() {
            return Ask { slot: None, hash: 0 };
        }
        let hash = self.hasher.hash_one(key) | AGAIN;
        // The remainder is less than the number of slots.
        let slot = &self.slots[usize::try_from(hash >> 1).unwrap_or(usize::MAX) % SLOTS];
        let is_known = slot.load(Ordering::Relaxed) | AGAIN == hash;
        slot.store(if is_known { hash } else { hash & !AGAIN }, Ordering::Relaxed);
        Ask { slot: Some(slot), hash }
    }
}

impl Ask<'_> {
    /// Whether the page is worth keeping: there is a limited number of pages like it, or somebody asked for it before or has meanwhile.
    pub fn is_worth_keeping(&self) -> bool {
        self.slot.is_none_or(|slot| slot.load(Ordering::Relaxed) == self.hash)
    }
}

#[cfg(test)]
mod tests {
    use super::{Admission, Key, SLOTS};

    fn key(query: String) -> Key {
        Key { path: "/products".to_owned(), query, age_verified: true, signed_in: false, payload: false }
    }

    #[test]
    fn a_list_is_worth_keeping_once_it_is_asked_for_again() {
        let admission = Admission::default();
        let first = admission.note(&key("sort=name".to_owned()));
        assert!(!first.is_worth_keeping());
        assert!(!admission.note(&key("sort=newest".to_owned())).is_worth_keeping());
        let second = admission.note(&key("sort=name".to_owned()));
        assert!(first.is_worth_keeping() && second.is_worth_keeping());
    }

    #[test]
    fn a_page_without_a_query_is_worth_keeping_at_once() {
        assert!(Admission::default().note(&key(String::new())).is_worth_keeping());
    }

    #[test]
    fn addresses_asked_for_once_are_forgotten() {
        let admission = Admission::default();
        assert!(!admission.note(&key("page=0".to_owned())).is_worth_keeping());
        for page in 1..SLOTS * 20 {
            admission.note(&key(format!("page={page}")));
        }
        assert!(!admission.note(&key("page=0".to_owned())).is_worth_keeping());
    }
}
