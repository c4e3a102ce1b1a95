//! The catalogue as lists, menus and cards need it: a read model in memory, made from the database in one go. At 20,000
//! products it takes tens of megabytes and answers a filtered list in about a millisecond.

use std::collections::{BTreeMap, HashMap};

use uuid::Uuid;

use super::model::{Availability, Badge, Category, CategoryCard, Colour, NEW_FOR_MS, ProductCard, StockLevel};
use super::query::{KnownValues, slug};
use super::search::{SearchDocument, SearchError, SearchIndex};
use super::store::{self, Collection, ListedColour, ListedProduct, ListedVariant};
use crate::db::{Conn, DbError};
use crate::money::Money;
use crate::web::page::Picture;

/// Why the read model could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ListingError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error("the search index could not be built: {0}")]
    Search(#[from] SearchError),
    #[error("the read model was not finished: {0}")]
    Unfinished(#[from] tokio::task::JoinError),
}

/// An immutable picture of the active catalogue.
#[derive(Debug)]
pub struct Listing {
    categories: Vec<Category>,
    category_by_slug: HashMap<String, usize>,
    cards: HashMap<Uuid, ListedCard>,
    /// Products by category, descendants' included, most popular first.
    members: HashMap<Uuid, Vec<Uuid>>,
    newest: Vec<Uuid>,
    on_sale: Vec<Uuid>,
    pub collections: Vec<Collection>,
    /// Facet labels by slug.
    materials: BTreeMap<String, String>,
    colours: BTreeMap<String, Colour>,
    pub index: SearchIndex,
}

#[derive(Debug)]
pub struct ListedCard {
    pub card: ProductCard,
    pub updated_at: i64,
}

impl Listing {
    /// Reads the whole active catalogue. `now_ms` decides what is new.
    pub async fn load(conn: &mut Conn<'_>, now_ms: i64) -> Result<Self, ListingError> {
        let categories = store::list_categories(conn).await?;
        let products = store::list_products(conn).await?;
        let variants = group(store::list_variants(conn).await?, |variant| variant.product_id);
        let colours = group(store::list_colours(conn).await?, |colour| colour.product_id);
        let pictures: HashMap<Uuid, Picture> = store::list_cover_images(conn)
            .await?
            .into_iter()
            .map(|image| (image.product_id, image.picture()))
            .collect();
        let collections = store::list_collections(conn).await?;
        // Indexing thousands of products takes long enough to hold up other requests.
        let made = tokio::task::spawn_blocking(move || {
            Self::new(categories, products, &variants, &colours, &pictures, collections, now_ms)
        });
        Ok(made.await??)
    }

    fn new(
        categories: Vec<Category>,
        products: Vec<ListedProduct>,
        variants: &HashMap<Uuid, Vec<ListedVariant>>,
        colours: &HashMap<Uuid, Vec<ListedColour>>,
        pictures: &HashMap<Uuid, Picture>,
        collections: Vec<Collection>,
        now_ms: i64,
    ) -> Result<Self, SearchError> {
        let mut listing = Self {
            category_by_slug: categories.iter().enumerate().map(|(at, c)| (c.slug.clone(), at)).collect(),
            categories,
            cards: HashMap::new(),
            members: HashMap::new(),
            newest: Vec::new(),
            on_sale: Vec::new(),
            collections,
            materials: BTreeMap::new(),
            colours: BTreeMap::new(),
            index: SearchIndex::build(Vec::new())?,
        };
        let mut documents = Vec::with_capacity(products.len());
        let mut by_popularity: Vec<&ListedProduct> = products.iter().collect();
        by_popularity.sort_by_key(|product| (std::cmp::Reverse(product.popularity), product.id));
        for product in by_popularity {
            // A product without a variant cannot be bought, one without a picture cannot be shown.
            let (Some(variants), Some(picture)) = (variants.get(&product.id), pictures.get(&product.id)) else {
                continue;
            };
            let colours = colours.get(&product.id).map_or(&[][..], Vec::as_slice);
            documents.extend(listing.add(product, variants, colours, picture, now_ms));
        }
        let mut released: Vec<&ListedProduct> = products.iter().collect();
        released.sort_by_key(|product| (std::cmp::Reverse(product.released_at), product.id));
        listing.newest =
            released.iter().map(|product| product.id).filter(|id| listing.cards.contains_key(id)).collect();
        listing.index = SearchIndex::build(documents)?;
        Ok(listing)
    }

    fn add(
        &mut self,
        product: &ListedProduct,
        variants: &[ListedVariant],
        colours: &[ListedColour],
        picture: &Picture,
        now_ms: i64,
    ) -> Option<SearchDocument> {
        let cheapest = variants.iter().min_by_key(|variant| variant.price)?;
        let category = self.categories.iter().find(|category| category.id == product.category_id)?;
        let path: Vec<Category> = self.path(category).into_iter().cloned().collect();
        let on_sale = variants.iter().any(|variant| variant.compare_at_price.is_some());
        let availability = availability(variants);
        let is_new = product.released_at <= now_ms && now_ms - product.released_at < NEW_FOR_MS;
        let colours: Vec<Colour> =
            colours.iter().map(|c| Colour { label: c.value.clone(), hex: c.hex.clone() }).collect();
        let card = ProductCard {
            id: product.id,
            title: product.title.clone(),
            href: format!("/product/{}", product.handle),
            category: category.name.clone(),
            price: Money { amount: cheapest.price, currency: cheapest.currency.clone() },
            compare_at_price: cheapest
                .compare_at_price
                .map(|amount| Money { amount, currency: cheapest.currency.clone() }),
            price_varies: variants.iter().any(|variant| variant.price != cheapest.price),
            picture: picture.clone(),
            availability,
            badge: match (on_sale, is_new) {
                (true, _) => Some(Badge::Sale),
                (false, true) => Some(Badge::New),
                (false, false) => None,
            },
            colours: colours.clone(),
        };
        let category_name = category.name.clone();
        self.cards.insert(product.id, ListedCard { card, updated_at: product.updated_at });
        for category in &path {
            self.members.entry(category.id).or_default().push(product.id);
        }
        if on_sale {
            self.on_sale.push(product.id);
        }
        self.materials.insert(slug(&product.material), product.material.clone());
        for colour in &colours {
            self.colours.entry(slug(&colour.label)).or_insert_with(|| colour.clone());
        }
        Some(SearchDocument {
            id: product.id,
            title: product.title.clone(),
            subtitle: product.subtitle.clone(),
            description: product.description.clone(),
            category_name,
            categories: path.iter().map(|category| category.slug.clone()).collect(),
            materials: vec![product.material.clone()],
            colours: colours.into_iter().map(|colour| colour.label).collect(),
            skus: variants.iter().map(|variant| variant.sku.clone()).collect(),
            price: cheapest.price,
            on_sale,
            availability,
            released_at: product.released_at,
            popularity: product.popularity,
        })
    }

    pub fn find_category(&self, slug: &str) -> Option<&Category> {
        self.category_by_slug.get(slug).map(|at| &self.categories[*at])
    }

    pub fn get_category(&self, id: Uuid) -> Option<&Category> {
        self.categories.iter().find(|category| category.id == id)
    }

    /// Children in order; `None` lists the top of the tree.
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
        let members = self.members.get(&category.id).map_or(&[][..], Vec::as_slice);
        CategoryCard {
            name: category.name.clone(),
            href: category.href(),
            description: category.description.clone(),
            count: members.len(),
            picture: members.first().and_then(|id| self.card(*id)).map(|card| card.picture.clone()),
        }
    }

    pub fn card(&self, id: Uuid) -> Option<&ProductCard> {
        self.cards.get(&id).map(|listed| &listed.card)
    }

    pub fn cards<'a>(&'a self, ids: &'a [Uuid]) -> impl Iterator<Item = &'a ProductCard> {
        ids.iter().filter_map(|id| self.card(*id))
    }

    /// Latest release first.
    pub fn newest(&self) -> &[Uuid] {
        &self.newest
    }

    /// Most popular first.
    pub fn on_sale(&self) -> &[Uuid] {
        &self.on_sale
    }

    pub fn material(&self, slug: &str) -> Option<&str> {
        self.materials.get(slug).map(String::as_str)
    }

    pub fn colour(&self, slug: &str) -> Option<&Colour> {
        self.colours.get(slug)
    }

    pub fn categories(&self) -> &[Category] {
        &self.categories
    }

    pub fn listed(&self) -> impl Iterator<Item = &ListedCard> {
        self.newest.iter().filter_map(|id| self.cards.get(id))
    }
}

impl KnownValues for Listing {
    fn category(&self, slug: &str) -> bool {
        self.category_by_slug.contains_key(slug)
    }

    fn material(&self, slug: &str) -> bool {
        self.materials.contains_key(slug)
    }

    fn colour(&self, slug: &str) -> bool {
        self.colours.contains_key(slug)
    }
}

/// A product is as available as the best of its variants.
fn availability(variants: &[ListedVariant]) -> Availability {
    let levels = variants.iter().map(|variant| {
        let ListedVariant { on_hand, reserved, low_stock_threshold, .. } = *variant;
        StockLevel { on_hand, reserved, low_stock_threshold }.availability()
    });
    levels.min().unwrap_or(Availability::OutOfStock)
}

fn group<T>(rows: Vec<T>, key: impl Fn(&T) -> Uuid) -> HashMap<Uuid, Vec<T>> {
    let mut groups: HashMap<Uuid, Vec<T>> = HashMap::new();
    for row in rows {
        groups.entry(key(&row)).or_default().push(row);
    }
    groups
}
