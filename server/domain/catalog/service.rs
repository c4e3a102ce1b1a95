//! The catalog's use cases.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;
use serde::{Deserialize, Serialize};
use shop_base::clock;
use shop_base::clock::Clock;
use shop_base::config::Company;
use shop_base::db::{Conn, Db, DbError, Effect, Purpose};
use tokio::sync::Notify;
use uuid::Uuid;

use super::listing::{Listing, ListingError};
use super::model::{Product, RetiredPath, Sellable};
use super::store;
use crate::compliance::service::note_for;

/// Sales come in bursts, and lists may show stock that is a few seconds old: checkout is authoritative.
const REFRESH_EVERY: Duration = Duration::from_secs(5);
/// The same after a change by staff, of which one may follow the other.
const REFRESH_EDITED_EVERY: Duration = Duration::from_secs(1);

/// These products' pages are different, and lists are rebuilt soon.
pub const CHANGED: Effect = Effect("catalog changed");
/// Staff changed something: no page may show the old state, and lists are rebuilt.
pub const EDITED: Effect = Effect("catalog edited");

/// The channel on which nodes notify each other of changes.
const CHANNEL: &str = "catalog_changed";
/// More changes of one moment are announced together.
const ANNOUNCE_EVERY: Duration = Duration::from_millis(50);
/// A message may have 8,000 bytes; more products than this are announced as "everything".
const MAX_ANNOUNCED: usize = 100;

/// Which pages are different from now on, besides lists.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Any may be.
    pub everything: bool,
    /// The pages of these products are.
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

/// A change as one node announces it to the others.
#[derive(Debug, Serialize, Deserialize)]
struct Announcement {
    node: Uuid,
    change: Change,
}

/// The catalog of a running shop.
#[derive(Debug)]
pub struct Catalog {
    db: Db,
    clock: Arc<dyn Clock>,
    listing: ArcSwap<Listing>,
    /// Signals that the listing may be outdated.
    outdated: Notify,
    /// Signals that it is, by a change of staff.
    edited: Notify,
    /// Changes on this node that the others have not been notified of.
    unannounced: Mutex<Option<Change>>,
    announce: Notify,
    /// Identifies this node to the others.
    node: Uuid,
}

impl Catalog {
    /// Loads the listing once; [`Catalog::refresh`] loads it again.
    #[expect(clippy::disallowed_methods, reason = "it names this node and orders nothing")]
    pub async fn load(db: Db, clock: Arc<dyn Clock>) -> Result<Self, ListingError> {
        let listing = Self::read(&db, clock.as_ref(), None).await?;
        Ok(Self {
            db,
            clock,
            listing: ArcSwap::from_pointee(listing),
            outdated: Notify::new(),
            edited: Notify::new(),
            unannounced: Mutex::new(None),
            announce: Notify::new(),
            node: Uuid::now_v7(),
        })
    }

    /// Takes note of a change on this node. Returns immediately; [`Catalog::follow`] refreshes the listing and notifies other nodes.
    pub fn changed(&self, change: Change) {
        self.outdate(&change);
        self.unannounced.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().add(change);
        self.announce.notify_one();
    }

    fn outdate(&self, change: &Change) {
        if change.everything {
            self.edited.notify_one();
        }
        self.outdated.notify_one();
    }

    /// The change that movements of these variants' stock are.
    pub fn stock_moved(&self, variants: &BTreeSet<Uuid>) -> Change {
        let listing = self.listing.load();
        match variants.iter().map(|variant| listing.product_of(*variant)).collect() {
            Some(products) => Change { everything: false, products },
            // One of them is newer than the listing.
            None => Change::everything(),
        }
    }

    /// Refreshes the listing after changes on any node. Calls `changed` with changes on other nodes, and when lists show something else.
    /// Never returns.
    pub async fn follow(&self, changed: impl Fn(Change)) {
        tokio::join!(self.announce(), self.hear(&changed), self.keep_fresh(&changed));
    }

    async fn keep_fresh(&self, changed: impl Fn(Change)) {
        loop {
            self.outdated.notified().await;
            match self.refresh().await {
                Ok(true) => changed(Change::everything()),
                Ok(false) => {}
                Err(error) => tracing::error!(%error, "the lists could not be refreshed after a change"),
            }
            let edited = async {
                tokio::time::sleep(REFRESH_EDITED_EVERY).await;
                self.edited.notified().await;
            };
            tokio::select! {
                () = tokio::time::sleep(REFRESH_EVERY) => {}
                () = edited => {}
            }
        }
    }

    /// Notifies the other nodes of changes on this one.
    async fn announce(&self) {
        loop {
            self.announce.notified().await;
            let change = self.unannounced.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(change) = change
                && let Err(error) = self.notify(&change).await
            {
                tracing::warn!(%error, "other nodes could not be told of a change to the catalog; trying again");
                self.unannounced.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().add(change);
                self.announce.notify_one();
                tokio::time::sleep(REFRESH_EDITED_EVERY).await;
            }
            tokio::time::sleep(ANNOUNCE_EVERY).await;
        }
    }

    async fn notify(&self, change: &Change) -> Result<(), DbError> {
        let announcement = Announcement { node: self.node, change: change.clone() };
        match serde_json::to_string(&announcement) {
            Ok(message) => self.db.notify(CHANNEL, &message).await,
            Err(_) => Err(DbError::Inconsistent("a change to the catalog cannot be written")),
        }
    }

    /// Listens for notifications of other nodes, if there can be any.
    async fn hear(&self, changed: impl Fn(Change)) {
        while let Err(error) = self.listen(&changed).await {
            tracing::warn!(%error, "other nodes are not heard; trying again");
            tokio::time::sleep(REFRESH_EDITED_EVERY).await;
        }
    }

    async fn listen(&self, changed: impl Fn(Change)) -> Result<(), DbError> {
        let Some(mut others) = self.db.listen(CHANNEL).await? else { return Ok(()) };
        let hear = |change: Change| {
            self.outdate(&change);
            changed(change);
        };
        // What was announced before, nobody here has heard.
        hear(Change::everything());
        loop {
            let message = others.next().await?;
            let announced = message.as_deref().map(serde_json::from_str::<Announcement>);
            match announced {
                Some(Ok(announced)) if announced.node == self.node => {}
                Some(Ok(announced)) => hear(announced.change),
                // Messages were lost, or this one is of another release.
                Some(Err(_)) | None => hear(Change::everything()),
            }
        }
    }

    /// Reloads the read model behind lists, menus and searches. Returns whether they show something else.
    pub async fn refresh(&self) -> Result<bool, ListingError> {
        let former = self.listing();
        let listing = Self::read(&self.db, self.clock.as_ref(), Some(Arc::clone(&former))).await?;
        let is_same = listing.shows_the_same_as(&former);
        self.listing.store(Arc::new(listing));
        Ok(!is_same)
    }

    async fn read(db: &Db, clock: &dyn Clock, former: Option<Arc<Listing>>) -> Result<Listing, ListingError> {
        // Loads all products at once, so it uses the job pool to keep shoppers' requests from waiting.
        let mut reader = db.of(Purpose::Jobs).read().await?;
        Listing::load(&mut reader.conn(), clock.now_ms(), former).await
    }

    pub fn listing(&self) -> Arc<Listing> {
        self.listing.load_full()
    }

    /// An active product with current prices and stock.
    pub async fn find_product(&self, handle: &str) -> Result<Option<Product>, DbError> {
        let mut reader = self.db.read().await?;
        store::find_product(&mut reader.conn(), handle).await
    }

    /// A text that says where a product cannot be shipped.
    pub async fn shipping_note(&self, product: &Product, company: &Company) -> Result<String, DbError> {
        let today = clock::today(self.clock.as_ref(), &company.time_zone);
        let mut reader = self.db.read().await?;
        note_for(&mut reader.conn(), &product.compliance_class, &company.state, today).await
    }

    pub async fn find_handle(&self, id: Uuid) -> Result<Option<String>, DbError> {
        let mut reader = self.db.read().await?;
        store::find_handle(&mut reader.conn(), id).await
    }

    pub async fn find_retired_path(&self, path: &str) -> Result<Option<RetiredPath>, DbError> {
        let mut reader = self.db.read().await?;
        store::find_retired_path(&mut reader.conn(), path).await
    }
}

/// The variant with this sku.
pub async fn find_variant(conn: &mut Conn<'_>, sku: &str) -> Result<Option<Uuid>, DbError> {
    store::find_variant(conn, sku).await
}

/// The sellable variants among these ids, with current prices and stock, in no particular order.
pub async fn list_sellable(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<Vec<Sellable>, DbError> {
    store::list_sellable(conn, ids).await
}
