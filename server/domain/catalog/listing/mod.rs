//! The catalog for lists, menus and cards: an in-memory read model. It is built from the database at startup; after a change the next one
//! is derived from it, which shares all that has not changed.

mod listed;
mod making;
mod rows;
#[cfg(test)]
mod tests;
mod values;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use imbl::OrdSet;
use shop_base::db::DbError;
use shop_platform::web::reusable::Reusable;
use uuid::Uuid;

pub use self::listed::{Card, Listed};
pub use self::making::Updated;
use self::values::Values;
use super::model::{Availability, Category, CategoryCard, Menu, Product, ProductCard};
use super::query::KnownValues;
use super::search::{SearchError, SearchIndex};
use super::store::Collection;

/// Why the read model could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ListingError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error("the search index could not be made: {0}")]
    Search(#[from] SearchError),
    #[error("the menu could not be written: {0}")]
    Menu(#[from] serde_json::Error),
    #[error("the read model was not finished: {0}")]
    Unfinished(#[from] tokio::task::JoinError),
}

/// An immutable snapshot of the active catalog. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Listing {
    categories: Arc<[Category]>,
    category_by_slug: Arc<HashMap<String, usize>>,
    pub menu: Reusable<Menu>,
    pub collections: Arc<[Collection]>,
    products: imbl::HashMap<Uuid, Arc<Listed>>,
    newest: Order,
    popular: Order,
    on_sale: Order,
    /// The popular products of a category and its subcategories.
    members: imbl::HashMap<Uuid, Order>,
    materials: Values<String>,
    /// Labels and `#rrggbb`.
    colors: Values<(String, String)>,
    pub index: SearchIndex,
    /// The products of active variants.
    variants: imbl::HashMap<Uuid, Uuid>,
    /// When it was decided which products are new, in UTC milliseconds.
    decided_at: i64,
}

/// Products by a number, the highest first; the id decides between equal ones.
type Order = OrdSet<(Reverse<i64>, Uuid)>;

impl Listing {
    /// The number of products.
    pub fn len(&self) -> usize {
        self.products.len()
    }

    pub fn is_empty(&self) -> bool {
        self.products.is_empty()
    }

    /// The product of an active variant, as of when the listing was made.
    pub fn product_of(&self, variant: Uuid) -> Option<Uuid> {
        self.variants.get(&variant).copied()
    }

    pub fn find_category(&self, slug: &str) -> Option<&Category> {
        self.category_by_slug.get(slug).map(|at| &self.categories[*at])
    }

    pub fn get_category(&self, id: Uuid) -> Option<&Category> {
        self.categories.iter().find(|category| category.id == id)
    }

    /// Children in order; `None` lists the top level.
    pub fn children(&self, parent: Option<Uuid>) -> impl Iterator<Item = &Category> {
        self.categories.iter().filter(move |category| category.parent_id == parent)
    }

    /// From the root down to the category itself.
    pub fn path<'a>(&'a self, category: &'a Category) -> Vec<&'a Category> {
        let mut path = vec![category];
        while let Some(parent) = path.last().and_then(|c| c.parent_id).and_then(|id| self.get_category(id)) {
            if path.iter().any(|seen| seen.id == parent.id) {
                break;
            }
            path.push(parent);
        }
        path.reverse();
        path
    }

    pub fn category_card(&self, category: &Category) -> CategoryCard {
        let members = self.members(category.id);
        CategoryCard {
            name: category.name.clone(),
            href: category.href(),
            description: category.description.clone(),
            count: members.map_or(0, Order::len),
            picture: members
                .and_then(|members| self.products.get(&members.get_min()?.1))
                .map(|first| first.card.picture.clone()),
        }
    }

    pub fn card(&self, id: Uuid) -> Option<&Reusable<ProductCard>> {
        self.products.get(&id).and_then(|listed| listed.card.written())
    }

    pub fn cards<'a>(
        &'a self,
        ids: impl IntoIterator<Item = &'a Uuid>,
    ) -> impl Iterator<Item = &'a Reusable<ProductCard>> {
        ids.into_iter().filter_map(|id| self.card(*id))
    }

    /// The same, of which the first `in_view` are visible without scrolling.
    pub fn screen<'a>(&'a self, ids: &'a [Uuid], in_view: usize) -> impl Iterator<Item = &'a Reusable<ProductCard>> {
        let listed = ids.iter().filter_map(|id| self.products.get(id)).enumerate();
        listed.filter_map(move |(at, listed)| if at < in_view { listed.card.in_view() } else { listed.card.written() })
    }

    /// Latest release first.
    pub fn newest(&self) -> impl Iterator<Item = &Uuid> + Clone {
        self.newest.iter().map(|(_, id)| id)
    }

    /// The products of a category and its subcategories, most popular first.
    fn members(&self, category: Uuid) -> Option<&Order> {
        self.members.get(&category)
    }

    /// The available products of a category, or of all, most popular first.
    pub fn popular(&self, category: Option<&Category>) -> impl Iterator<Item = &Reusable<ProductCard>> {
        let order = category.map_or(Some(&self.popular), |category| self.members(category.id));
        self.available(order.into_iter().flatten().map(|(_, id)| id))
    }

    /// The cards of those that can be bought.
    fn available<'a>(
        &'a self,
        ids: impl IntoIterator<Item = &'a Uuid>,
    ) -> impl Iterator<Item = &'a Reusable<ProductCard>> {
        let listed = ids.into_iter().filter_map(|id| self.products.get(id));
        let available = listed.filter(|listed| listed.card.availability != Availability::OutOfStock);
        available.filter_map(|listed| listed.card.written())
    }

    /// Cards to show a few of: those that can be bought first.
    pub fn shelf<'a>(
        &'a self,
        ids: impl Iterator<Item = &'a Uuid> + Clone,
    ) -> impl Iterator<Item = &'a Reusable<ProductCard>> {
        let sold_out = self.cards(ids.clone()).filter(|card| card.availability == Availability::OutOfStock);
        self.available(ids).chain(sold_out)
    }

    /// Available products to recommend with a product: first known related ones, then popular ones of its category, of those above it, and of
    /// all.
    pub fn related<'a>(&'a self, product: &'a Product) -> impl Iterator<Item = &'a Reusable<ProductCard>> {
        let path = self.get_category(product.category_id).map(|category| self.path(category)).unwrap_or_default();
        let near = path.into_iter().rev().flat_map(|category| self.popular(Some(category)));
        let mut seen = HashSet::from([product.id]);
        self.available(&product.related).chain(near).chain(self.popular(None)).filter(move |card| seen.insert(card.id))
    }

    /// Most popular first.
    pub fn on_sale(&self) -> impl Iterator<Item = &Uuid> + Clone {
        self.on_sale.iter().map(|(_, id)| id)
    }

    /// The label of a material.
    pub fn material(&self, slug: &str) -> Option<&str> {
        self.materials.find(slug).map(String::as_str)
    }

    /// The label of a color and its `#rrggbb`.
    pub fn color(&self, slug: &str) -> Option<(&str, &str)> {
        self.colors.find(slug).map(|(label, hex)| (label.as_str(), hex.as_str()))
    }

    pub fn categories(&self) -> &[Category] {
        &self.categories
    }

    /// All products, latest release first.
    pub fn listed(&self) -> impl Iterator<Item = &Arc<Listed>> {
        self.newest().filter_map(|id| self.products.get(id))
    }
}

impl KnownValues for Listing {
    fn category(&self, slug: &str) -> bool {
        self.category_by_slug.contains_key(slug)
    }

    fn material(&self, slug: &str) -> bool {
        self.material(slug).is_some()
    }

    fn color(&self, slug: &str) -> bool {
        self.color(slug).is_some()
    }
}
