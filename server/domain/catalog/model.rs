//! The catalog's types and rules. No SQL, no HTTP.

use std::ops::Not;

use serde::{Deserialize, Serialize, Serializer};
use shop_base::money::Money;
use shop_platform::web::page::{Link, Picture};
use utoipa::ToSchema;
use uuid::Uuid;

/// How long a product counts as new.
pub const NEW_FOR_MS: i64 = 60 * 24 * 60 * 60 * 1000;

/// The maximum quantity of one variant in a cart, however much is in stock.
pub const MAX_QUANTITY: i64 = 10;

/// Stock status as shown to shoppers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Ord, PartialOrd, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Availability {
    InStock,
    LowStock,
    OutOfStock,
}

impl Availability {
    pub const ALL: [Self; 3] = [Self::InStock, Self::LowStock, Self::OutOfStock];

    /// From the available quantity and the threshold for low stock.
    pub fn of(available: i64, low_stock_threshold: i64) -> Self {
        match available {
            ..=0 => Self::OutOfStock,
            left if left <= low_stock_threshold => Self::LowStock,
            _ => Self::InStock,
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference to the field")]
    fn is_usual(&self) -> bool {
        *self == Self::InStock
    }

    pub fn value(self) -> &'static str {
        match self {
            Self::InStock => "in_stock",
            Self::LowStock => "low_stock",
            Self::OutOfStock => "out_of_stock",
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::InStock => "In stock",
            Self::LowStock => "Low stock",
            Self::OutOfStock => "Out of stock",
        }
    }

    pub fn parse(value: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|availability| availability.value() == value)
    }
}

/// The stock of one variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StockLevel {
    pub on_hand: i64,
    pub reserved: i64,
    pub low_stock_threshold: i64,
}

impl StockLevel {
    pub fn available(self) -> i64 {
        self.on_hand - self.reserved
    }

    pub fn availability(self) -> Availability {
        Availability::of(self.available(), self.low_stock_threshold)
    }

    /// The available quantity, only if it is low.
    pub fn left(self) -> Option<i64> {
        (self.availability() == Availability::LowStock).then(|| self.available())
    }

    /// The maximum quantity in a cart.
    pub fn max_quantity(self) -> i64 {
        self.available().clamp(0, MAX_QUANTITY)
    }
}

/// A node of the category tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Category {
    pub id: Uuid,
    pub parent_id: Option<Uuid>,
    pub slug: String,
    pub name: String,
    pub description: String,
    pub updated_at: i64,
}

impl Category {
    pub fn href(&self) -> String {
        format!("/category/{}", self.slug)
    }
}

/// A row of a details table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Detail {
    pub label: String,
    pub value: String,
}

/// What is told of a product.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProductStory {
    /// One element per paragraph.
    pub description: Vec<String>,
    pub highlights: Vec<String>,
    pub details: Vec<Detail>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProductGallery {
    pub pictures: Vec<Picture>,
}

/// A product with everything that its page shows, read from the database.
#[derive(Clone, Debug)]
pub struct Product {
    pub id: Uuid,
    pub handle: String,
    pub title: String,
    pub subtitle: String,
    pub story: ProductStory,
    pub category_id: Uuid,
    pub material: String,
    pub compliance_class: String,
    /// Legal requirements for buyers.
    pub restriction: String,
    /// If empty, the title is used.
    pub seo_title: String,
    /// If empty, the first paragraph is used.
    pub seo_description: String,
    pub images: Vec<ProductImage>,
    pub options: Vec<ProductOption>,
    pub variants: Vec<ProductVariant>,
    pub related: Vec<Uuid>,
    pub updated_at: i64,
}

#[derive(Clone, Debug)]
pub struct ProductImage {
    pub id: Uuid,
    pub picture: Picture,
}

/// A dimension in which the variants differ, such as the color.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProductOption {
    pub name: String,
    pub values: Vec<OptionValue>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OptionValue {
    pub value: String,
    /// `#rrggbb` if the value is a color.
    pub hex: Option<String>,
}

/// A purchasable item: a sku with its own price and stock.
#[derive(Clone, Debug)]
pub struct ProductVariant {
    pub id: Uuid,
    pub sku: String,
    pub title: String,
    /// One value per option of the product, in the order of the options.
    pub options: Vec<String>,
    pub price: Money,
    pub compare_at_price: Option<Money>,
    pub stock: StockLevel,
    pub image_id: Option<Uuid>,
}

/// A variant for carts and orders, with current price and stock.
#[derive(Clone, Debug)]
pub struct Sellable {
    pub id: Uuid,
    pub sku: String,
    pub title: String,
    pub variant_title: String,
    pub href: String,
    pub picture: Picture,
    pub price: i64,
    pub compare_at_price: Option<i64>,
    pub weight_grams: i64,
    pub compliance_class: String,
    pub stock: StockLevel,
}

/// A product as shown in lists. A list has many, so they leave out what is false or empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProductCard {
    #[serde(skip)]
    pub id: Uuid,
    pub title: String,
    pub href: String,
    pub category: String,
    /// The price of the variant shown on the card: the cheapest reduced one, otherwise the cheapest. In US cents.
    #[serde(serialize_with = "cents")]
    #[schema(value_type = i64)]
    pub price: Money,
    /// The former price of that variant. In US cents.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "some_cents")]
    #[schema(value_type = Option<i64>)]
    pub compare_at_price: Option<Money>,
    /// Other variants cost more, and none costs less.
    #[serde(skip_serializing_if = "Not::not")]
    #[schema(required = false)]
    pub price_varies: bool,
    #[serde(serialize_with = "without_size")]
    #[schema(value_type = CardPicture<'_>)]
    pub picture: Picture,
    #[serde(skip_serializing_if = "Availability::is_usual")]
    #[schema(required = false)]
    pub availability: Availability,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub badge: Option<Badge>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub colors: Vec<Color>,
    /// Visible without scrolling: its picture loads at once.
    #[serde(skip_serializing_if = "Not::not")]
    #[schema(required = false)]
    pub in_view: bool,
}

fn cents<S: Serializer>(money: &Money, serializer: S) -> Result<S::Ok, S::Error> {
    money.amount.serialize(serializer)
}

#[expect(clippy::ref_option, reason = "serde calls it with a reference to the field")]
fn some_cents<S: Serializer>(money: &Option<Money>, serializer: S) -> Result<S::Ok, S::Error> {
    money.as_ref().map(|money| money.amount).serialize(serializer)
}

/// A picture that is shown as a square, whatever its own size.
#[derive(Debug, Serialize, ToSchema)]
pub struct CardPicture<'a> {
    pub src: &'a str,
    pub alt: &'a str,
}

fn without_size<S: Serializer>(picture: &Picture, serializer: S) -> Result<S::Ok, S::Error> {
    CardPicture { src: &picture.src, alt: &picture.alt }.serialize(serializer)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Badge {
    New,
    Sale,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Color {
    pub label: String,
    pub hex: String,
    /// Available at a reduced price.
    #[serde(skip_serializing_if = "Not::not")]
    #[schema(required = false)]
    pub reduced: bool,
}

/// A category as a link card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CategoryCard {
    pub name: String,
    pub href: String,
    pub description: String,
    /// Number of products in it and its subcategories.
    pub count: usize,
    pub picture: Option<Picture>,
}

/// The categories as the header and the footer show them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Menu {
    /// The top level, in order.
    pub items: Vec<MenuItem>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct MenuItem {
    pub label: String,
    pub href: String,
    pub children: Vec<Link>,
}

/// A path from the root of the category tree, for breadcrumbs.
pub fn breadcrumbs(path: &[&Category]) -> Vec<Link> {
    let shop = [Link::new("Shop", "/products")];
    shop.into_iter().chain(path.iter().map(|category| Link::new(&category.name, category.href()))).collect()
}

/// The address of a product's page with one of its variants chosen.
pub fn variant_href(path: &str, sku: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("variant", sku).finish();
    format!("{path}?{query}")
}

/// Where a retired path leads.
#[derive(Debug, PartialEq, Eq)]
pub enum RetiredPath {
    Moved(String),
    Gone,
}
