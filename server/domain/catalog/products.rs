//! Products as their pages show them. They are kept in memory for as long as nothing has changed that they were made of.

use std::ops::Deref;
use std::sync::Arc;

use moka::sync::Cache;
use serde::Serialize;
use shop_base::db::DbError;
use shop_platform::web::reusable::Reusable;

use super::changes::Moment;
use super::model::{Product, ProductGallery, ProductStory};
use crate::compliance::model::Restriction;

/// Of some 10 KB each.
const MAX_PRODUCTS: u64 = 2_000;

/// An active product as its page shows it. What of it is the same as before a change keeps its HTML.
#[derive(Debug)]
pub struct ShownProduct {
    product: Product,
    pub story: Reusable<ProductStory>,
    pub gallery: Reusable<ProductGallery>,
    /// Who may buy it, how it travels, and where it cannot be shipped.
    pub restriction: Restriction,
    /// When it was read.
    pub(super) read: Moment,
}

impl Deref for ShownProduct {
    type Target = Product;

    fn deref(&self) -> &Product {
        &self.product
    }
}

impl ShownProduct {
    fn new(product: Product, restriction: Restriction, read: Moment, former: Option<&Self>) -> Result<Self, DbError> {
        let pictures = product.images.iter().map(|image| image.picture.clone()).collect();
        Ok(Self {
            story: reusable(product.story.clone(), former.map(|former| &former.story))?,
            gallery: reusable(ProductGallery { pictures }, former.map(|former| &former.gallery))?,
            restriction,
            product,
            read,
        })
    }
}

fn reusable<T: PartialEq + Serialize>(value: T, former: Option<&Reusable<T>>) -> Result<Reusable<T>, DbError> {
    match former.filter(|former| ***former == value) {
        Some(former) => Ok(former.clone()),
        None => Reusable::new(value).map_err(|_| DbError::Inconsistent("a product cannot be written as JSON")),
    }
}

/// By handle.
#[derive(Debug)]
pub struct ShownProducts(Cache<String, Arc<ShownProduct>>);

impl Default for ShownProducts {
    fn default() -> Self {
        Self(Cache::new(MAX_PRODUCTS))
    }
}

impl ShownProducts {
    /// As it was read last.
    pub fn get(&self, handle: &str) -> Option<Arc<ShownProduct>> {
        self.0.get(handle)
    }

    pub fn insert(
        &self,
        product: Product,
        restriction: Restriction,
        read: Moment,
    ) -> Result<Arc<ShownProduct>, DbError> {
        let former = self.0.get(&product.handle);
        let shown = Arc::new(ShownProduct::new(product, restriction, read, former.as_deref())?);
        self.0.insert(shown.handle.clone(), Arc::clone(&shown));
        Ok(shown)
    }

    pub fn remove(&self, handle: &str) {
        self.0.invalidate(handle);
    }
}
