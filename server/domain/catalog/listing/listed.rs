//! A product as lists show it: its card, and what it is found and sorted by.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use shop_base::money::Money;
use shop_platform::web::reusable::Reusable;
use uuid::Uuid;

use super::rows::Rows;
use crate::catalog::model::{Availability, Badge, Category, Color, NEW_FOR_MS, ProductCard, StockLevel, variant_href};
use crate::catalog::search::SearchDocument;
use crate::catalog::store::{ListedColor, ListedProduct, ListedVariant};

/// A listed product.
#[derive(Debug)]
pub struct Listed {
    pub card: Arc<Card>,
    /// The path of the product's page, without a variant.
    pub path: String,
    pub updated_at: i64,
    pub released_at: i64,
    pub popularity: i64,
    /// From the root down to its category.
    pub categories: Vec<Uuid>,
    pub material: String,
    /// The active ones.
    pub variants: Vec<Uuid>,
    /// A hash of all that it is found by.
    document: u64,
}

/// A card, written only when a page shows it: most products are on none.
#[derive(Debug)]
pub struct Card {
    card: Arc<ProductCard>,
    written: OnceLock<Option<Reusable<ProductCard>>>,
    in_view: OnceLock<Option<Reusable<ProductCard>>>,
}

impl Card {
    fn new(card: ProductCard) -> Self {
        Self { card: Arc::new(card), written: OnceLock::new(), in_view: OnceLock::new() }
    }

    /// None if it cannot be written, which no card is.
    pub fn written(&self) -> Option<&Reusable<ProductCard>> {
        self.written.get_or_init(|| Reusable::of(Arc::clone(&self.card)).ok()).as_ref()
    }

    /// The same, visible without scrolling.
    pub fn in_view(&self) -> Option<&Reusable<ProductCard>> {
        let in_view = || Reusable::new(ProductCard { in_view: true, ..ProductCard::clone(&self.card) }).ok();
        self.in_view.get_or_init(in_view).as_ref()
    }
}

impl Deref for Card {
    type Target = ProductCard;

    fn deref(&self) -> &ProductCard {
        &self.card
    }
}

impl Listed {
    /// `path` leads to the product's category. None if it cannot be bought, having no variant, or not be shown, having no picture.
    pub fn new(product: ListedProduct, rows: &Rows, path: &[&Category], now_ms: i64) -> Option<(Self, SearchDocument)> {
        let category = path.last()?;
        let Shown { variant, variants, is_default, varies } = Shown::of(rows.variants.get(&product.id)?)?;
        // The cover stands for the product's first variant. Any other has its own picture, also where the page shows it by default.
        let is_first = variants.first().is_some_and(|first| first.id == variant.id);
        let own = rows.pictures.get(&variant.id).filter(|_| !is_first);
        let picture = own.or_else(|| rows.covers.get(&product.id))?;
        let on_sale = variant.compare_at_price.is_some();
        let availability = availability(variants);
        let money = |amount| Money { amount, currency: variant.currency.clone() };
        let page = format!("/product/{}", product.handle);
        let colors = colors(rows.colors.get(&product.id).map_or(&[][..], Vec::as_slice));
        let card = ProductCard {
            id: product.id,
            title: product.title.clone(),
            href: if is_default { page.clone() } else { variant_href(&page, &variant.sku) },
            category: category.name.clone(),
            price: money(variant.price),
            compare_at_price: variant.compare_at_price.map(money),
            price_varies: varies,
            picture: picture.clone(),
            availability,
            badge: match (on_sale, is_new(product.released_at, now_ms)) {
                (true, _) => Some(Badge::Sale),
                (false, true) => Some(Badge::New),
                (false, false) => None,
            },
            colors: colors.clone(),
            in_view: false,
        };
        let document = SearchDocument {
            id: product.id,
            title: product.title,
            subtitle: product.subtitle,
            description: product.description,
            category_name: category.name.clone(),
            categories: path.iter().map(|category| category.slug.clone()).collect(),
            materials: vec![product.material.clone()],
            colors: colors.into_iter().map(|color| color.label).collect(),
            skus: variants.iter().map(|variant| variant.sku.clone()).collect(),
            price: variant.price,
            on_sale,
            availability,
            released_at: product.released_at,
            popularity: product.popularity,
        };
        let listed = Self {
            card: Arc::new(Card::new(card)),
            path: page,
            updated_at: product.updated_at,
            released_at: product.released_at,
            popularity: product.popularity,
            categories: path.iter().map(|category| category.id).collect(),
            material: product.material,
            variants: variants.iter().map(|variant| variant.id).collect(),
            document: {
                let mut hasher = DefaultHasher::new();
                document.hash(&mut hasher);
                hasher.finish()
            },
        };
        Some((listed, document))
    }

    /// This product, or the former one if it is the same. The same card keeps its HTML.
    pub fn or_former(self, former: Option<&Arc<Self>>) -> Arc<Self> {
        let Some(former) = former.filter(|former| **former.card == **self.card) else { return Arc::new(self) };
        let Self { card: _, path, updated_at, released_at, popularity, categories, material, variants, document } =
            &self;
        let is_same = *path == former.path
            && *updated_at == former.updated_at
            && *released_at == former.released_at
            && *popularity == former.popularity
            && *categories == former.categories
            && *material == former.material
            && *variants == former.variants
            && *document == former.document;
        if is_same { Arc::clone(former) } else { Arc::new(Self { card: Arc::clone(&former.card), ..self }) }
    }

    pub fn is_on_sale(&self) -> bool {
        self.card.compare_at_price.is_some()
    }
}

/// Each once: two options of a product may have the same color.
fn colors(listed: &[ListedColor]) -> Vec<Color> {
    let mut colors: Vec<Color> = Vec::new();
    for ListedColor { value, hex, reduced, .. } in listed {
        match colors.iter_mut().find(|color| color.label == *value) {
            Some(color) => color.reduced |= *reduced,
            None => colors.push(Color { label: value.clone(), hex: hex.clone(), reduced: *reduced }),
        }
    }
    colors
}

fn is_new(released_at: i64, now_ms: i64) -> bool {
    released_at <= now_ms && now_ms - released_at < NEW_FOR_MS
}

/// The variant that represents a product where only one is shown.
struct Shown<'a> {
    variant: &'a ListedVariant,
    variants: &'a [ListedVariant],
    /// The product's page shows this variant by default.
    is_default: bool,
    /// It is the cheapest, and other variants cost more.
    varies: bool,
}

impl<'a> Shown<'a> {
    /// Among the available variants, the cheapest reduced one, otherwise the cheapest. The product page shows the same price.
    fn of(variants: &'a [ListedVariant]) -> Option<Self> {
        let mut offered: Vec<&ListedVariant> =
            variants.iter().filter(|variant| variant.on_hand > variant.reserved).collect();
        if offered.is_empty() {
            offered = variants.iter().collect();
        }
        let default = offered.first().copied()?;
        // On equal prices the default variant wins.
        let cheapest = offered.iter().copied().min_by_key(|variant| variant.price)?;
        let reduced = offered.iter().copied().filter(|variant| variant.compare_at_price.is_some());
        let variant = reduced.min_by_key(|variant| variant.price).unwrap_or(cheapest);
        let varies = variant.price == cheapest.price && offered.iter().any(|other| other.price != variant.price);
        Some(Self { variant, variants, is_default: variant.id == default.id, varies })
    }
}

/// A product's availability is that of its best available variant.
fn availability(variants: &[ListedVariant]) -> Availability {
    let levels = variants.iter().map(|variant| {
        let ListedVariant { on_hand, reserved, low_stock_threshold, .. } = *variant;
        StockLevel { on_hand, reserved, low_stock_threshold }.availability()
    });
    levels.min().unwrap_or(Availability::OutOfStock)
}
