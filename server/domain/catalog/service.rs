//! The catalog's use cases.

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
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

/// Sales come in bursts, and displayed stock may be a few seconds old: checkout is authoritative.
const REFRESH_EVERY: Duration = Duration::from_secs(5);

/// Lists are rebuilt soon.
pub const CHANGED: Effect = Effect("catalog changed");
/// Staff changed something: no page may show the old state, and lists are rebuilt.
pub const EDITED: Effect = Effect("catalog edited");

/// The channel on which nodes notify each other of changes.
const CHANNEL: &str = "catalog_changed";

/// The catalog of a running shop.
#[derive(Debug)]
pub struct Catalog {
    db: Db,
    clock: Arc<dyn Clock>,
    listing: ArcSwap<Listing>,
    /// Signals a change on this node.
    changes: Notify,
    /// Signals a change on another node.
    heard: Notify,
    /// Identifies this node to the others.
    node: Uuid,
}

impl Catalog {
    /// Loads the listing once; [`Catalog::refresh`] loads it again.
    #[expect(clippy::disallowed_methods, reason = "it names this node and orders nothing")]
    pub async fn load(db: Db, clock: Arc<dyn Clock>) -> Result<Self, ListingError> {
        let listing = Self::read(&db, clock.as_ref()).await?;
        let (changes, heard) = (Notify::new(), Notify::new());
        Ok(Self { db, clock, listing: ArcSwap::from_pointee(listing), changes, heard, node: Uuid::now_v7() })
    }

    /// Announces a change of stock or products to all nodes. Returns immediately; [`Catalog::follow`] does the work.
    pub fn changed(&self) {
        self.changes.notify_one();
    }

    /// Refreshes after each change on any node, at most once per [`REFRESH_EVERY`], and then calls `refreshed`. Never returns.
    pub async fn follow(&self, refreshed: impl Fn()) {
        tokio::join!(self.hear(), self.keep_fresh(refreshed));
    }

    async fn keep_fresh(&self, refreshed: impl Fn()) {
        loop {
            tokio::select! {
                () = self.changes.notified() => self.notify_nodes().await,
                () = self.heard.notified() => {}
            }
            match self.refresh().await {
                Ok(()) => refreshed(),
                Err(error) => tracing::error!(%error, "the lists could not be refreshed after a change"),
            }
            tokio::time::sleep(REFRESH_EVERY).await;
        }
    }

    /// Notifies the other nodes. Nodes that miss the message stay outdated until their pages expire.
    async fn notify_nodes(&self) {
        if let Err(error) = self.db.notify(CHANNEL, &self.node.to_string()).await {
            tracing::warn!(%error, "other nodes could not be told of a change to the catalog");
        }
    }

    /// Listens for notifications of other nodes, if there can be any.
    async fn hear(&self) {
        while let Err(error) = self.listen().await {
            tracing::warn!(%error, "other nodes are not heard; trying again");
            tokio::time::sleep(REFRESH_EVERY).await;
            // Notifications sent meanwhile are lost, so assume a change.
            self.heard.notify_one();
        }
    }

    async fn listen(&self) -> Result<(), DbError> {
        let Some(mut others) = self.db.listen(CHANNEL).await? else { return Ok(()) };
        loop {
            if others.next().await?.as_deref() != Some(self.node.to_string().as_str()) {
                self.heard.notify_one();
            }
        }
    }

    /// Reloads the read model behind lists, menus and searches.
    pub async fn refresh(&self) -> Result<(), ListingError> {
        let listing = Self::read(&self.db, self.clock.as_ref()).await?;
        self.listing.store(Arc::new(listing));
        Ok(())
    }

    async fn read(db: &Db, clock: &dyn Clock) -> Result<Listing, ListingError> {
        // Loads all products at once, so it uses the job pool to keep shoppers' requests from waiting.
        let mut reader = db.of(Purpose::Jobs).read().await?;
        Listing::load(&mut reader.conn(), clock.now_ms()).await
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
