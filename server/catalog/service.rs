//! The catalogue's use cases.

use std::sync::Arc;

use arc_swap::ArcSwap;
use uuid::Uuid;

use super::listing::{Listing, ListingError};
use super::model::Product;
use super::store::{self, RetiredPath};
use crate::clock::Clock;
use crate::db::{Db, DbError};

/// The catalogue of one running shop.
#[derive(Debug)]
pub struct Catalog {
    db: Db,
    clock: Arc<dyn Clock>,
    listing: ArcSwap<Listing>,
}

impl Catalog {
    /// Reads the listing once; [`Catalog::refresh`] reads it again.
    pub async fn load(db: Db, clock: Arc<dyn Clock>) -> Result<Self, ListingError> {
        let listing = Self::read(&db, clock.as_ref()).await?;
        Ok(Self { db, clock, listing: ArcSwap::from_pointee(listing) })
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
