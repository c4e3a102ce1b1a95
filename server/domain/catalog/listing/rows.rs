//! The rows of products that a listing is made of.

use std::collections::HashMap;

use shop_base::db::{Conn, DbError};
use shop_platform::web::page::Picture;
use uuid::Uuid;

use crate::catalog::store;
use crate::catalog::store::{ListedColor, ListedProduct, ListedVariant};

/// A statement has a parameter for each product.
const AT_ONCE: usize = 500;

/// Rows of active products.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    pub products: Vec<ListedProduct>,
    /// By product, as are the colors.
    pub variants: HashMap<Uuid, Vec<ListedVariant>>,
    pub colors: HashMap<Uuid, Vec<ListedColor>>,
    /// Cover pictures by product.
    pub covers: HashMap<Uuid, Picture>,
    /// Variants' own pictures by variant.
    pub pictures: HashMap<Uuid, Picture>,
}

impl Rows {
    /// Those of all active products.
    pub async fn all(conn: &mut Conn<'_>) -> Result<Self, DbError> {
        let mut rows = Self::default();
        rows.read(conn, None).await?;
        Ok(rows)
    }

    /// Those of the active products among these.
    pub async fn of(conn: &mut Conn<'_>, products: &[Uuid]) -> Result<Self, DbError> {
        let mut rows = Self::default();
        for products in products.chunks(AT_ONCE) {
            rows.read(conn, Some(products)).await?;
        }
        Ok(rows)
    }

    async fn read(&mut self, conn: &mut Conn<'_>, of: Option<&[Uuid]>) -> Result<(), DbError> {
        for (product, cover) in store::list_products(conn, of).await? {
            self.covers.extend(cover.map(|cover| (product.id, cover)));
            self.products.push(product);
        }
        for (variant, own) in store::list_variants(conn, of).await? {
            self.pictures.extend(own.map(|own| (variant.id, own)));
            self.variants.entry(variant.product_id).or_default().push(variant);
        }
        for color in store::list_colors(conn, of).await? {
            self.colors.entry(color.product_id).or_default().push(color);
        }
        Ok(())
    }
}
