//! Keeps the listing up to date. After a change that names products only these are read again. All of it is loaded after any other change,
//! and now and then: what a node changed that was killed before it could announce it, nobody names. Meanwhile updates go on.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use shop_base::db::Purpose;
use tokio::sync::Mutex;
use uuid::Uuid;

use super::changes::Topics;
use super::listing::{Listing, ListingError};
use super::service::Catalog;

/// More changes of this time are shown together.
const UPDATE_EVERY: Duration = Duration::from_millis(50);
/// How often to look for products that are new, or no longer are.
const LOOK_EVERY: Duration = Duration::from_secs(60);
const LOAD_EVERY: Duration = Duration::from_secs(15 * 60);
/// Staff edit several categories in a row.
const LOAD_AT_MOST_EVERY: Duration = Duration::from_secs(1);

/// The state of updating.
#[derive(Debug, Default)]
pub struct Updating {
    /// Held while a listing is replaced. While another one is being loaded: the products that were updated since this began.
    meanwhile: Mutex<Option<BTreeSet<Uuid>>>,
    /// One listing is loaded at a time.
    loading: Mutex<()>,
    counts: Counts,
}

#[derive(Debug, Default)]
struct Counts {
    updates: AtomicU64,
    loads: AtomicU64,
    updated_in: AtomicU64,
    loaded_in: AtomicU64,
}

/// How often this node has updated and loaded its listing after the start, and how long the last time took.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    pub products: usize,
    pub updates: u64,
    pub loads: u64,
    pub updated_in: Duration,
    pub loaded_in: Duration,
}

impl Catalog {
    /// Never returns.
    pub(super) async fn keep_up_to_date(&self) {
        tokio::join!(self.keep_updating(), self.keep_loading());
    }

    async fn keep_updating(&self) {
        loop {
            let change = tokio::time::timeout(LOOK_EVERY, self.outdated.next()).await.unwrap_or_default();
            if change.is_unlimited() {
                self.load_again.notify_one();
            } else if let Err(error) = self.update(change.products.clone()).await {
                tracing::error!(%error, "the lists could not be updated after a change; trying again");
                self.outdated.add(change);
                self.db.pause().await;
            }
            tokio::time::sleep(UPDATE_EVERY).await;
        }
    }

    async fn keep_loading(&self) {
        loop {
            // Either way.
            let _ = tokio::time::timeout(LOAD_EVERY, self.load_again.notified()).await;
            if let Err(error) = self.refresh().await {
                tracing::error!(%error, "the lists could not be loaded; trying again");
                self.load_again.notify_one();
                self.db.pause().await;
            } else {
                tokio::time::sleep(LOAD_AT_MOST_EVERY).await;
            }
        }
    }

    /// Brings these products up to date.
    async fn update(&self, mut products: BTreeSet<Uuid>) -> Result<(), ListingError> {
        let mut meanwhile = self.updating.meanwhile.lock().await;
        let (former, now, started) = (self.listing(), self.clock.now_ms(), Instant::now());
        products.extend(former.aged(now));
        if products.is_empty() {
            return Ok(());
        }
        let listing = self.updated(&former, now, &products, None).await?;
        if let Some(meanwhile) = meanwhile.as_mut() {
            meanwhile.extend(&products);
        }
        let topics = listing.topics_since(&former, products);
        self.show(listing, topics);
        self.updating.counts.count_update(started.elapsed());
        Ok(())
    }

    /// Loads the read model behind lists, menus and searches again. Returns whether they show something else.
    pub async fn refresh(&self) -> Result<bool, ListingError> {
        let _one = self.updating.loading.lock().await;
        *self.updating.meanwhile.lock().await = Some(BTreeSet::new());
        let started = Instant::now();
        let loaded = self.load_completely().await;
        // Nothing is updated until the new one is there.
        let mut meanwhile = self.updating.meanwhile.lock().await;
        let mut products = meanwhile.take().unwrap_or_default();
        let (mut listing, former, now) = (loaded?, self.listing(), self.clock.now_ms());
        products.extend(listing.aged(now));
        if !products.is_empty() {
            listing = self.updated(&listing, now, &products, Some(&former)).await?;
        }
        // This, and dropping a listing, take a while.
        let compared = tokio::task::spawn_blocking(move || {
            let topics = listing.all_topics_since(&former);
            (listing, topics, former)
        });
        let (listing, topics, former) = compared.await?;
        let is_other = !topics.is_none();
        self.show(listing, topics);
        self.updating.counts.count_load(started.elapsed());
        tokio::task::spawn_blocking(move || drop(former));
        Ok(is_other)
    }

    /// With the words of all products, which takes longest: lists are updated meanwhile.
    async fn load_completely(&self) -> Result<Listing, ListingError> {
        let listing = Self::load_listing(&self.db, self.clock.as_ref(), Some(self.listing())).await?;
        let completed = tokio::task::spawn_blocking(move || {
            listing.index.complete();
            listing
        });
        Ok(completed.await?)
    }

    /// What this listing cannot show before all is loaded again is loaded soon.
    async fn updated(
        &self,
        listing: &Listing,
        now_ms: i64,
        products: &BTreeSet<Uuid>,
        former: Option<&Arc<Listing>>,
    ) -> Result<Listing, ListingError> {
        let mut reader = self.db.of(Purpose::Lists).short().read().await?;
        let updated = listing.update(&mut reader.conn(), now_ms, products, former.map(Arc::clone)).await?;
        if updated.has_newer_category {
            self.load_again.notify_one();
        }
        Ok(updated.listing)
    }

    fn show(&self, listing: Listing, changed: Topics) {
        self.listing.store(Arc::new(listing));
        self.changes.note(changed);
    }

    pub fn figures(&self) -> Figures {
        let Counts { updates, loads, updated_in, loaded_in } = &self.updating.counts;
        let time = |microseconds: &AtomicU64| Duration::from_micros(microseconds.load(Ordering::Relaxed));
        Figures {
            products: self.listing().len(),
            updates: updates.load(Ordering::Relaxed),
            loads: loads.load(Ordering::Relaxed),
            updated_in: time(updated_in),
            loaded_in: time(loaded_in),
        }
    }
}

impl Counts {
    fn count_update(&self, took: Duration) {
        self.updates.fetch_add(1, Ordering::Relaxed);
        self.updated_in.store(microseconds(took), Ordering::Relaxed);
    }

    fn count_load(&self, took: Duration) {
        self.loads.fetch_add(1, Ordering::Relaxed);
        self.loaded_in.store(microseconds(took), Ordering::Relaxed);
    }
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
