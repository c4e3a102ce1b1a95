//! Kept pages. A page is valid until something changes that it may have read. Then its handler runs again, and if it returns the same data,
//! the page is kept as it is: only pages that show something else are rendered again.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use moka::future::Cache;
use moka::ops::compute::{CompResult, Op};
use shop_domain::catalog::changes::{Changes, Moment};
use shop_platform::web::page::Topic;

use super::admission::Admission;
use super::entry::Entry;

const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// How many addresses are known to have nothing to keep, and for how long: long enough for all who wait for it now.
const MAX_NOTHING: u64 = 4_096;
const NOTHING_LASTS: Duration = Duration::from_secs(1);
/// Longer ones, in bytes, are not remembered: their length is up to who invents them, and nobody else asks for them.
const LONGEST_NOTHING: usize = 1_000;

/// The path, the query parameters that the route uses, and what else tells two forms of a page apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub path: String,
    pub query: String,
    pub age_verified: bool,
    /// The page shows its visitor, who differs from request to request.
    pub signed_in: bool,
    pub payload: bool,
}

/// A kept page with what it was made of.
#[derive(Clone, Debug)]
pub struct Kept {
    pub entry: Arc<Entry>,
    /// A hash of the data that it shows, but for who is signed in.
    pub contents: u128,
    /// When it was made: before its handler read anything.
    pub made: Moment,
    /// What it shows of the catalog.
    pub about: Arc<[Topic]>,
}

#[derive(Clone, Debug)]
pub struct PageCache {
    pages: Cache<Key, Kept>,
    /// Addresses that lately were answered with what is not kept: a redirect, an error.
    nothing: Cache<Key, ()>,
    admission: Arc<Admission>,
    changes: Arc<Changes>,
    counts: Arc<Counts>,
}

/// What came of making a page.
#[derive(Debug)]
pub enum Made {
    Page(Kept),
    /// A response that is not kept.
    Nothing,
    /// An error of the server, which says nothing about the page.
    Failed,
    /// None, since too many visitors wait for pages.
    Refused,
}

/// How requests for pages that may be kept were answered.
#[derive(Debug, Default)]
struct Counts {
    kept: AtomicU64,
    confirmed: AtomicU64,
    rendered: AtomicU64,
    refused: AtomicU64,
}

/// How a request for a page that may be kept was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered {
    /// With a kept page.
    Kept,
    /// With a kept page whose handler returned the same data again.
    Confirmed,
    Rendered,
    /// Not at all: too many visitors wait for pages.
    Refused,
}

/// What the cache contains, and how it was used since the start.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    pub entries: u64,
    pub bytes: u64,
    pub kept: u64,
    pub confirmed: u64,
    pub rendered: u64,
    pub refused: u64,
}

impl PageCache {
    pub fn new(changes: Arc<Changes>) -> Self {
        let pages = Cache::builder()
            .max_capacity(MAX_BYTES)
            .weigher(|key: &Key, kept: &Kept| {
                let bytes = key.path.len() + key.query.len() + kept.entry.bytes();
                u32::try_from(bytes).unwrap_or(u32::MAX)
            })
            .build();
        let nothing = Cache::builder().max_capacity(MAX_NOTHING).time_to_live(NOTHING_LASTS).build();
        Self { pages, nothing, admission: Arc::default(), changes, counts: Arc::default() }
    }

    /// The page, if nothing has changed that it may have read.
    pub async fn get(&self, key: &Key, now: Moment) -> Option<Kept> {
        self.pages.get(key).await.filter(|kept| self.is_valid(kept, now))
    }

    /// The same without waiting for others who use the cache: `None` may mean that it is busy.
    pub fn get_now(&self, key: &Key, now: Moment) -> Option<Kept> {
        match pin!(self.get(key, now)).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(kept) => kept,
            Poll::Pending => None,
        }
    }

    /// The page, even if it may show something old.
    pub async fn former(&self, key: &Key) -> Option<Kept> {
        self.pages.get(key).await
    }

    /// Whether there is one.
    pub fn has_former(&self, key: &Key) -> bool {
        self.pages.contains_key(key)
    }

    /// Keeps the page that was made for a request, if it is worth it.
    pub async fn insert(&self, key: Key, kept: Kept) {
        if self.admission.note(&key).is_worth_keeping() {
            self.pages.insert(key, kept).await;
        }
    }

    /// Whether lately nothing came of making this page, so that nobody should wait for another's.
    pub fn has_nothing(&self, key: &Key) -> bool {
        self.nothing.contains_key(key)
    }

    /// Makes the page again, from its former state. For each key this happens once at a time: others wait and get the new one, which is
    /// returned to them. `None` if this call made one, if none is kept, or if another made nothing: then `make` was not called. `moment` is
    /// asked after the wait.
    pub async fn renew<Making>(
        &self,
        key: Key,
        moment: impl Fn() -> Moment,
        make: impl FnOnce(Option<Kept>) -> Making,
    ) -> Option<Kept>
    where
        Making: Future<Output = Made>,
    {
        let ask = self.admission.note(&key);
        let mut is_current = false;
        let renewed = self.pages.entry(key.clone()).and_compute_with(|entry| async {
            if self.has_nothing(&key) {
                return Op::Nop;
            }
            let former = entry.map(moka::Entry::into_value);
            if former.as_ref().is_some_and(|kept| self.is_valid(kept, moment())) {
                is_current = true;
                return Op::Nop;
            }
            let had_one = former.is_some();
            match make(former).await {
                Made::Page(kept) if had_one || ask.is_worth_keeping() => Op::Put(kept),
                Made::Page(_) | Made::Refused => Op::Nop,
                made @ (Made::Nothing | Made::Failed) => {
                    if key.path.len() + key.query.len() <= LONGEST_NOTHING {
                        self.nothing.insert(key.clone(), ()).await;
                    }
                    if had_one && matches!(made, Made::Nothing) { Op::Remove } else { Op::Nop }
                }
            }
        });
        match renewed.await {
            CompResult::Unchanged(entry) if is_current => Some(entry.into_value()),
            _ => None,
        }
    }

    fn is_valid(&self, kept: &Kept, now: Moment) -> bool {
        self.changes.are_none(kept.made, now, &kept.about)
    }

    pub fn count(&self, answered: Answered) {
        let Counts { kept, confirmed, rendered, refused } = self.counts.as_ref();
        let count = match answered {
            Answered::Kept => kept,
            Answered::Confirmed => confirmed,
            Answered::Rendered => rendered,
            Answered::Refused => refused,
        };
        count.fetch_add(1, Ordering::Relaxed);
    }

    /// Entries and bytes are updated with a delay.
    pub fn figures(&self) -> Figures {
        let Counts { kept, confirmed, rendered, refused } = self.counts.as_ref();
        Figures {
            entries: self.pages.entry_count(),
            bytes: self.pages.weighted_size(),
            kept: kept.load(Ordering::Relaxed),
            confirmed: confirmed.load(Ordering::Relaxed),
            rendered: rendered.load(Ordering::Relaxed),
            refused: refused.load(Ordering::Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::http::{HeaderValue, StatusCode};
    use bytes::Bytes;
    use jiff::tz::TimeZone;
    use shop_base::clock::ManualClock;
    use shop_domain::catalog::changes::{Change, Moment};
    use shop_platform::web::page::Topic;
    use tokio::task::JoinSet;
    use uuid::Uuid;

    use super::{Entry, Kept, Key, Made, PageCache};

    const NOON: i64 = 1_795_280_400_000;

    fn now(cache: &PageCache) -> Moment {
        cache.changes.moment(&ManualClock::at(NOON), &TimeZone::UTC)
    }

    fn key(path: &str) -> Key {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        Key { path: path.to_owned(), query: query.to_owned(), age_verified: true, signed_in: false, payload: false }
    }

    fn kept(made: Moment, about: &[Topic]) -> Kept {
        let entry = Entry::new(StatusCode::OK, HeaderValue::from_static("text/html"), Bytes::from("<p>"));
        Kept { entry: Arc::new(entry), contents: 1, made, about: about.into() }
    }

    async fn has(cache: &PageCache, path: &str) -> bool {
        cache.get(&key(path), now(cache)).await.is_some()
    }

    #[tokio::test]
    async fn a_page_made_from_older_data_than_a_change_is_never_valid() {
        let cache = PageCache::new(Arc::default());
        let pipe = Uuid::from_u128(1);
        for change in [Change::of([pipe]), Change::everything()] {
            let before = now(&cache);
            cache.changes.note(&change);
            cache.insert(key("/pipe"), kept(before, &[Topic::Product(pipe)])).await;
            assert!(!has(&cache, "/pipe").await, "{change:?}");
            cache.insert(key("/pipe"), kept(now(&cache), &[Topic::Product(pipe)])).await;
            assert!(has(&cache, "/pipe").await, "{change:?}");
        }
    }

    #[tokio::test]
    async fn a_list_is_kept_when_it_is_asked_for_again() {
        let cache = PageCache::new(Arc::default());
        for is_kept in [false, true] {
            let now = now(&cache);
            let make = |_| std::future::ready(Made::Page(kept(now, &[])));
            assert!(cache.renew(key("/products?sort=name"), || now, make).await.is_none());
            assert_eq!(has(&cache, "/products?sort=name").await, is_kept);
        }
    }

    #[tokio::test]
    async fn visitors_who_wait_for_a_page_get_the_one_that_is_made_meanwhile() {
        let shared = Arc::new((PageCache::new(Arc::default()), AtomicUsize::new(0)));
        let mut visits = JoinSet::new();
        for _ in 0..32 {
            let shared = Arc::clone(&shared);
            visits.spawn(async move {
                let (cache, made) = shared.as_ref();
                let now = now(cache);
                let make = |_| async {
                    made.fetch_add(1, Ordering::Relaxed);
                    for _ in 0..100 {
                        tokio::task::yield_now().await;
                    }
                    Made::Page(kept(now, &[]))
                };
                cache.renew(key("/products?sort=name"), || now, make).await.is_some()
            });
        }
        let waited = visits.join_all().await;
        assert_eq!(shared.1.load(Ordering::Relaxed), 1);
        assert_eq!(waited.iter().filter(|waited| **waited).count(), 31);
    }

    #[tokio::test]
    async fn nobody_waits_again_for_what_is_not_kept() {
        for (refused, expected) in [(false, 1), (true, 32)] {
            let shared = Arc::new((PageCache::new(Arc::default()), AtomicUsize::new(0)));
            let mut visits = JoinSet::new();
            for _ in 0..32 {
                let shared = Arc::clone(&shared);
                visits.spawn(async move {
                    let (cache, made) = shared.as_ref();
                    let now = now(cache);
                    let make = |_| async {
                        made.fetch_add(1, Ordering::Relaxed);
                        tokio::task::yield_now().await;
                        if refused { Made::Refused } else { Made::Nothing }
                    };
                    assert!(cache.renew(key("/former-name"), || now, make).await.is_none());
                });
            }
            visits.join_all().await;
            let (cache, made) = shared.as_ref();
            assert_eq!(made.load(Ordering::Relaxed), expected);
            assert_eq!(cache.has_nothing(&key("/former-name")), !refused);
        }
    }

    #[tokio::test]
    async fn what_is_not_kept_takes_little_memory() {
        let cache = PageCache::new(Arc::default());
        for (length, is_known) in [(900, true), (100_000, false)] {
            let long = key(&format!("/products?q={}", "x".repeat(length)));
            let now = now(&cache);
            let make = |_| std::future::ready(Made::Nothing);
            assert!(cache.renew(long.clone(), || now, make).await.is_none());
            assert_eq!(cache.has_nothing(&long), is_known, "{length}");
        }
    }

    #[tokio::test]
    async fn a_page_that_is_no_longer_kept_is_removed_but_not_after_a_failure() {
        for failed in [false, true] {
            let cache = PageCache::new(Arc::default());
            cache.insert(key("/"), kept(now(&cache), &[])).await;
            cache.changes.note(&Change::everything());
            let former = AtomicUsize::new(0);
            let make = |kept: Option<Kept>| {
                former.store(usize::from(kept.is_some()), Ordering::Relaxed);
                std::future::ready(if failed { Made::Failed } else { Made::Nothing })
            };
            assert!(cache.renew(key("/"), || now(&cache), make).await.is_none());
            assert_eq!(former.load(Ordering::Relaxed), 1);
            assert_eq!(cache.former(&key("/")).await.is_some(), failed);
            assert!(cache.has_nothing(&key("/")));
            assert!(!has(&cache, "/").await, "it may show something old");
        }
    }
}
