//! Makes listings: from the whole database, or from a former one and the products that have changed.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use shop_base::db::{Conn, DbError};
use shop_base::slug::slug;
use shop_platform::web::page::{Link, Topic};
use shop_platform::web::reusable::Reusable;
use uuid::Uuid;

use super::rows::Rows;
use super::values::Values;
use super::{Listed, Listing, ListingError, Order};
use crate::catalog::changes::Topics;
use crate::catalog::model::{Category, Menu, MenuItem, NEW_FOR_MS};
use crate::catalog::search::{SearchDocument, SearchIndex};
use crate::catalog::store;
use crate::catalog::store::{Collection, ListedProduct};

/// What a listing is made of besides products.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    pub categories: Vec<Category>,
    pub collections: Vec<Collection>,
}

impl Groups {
    async fn all(conn: &mut Conn<'_>) -> Result<Self, DbError> {
        let categories = store::list_categories(conn).await?;
        Ok(Self { categories, collections: store::list_collections(conn).await? })
    }
}

/// A listing after products have changed.
#[derive(Debug)]
pub struct Updated {
    pub listing: Listing,
    /// A category of theirs is newer than the listing, which must be loaded again. Nothing else waits for that.
    pub has_newer_category: bool,
}

impl Listing {
    /// Loads the whole active catalog. `now_ms` decides what counts as new. Of a `former` listing, cards that are still the same are kept.
    pub async fn load(conn: &mut Conn<'_>, now_ms: i64, former: Option<Arc<Self>>) -> Result<Self, ListingError> {
        // In this order: if staff edit a product in between, its row is the old one, and the update that follows reads both again.
        let rows = Rows::all(conn).await?;
        let groups = Groups::all(conn).await?;
        // Indexing thousands of products takes long enough to block other requests.
        tokio::task::spawn_blocking(move || Self::new(groups, rows, now_ms, former.as_deref())).await?
    }

    /// The listing after these products have changed. Of a `former` listing other than this one, products that are still the same are kept.
    pub async fn update(
        &self,
        conn: &mut Conn<'_>,
        now_ms: i64,
        products: &BTreeSet<Uuid>,
        former: Option<Arc<Self>>,
    ) -> Result<Updated, ListingError> {
        let ids: Vec<Uuid> = products.iter().copied().collect();
        let mut rows = Rows::of(conn, &ids).await?;
        let has_newer_category = self.keep_places(&mut rows, former.as_deref());
        // A sale edits no product, and what is in a collection changes only with an edit.
        let collections = match self.has_edits(&ids, &rows) {
            true => Some(store::list_collections(conn).await?.into()),
            false => None,
        };
        let mut listing = self.clone();
        if let Some(collections) = collections {
            listing.collections = collections;
        }
        let updated = tokio::task::spawn_blocking(move || {
            listing.set(ids, rows, now_ms, former.as_deref())?;
            Ok::<_, ListingError>(listing)
        });
        Ok(Updated { listing: updated.await??, has_newer_category })
    }

    /// Leaves products whose category is newer than this listing in the one that they had in it or in `former`, if they are listed. Returns
    /// whether there are some.
    fn keep_places(&self, rows: &mut Rows, former: Option<&Self>) -> bool {
        let mut are_some = false;
        for product in &mut rows.products {
            if self.get_category(product.category_id).is_some() {
                continue;
            }
            are_some = true;
            let listed =
                [Some(self), former].into_iter().flatten().find_map(|listing| listing.products.get(&product.id));
            if let Some(category) = listed.and_then(|listed| listed.categories.last())
                && self.get_category(*category).is_some()
            {
                product.category_id = *category;
            }
        }
        are_some
    }

    pub(super) fn new(groups: Groups, rows: Rows, now_ms: i64, former: Option<&Self>) -> Result<Self, ListingError> {
        let Groups { categories, collections } = groups;
        let menu = menu_of(&categories);
        let mut listing = Self {
            menu: match former.filter(|former| *former.menu == menu) {
                Some(former) => former.menu.clone(),
                None => Reusable::new(menu)?,
            },
            category_by_slug: Arc::new(categories.iter().enumerate().map(|(at, c)| (c.slug.clone(), at)).collect()),
            categories: categories.into(),
            collections: collections.into(),
            products: imbl::HashMap::new(),
            newest: Order::new(),
            popular: Order::new(),
            on_sale: Order::new(),
            members: imbl::HashMap::new(),
            materials: Values::default(),
            colors: Values::default(),
            index: SearchIndex::default(),
            variants: imbl::HashMap::new(),
            decided_at: now_ms,
        };
        let ids = rows.products.iter().map(|product| product.id).collect();
        listing.set(ids, rows, now_ms, former)?;
        Ok(listing)
    }

    /// Sets these products to what their rows say; those without rows are removed.
    pub(super) fn set(
        &mut self,
        ids: Vec<Uuid>,
        mut rows: Rows,
        now_ms: i64,
        former: Option<&Self>,
    ) -> Result<(), ListingError> {
        let products = std::mem::take(&mut rows.products);
        let mut products: HashMap<Uuid, ListedProduct> =
            products.into_iter().map(|product| (product.id, product)).collect();
        let mut changes: Vec<(Uuid, Option<SearchDocument>)> = Vec::new();
        for id in ids {
            let made = products.remove(&id).and_then(|product| {
                let path = self.get_category(product.category_id).map(|category| self.path(category))?;
                Listed::new(product, &rows, &path, now_ms)
            });
            let before = self.products.get(&id).cloned();
            let (listed, document) = made.unzip();
            let former = former.and_then(|former| former.products.get(&id)).or(before.as_ref());
            let listed = listed.map(|listed| listed.or_former(former));
            let is_same = match (&before, &listed) {
                (Some(before), Some(listed)) => Arc::ptr_eq(before, listed),
                (before, listed) => before.is_none() && listed.is_none(),
            };
            if !is_same {
                self.replace(id, before.as_deref(), listed);
                changes.push((id, document));
            }
        }
        self.index = self.index.with(changes)?;
        self.decided_at = now_ms;
        Ok(())
    }

    fn replace(&mut self, id: Uuid, before: Option<&Listed>, now: Option<Arc<Listed>>) {
        if let Some(before) = before {
            let popular = (Reverse(before.popularity), id);
            self.newest.remove(&(Reverse(before.released_at), id));
            self.popular.remove(&popular);
            self.on_sale.remove(&popular);
            for category in &before.categories {
                if let Some(members) = self.members.get_mut(category) {
                    members.remove(&popular);
                }
            }
            self.materials.remove(&slug(&before.material), &before.material);
            for color in &before.card.colors {
                self.colors.remove(&slug(&color.label), &(color.label.clone(), color.hex.clone()));
            }
            for variant in &before.variants {
                // It may have moved to another product.
                if self.variants.get(variant) == Some(&id) {
                    self.variants.remove(variant);
                }
            }
        }
        let Some(now) = now else {
            self.products.remove(&id);
            return;
        };
        let popular = (Reverse(now.popularity), id);
        self.newest.insert((Reverse(now.released_at), id));
        self.popular.insert(popular);
        if now.is_on_sale() {
            self.on_sale.insert(popular);
        }
        for category in &now.categories {
            self.members.entry(*category).or_default().insert(popular);
        }
        self.materials.add(slug(&now.material), now.material.clone());
        for color in &now.card.colors {
            self.colors.add(slug(&color.label), (color.label.clone(), color.hex.clone()));
        }
        for variant in &now.variants {
            self.variants.insert(*variant, id);
        }
        self.products.insert(id, now);
    }

    /// Whether staff have edited one of these products since, or it became active, or no longer is.
    fn has_edits(&self, ids: &[Uuid], rows: &Rows) -> bool {
        let updated: HashMap<Uuid, i64> = rows.products.iter().map(|row| (row.id, row.updated_at)).collect();
        let listed = |id: &Uuid| self.products.get(id).map(|listed| listed.updated_at);
        ids.iter().any(|id| listed(id) != updated.get(id).copied())
    }

    /// The products that became new, or no longer are, since that was decided.
    pub fn aged(&self, now_ms: i64) -> impl Iterator<Item = Uuid> {
        let (from, to) = (self.decided_at.min(now_ms), self.decided_at.max(now_ms));
        let released = move |from: i64, to: i64| (Reverse(to), Uuid::nil())..(Reverse(from), Uuid::nil());
        let ended = self.newest.range(released(from.saturating_sub(NEW_FOR_MS), to.saturating_sub(NEW_FOR_MS)));
        self.newest.range(released(from, to)).chain(ended).map(|(_, id)| *id)
    }

    /// What shows something else than with a former listing, which differs at most in these products.
    pub fn topics_since(&self, former: &Self, products: impl IntoIterator<Item = Uuid>) -> Topics {
        if self.categories != former.categories {
            return Topics::everything();
        }
        let mut topics = Topics::default();
        if self.collections != former.collections {
            topics.add([Topic::Cards]);
        }
        for id in products {
            let (before, now) = (former.products.get(&id), self.products.get(&id));
            if before.map(Arc::as_ptr) == now.map(Arc::as_ptr) {
                continue;
            }
            let categories = before.into_iter().chain(now).flat_map(|listed| &listed.categories);
            topics.add([Topic::Cards, Topic::Card(id)]);
            topics.add(categories.map(|category| Topic::Category(*category)));
        }
        topics
    }

    /// The same for any former listing.
    pub fn all_topics_since(&self, former: &Self) -> Topics {
        let gone = former.products.keys().filter(|id| !self.products.contains_key(*id));
        self.topics_since(former, self.products.keys().chain(gone).copied())
    }
}

fn menu_of(categories: &[Category]) -> Menu {
    let children = |parent: Option<Uuid>| categories.iter().filter(move |category| category.parent_id == parent);
    let items = children(None)
        .map(|top| MenuItem {
            label: top.name.clone(),
            href: top.href(),
            children: children(Some(top.id)).map(|child| Link::new(&child.name, child.href())).collect(),
        })
        .collect();
    Menu { items }
}
