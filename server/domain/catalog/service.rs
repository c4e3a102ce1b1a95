//! The catalog's use cases.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arc_swap::ArcSwap;
use shop_base::clock::Clock;
use shop_base::config::Company;
use shop_base::db::{Conn, Db, DbError, Effect, Purpose};
use shop_platform::web::page::Topic;
use tokio::sync::Notify;
use uuid::Uuid;

use super::changes::{Change, Changes};
use super::listing::{Listing, ListingError};
use super::model::{RetiredPath, Sellable};
use super::pending::Pending;
use super::products::{ShownProduct, ShownProducts};
use super::store;
use super::updates::Updating;
use crate::compliance::service::restriction_for;

/// These products' pages are different, and soon lists are, too.
pub const CHANGED: Effect = Effect("catalog changed");
/// Staff changed something: no page may show the old state, and lists are loaded again.
pub const EDITED: Effect = Effect("catalog edited");
/// Staff changed these products: no page may show the old state, and lists are updated.
pub const PRODUCTS_EDITED: Effect = Effect("products edited");

/// A shop that starts has its first lists to show.
const BEFORE_COMPLETING: Duration = Duration::from_millis(100);

/// The catalog of a running shop.
#[derive(Debug)]
pub struct Catalog {
    pub(super) db: Db,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) listing: ArcSwap<Listing>,
    products: ShownProducts,
    /// All changes since the start, on any node.
    pub changes: Arc<Changes>,
    /// Changes that the listing does not show yet.
    pub(super) outdated: Pending,
    pub(super) updating: Updating,
    /// Searches do not yet know the words of the products.
    is_completing: AtomicBool,
    /// Signals that the listing must be loaded again.
    pub(super) load_again: Notify,
    /// Changes on this node that the others have not been notified of.
    pub(super) unannounced: Pending,
    /// Identifies this node to the others.
    pub(super) node: Uuid,
}

impl Catalog {
    /// Loads the listing once; [`Catalog::follow`] keeps it up to date.
    #[expect(clippy::disallowed_methods, reason = "it names this node and orders nothing")]
    pub async fn load(db: Db, clock: Arc<dyn Clock>) -> Result<Self, ListingError> {
        let listing = Self::load_listing(&db, clock.as_ref(), None).await?;
        Ok(Self {
            db,
            clock,
            listing: ArcSwap::from_pointee(listing),
            products: ShownProducts::default(),
            changes: Arc::default(),
            outdated: Pending::default(),
            updating: Updating::default(),
            is_completing: AtomicBool::new(false),
            load_again: Notify::new(),
            unannounced: Pending::default(),
            node: Uuid::now_v7(),
        })
    }

    pub(super) async fn load_listing(
        db: &Db,
        clock: &dyn Clock,
        former: Option<Arc<Listing>>,
    ) -> Result<Listing, ListingError> {
        let mut reader = db.of(Purpose::Lists).read().await?;
        Listing::load(&mut reader.conn(), clock.now_ms(), former).await
    }

    /// Takes note of a change on this node. Returns immediately; [`Catalog::follow`] updates the listing and notifies other nodes.
    pub fn changed(&self, change: Change) {
        self.changes.note(&change);
        self.outdated.add(change.clone());
        self.unannounced.add(change);
    }

    /// The same for movements of these variants' stock.
    pub async fn stock_moved(&self, variants: &BTreeSet<Uuid>) {
        let listing = self.listing();
        let (known, unlisted): (Vec<Uuid>, Vec<Uuid>) =
            variants.iter().partition(|variant| listing.product_of(**variant).is_some());
        self.changed(Change::of(known.into_iter().filter_map(|variant| listing.product_of(variant))));
        // Of products that are new, or no longer sold. Nobody is shown the former state of the others while the database is asked.
        match self.products_of(&unlisted).await {
            Ok(others) => self.changed(Change::of(others)),
            Err(error) => {
                tracing::warn!(%error, "it is unknown of which products stock has moved");
                self.changed(Change::everything());
            }
        }
    }

    async fn products_of(&self, variants: &[Uuid]) -> Result<Vec<Uuid>, DbError> {
        if variants.is_empty() {
            return Ok(Vec::new());
        }
        let mut reader = self.db.read().await?;
        store::list_products_of(&mut reader.conn(), variants).await
    }

    /// Updates the listing after changes on any node. Takes note of changes on other nodes, and when lists show something else. Never
    /// returns.
    pub async fn follow(&self) {
        tokio::join!(self.complete(), self.announce(), self.hear(), self.keep_up_to_date());
    }

    /// Completes the listing of a shop that starts: searches would wait for that.
    async fn complete(&self) {
        self.is_completing.store(true, Ordering::Relaxed);
        tokio::time::sleep(BEFORE_COMPLETING).await;
        let listing = self.listing();
        if let Err(error) = listing.index.completed().await {
            tracing::error!(%error, "products cannot be searched until they are loaded again");
        }
        self.is_completing.store(false, Ordering::Relaxed);
    }

    pub fn is_completing(&self) -> bool {
        self.is_completing.load(Ordering::Relaxed)
    }

    pub fn listing(&self) -> Arc<Listing> {
        self.listing.load_full()
    }

    /// An active product with current prices and stock, as its page shows it.
    pub async fn find_product(&self, handle: &str, company: &Company) -> Result<Option<Arc<ShownProduct>>, DbError> {
        let now = self.changes.moment(self.clock.as_ref(), &company.time_zone);
        let former = self.products.get(handle);
        if let Some(shown) = former.filter(|shown| self.changes.are_none(shown.read, now, &[Topic::Product(shown.id)]))
        {
            return Ok(Some(shown));
        }
        let mut reader = self.db.read().await?;
        let conn = &mut reader.conn();
        let Some(product) = store::find_product(conn, handle).await? else {
            self.products.remove(handle);
            return Ok(None);
        };
        let (class, text) = (&product.compliance_class, &product.restriction);
        let restriction = restriction_for(conn, class, text, &company.state, now.today).await?;
        self.products.insert(product, restriction, now).map(Some)
    }

    /// The handle of a product that is or was sold.
    pub async fn find_handle(&self, id: Uuid) -> Result<Option<String>, DbError> {
        let mut reader = self.db.read().await?;
        store::find_handle(&mut reader.conn(), id).await
    }

    /// Whether a category that is not in the listing has this slug: then the listing is soon loaded again.
    pub async fn has_unlisted_category(&self, slug: &str) -> Result<bool, DbError> {
        let mut reader = self.db.read().await?;
        let has_one = store::has_category(&mut reader.conn(), slug).await?;
        if has_one {
            self.load_again.notify_one();
        }
        Ok(has_one)
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

/// The current compliance class of each of these variants that the shop still has.
pub async fn classes_of(conn: &mut Conn<'_>, variants: &[Uuid]) -> Result<HashMap<Uuid, String>, DbError> {
    if variants.is_empty() {
        return Ok(HashMap::new());
    }
    Ok(store::list_classes_of(conn, variants).await?.into_iter().collect())
}

/// The sellable variants among these ids, with current prices and stock, in no particular order. `held` are variants and quantities that the
/// asking shopper's own checkout holds: they count as available.
pub async fn list_sellable(conn: &mut Conn<'_>, ids: &[Uuid], held: &[(Uuid, i64)]) -> Result<Vec<Sellable>, DbError> {
    let mut sellable = store::list_sellable(conn, ids).await?;
    for variant in &mut sellable {
        let own = held.iter().filter(|(id, _)| *id == variant.id).map(|(_, quantity)| quantity);
        variant.stock.reserved -= own.sum::<i64>();
    }
    Ok(sellable)
}
