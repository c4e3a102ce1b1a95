//! The catalogue's use cases.

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use tokio::sync::Notify;
use uuid::Uuid;

use super::listing::{Listing, ListingError};
use super::model::{Product, Sellable};
use super::store::{self, RetiredPath};
use crate::clock::Clock;
use crate::db::{Conn, Db, DbError};

/// Sales come in bursts, and what is shown may be a few seconds old: checkout decides.
const REFRESH_EVERY: Duration = Duration::from_secs(5);

/// The catalogue of one running shop.
#[derive(Debug)]
pub struct Catalog {
    db: Db,
    clock: Arc<dyn Clock>,
    listing: ArcSwap<Listing>,
    changes: Notify,
}

impl Catalog {
    /// Reads the listing once; [`Catalog::refresh`] reads it again.
    pub async fn load(db: Db, clock: Arc<dyn Clock>) -> Result<Self, ListingError> {
        let listing = Self::read(&db, clock.as_ref()).await?;
        Ok(Self { db, clock, listing: ArcSwap::from_pointee(listing), changes: Notify::new() })
    }

    /// Tells this node that stock or products have changed. It returns at once; [`Catalog::follow`] does the rest.
    pub fn changed(&self) {
        self.changes.notify_one();
    }

    /// Refreshes after each change, at most once in [`REFRESH_EVERY`], and then calls `refreshed`. Never ends.
    pub async fn follow(&self, refreshed: impl Fn()) {
        loop {
            self.changes.notified().await;
            match self.refresh().await {
                Ok(()) => refreshed(),
                Err(error) => tracing::error!(%error, "the lists could not be refreshed after a change"),
            }
            tokio::time::sleep(REFRESH_EVERY).await;
        }
    }

    /// Makes lists, menus and searches show the catalogue as it is now.
    pub async fn refresh(&self) -> Result<(), ListingError> {
        let listing = Self::read(&self.db, self.clock.as_ref()).await?;
        self.listing.store(Arc::new(listing));
        Ok(())
    }

    async fn read(db: &Db, clock: &dyn Clock) -> Result<Listing, ListingError> {
        let mut reader = db.read().await?;
        Listing::load(&mut reader.conn(), clock.now_ms()).await
    }

    pub fn listing(&self) -> Arc<Listing> {
        self.listing.load_full()
    }

    /// An active product with this moment's prices and stock.
    pub async fn find_product(&self, handle: &str) -> Result<Option<Product>, DbError> {
        let mut reader = self.db.read().await?;
        store::find_product(&mut reader.conn(), handle).await
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

/// The variants of these ids that the shop sells, with this moment's prices and stock, in no order.
pub async fn list_sellable(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<Vec<Sellable>, DbError> {
    store::list_sellable(conn, ids).await
}
