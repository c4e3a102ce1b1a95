//! The demonstration catalog as its files define it.

use serde::Deserialize;
use shop_domain::catalog::model::Detail;

const CATEGORIES: &str = include_str!("catalog/categories.json");
const PRODUCTS: [&str; 6] = [
    include_str!("catalog/products/pipes.json"),
    include_str!("catalog/products/pipe-care.json"),
    include_str!("catalog/products/cigar.json"),
    include_str!("catalog/products/fire.json"),
    include_str!("catalog/products/rolling.json"),
    include_str!("catalog/products/house.json"),
];
const COLLECTIONS: &str = include_str!("catalog/collections.json");

#[derive(Debug)]
pub struct Catalog {
    pub categories: Vec<Category>,
    pub collections: Vec<Collection>,
    pub products: Vec<Product>,
}

#[derive(Debug, Deserialize)]
pub struct Category {
    pub slug: String,
    pub name: String,
    pub parent: Option<String>,
    pub description: String,
    pub position: i64,
}

#[derive(Debug, Deserialize)]
pub struct Collection {
    pub handle: String,
    pub title: String,
    pub description: String,
    pub products: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub struct Product {
    pub handle: String,
    pub title: String,
    pub subtitle: String,
    pub category: String,
    pub description: Vec<String>,
    pub highlights: Vec<String>,
    pub details: Vec<Detail>,
    pub material: String,
    pub compliance_class: String,
    pub illustration: String,
    pub options: Vec<ProductOption>,
    pub variants: Vec<Variant>,
    pub related: Vec<String>,
    pub released_days_ago: i64,
    pub popularity: i64,
}

#[derive(Debug, Deserialize)]
pub struct ProductOption {
    pub name: String,
    pub values: Vec<OptionValue>,
}

#[derive(Debug, Deserialize)]
pub struct OptionValue {
    pub value: String,
    pub hex: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Variant {
    pub options: Vec<String>,
    pub sku: String,
    pub price: i64,
    pub compare_at_price: Option<i64>,
    pub stock: i64,
    pub weight_grams: i64,
}

impl Catalog {
    pub fn read() -> Result<Self, serde_json::Error> {
        let mut products = Vec::new();
        for file in PRODUCTS {
            products.extend(serde_json::from_str::<Vec<Product>>(file)?);
        }
        Ok(Self {
            categories: serde_json::from_str(CATEGORIES)?,
            collections: serde_json::from_str(COLLECTIONS)?,
            products,
        })
    }
}
