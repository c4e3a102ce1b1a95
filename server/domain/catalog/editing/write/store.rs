//! SQL that writes products, many rows per statement.

use shop_base::db::{Conn, DbError, decoded};
use shop_base::sql;
use uuid::Uuid;

use super::Positions;
use crate::catalog::editing::model::{PictureContent, ProductContent, StoredProduct, VariantContent};
use crate::catalog::model::ProductOption;

const CURRENCY: &str = "USD";
/// Rows per statement: SQLite allows 32,766 parameters.
const AT_ONCE: usize = 1_000;

/// The text and JSON columns of a product.
struct Texts {
    description: String,
    highlights: String,
    details: String,
}

impl Texts {
    fn of(content: &ProductContent) -> Result<Self, DbError> {
        Ok(Self {
            description: content.description.join("\n\n"),
            highlights: decoded("highlights", serde_json::to_string(&content.highlights))?,
            details: decoded("details", serde_json::to_string(&content.details))?,
        })
    }
}

/// A product row.
pub struct ProductRow<'a> {
    pub id: Uuid,
    /// None for a new product.
    pub before: Option<&'a StoredProduct>,
    pub content: &'a ProductContent,
    /// UTC milliseconds; 0 if it was never visible to shoppers.
    pub released_at: i64,
    /// Positions in collections that it is to join again.
    pub places: Option<&'a Positions>,
}

/// The staff-editable columns of a product, in the order of the statements below.
macro_rules! push_product {
    ($row:ident, $product:expr, $texts:expr, $now:expr) => {
        $row.push_bind($product.id)
            .push_bind(&$product.content.handle)
            .push_bind(&$product.content.title)
            .push_bind(&$product.content.subtitle)
            .push_bind(&$texts.description)
            .push_bind(&$texts.highlights)
            .push_bind(&$texts.details)
            .push_bind($product.content.category_id)
            .push_bind(&$product.content.material)
            .push_bind(&$product.content.compliance_class)
            .push_bind(&$product.content.seo_title)
            .push_bind(&$product.content.seo_description)
            .push_bind($product.content.status.text())
            .push_bind($product.content.publish_at)
            .push_bind($product.released_at)
            .push_bind($now)
    };
}

/// Inserts the new products.
pub async fn insert_products(conn: &mut Conn<'_>, rows: &[ProductRow<'_>], now: i64) -> Result<(), DbError> {
    const SQL: &str =
        "INSERT INTO products (id, handle, title, subtitle, description, highlights, details, category_id, material,
        compliance_class, seo_title, seo_description, status, publish_at, released_at, updated_at, popularity, version) ";
    let rows = with_texts(rows.iter().filter(|row| row.before.is_none()))?;
    for rows in rows.chunks(AT_ONCE) {
        sql!(&mut *conn, c => sqlx::QueryBuilder::new(SQL)
            .push_values(rows, |mut row, (product, texts)| {
                push_product!(row, product, texts, now).push_bind(0_i64).push_bind(1_i64);
            })
            .build().persistent(false).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// Updates the columns of existing products and increments their versions. Not done with `ON CONFLICT`: PostgreSQL would then block orders
/// from referring to a row whose key might change.
pub async fn update_products(conn: &mut Conn<'_>, rows: &[ProductRow<'_>], now: i64) -> Result<(), DbError> {
    const WITH: &str =
        "WITH wanted (id, handle, title, subtitle, description, highlights, details, category_id, material,
        compliance_class, seo_title, seo_description, status, publish_at, released_at, updated_at) AS (";
    const UPDATE: &str =
        ") UPDATE products SET handle = wanted.handle, title = wanted.title, subtitle = wanted.subtitle,
        description = wanted.description, highlights = wanted.highlights, details = wanted.details,
        category_id = wanted.category_id, material = wanted.material, compliance_class = wanted.compliance_class,
        seo_title = wanted.seo_title, seo_description = wanted.seo_description, status = wanted.status,
        publish_at = wanted.publish_at, released_at = wanted.released_at, updated_at = wanted.updated_at,
        version = products.version + 1 FROM wanted WHERE products.id = wanted.id";
    let rows = with_texts(rows.iter().filter(|row| row.before.is_some()))?;
    for rows in rows.chunks(AT_ONCE) {
        sql!(&mut *conn, c => sqlx::QueryBuilder::new(WITH)
            .push_values(rows, |mut row, (product, texts)| { push_product!(row, product, texts, now); })
            .push(UPDATE).build().persistent(false).execute(c).await.map(drop))?;
    }
    Ok(())
}

fn with_texts<'a, 'b>(
    rows: impl Iterator<Item = &'a ProductRow<'b>>,
) -> Result<Vec<(&'a ProductRow<'b>, Texts)>, DbError>
where
    'b: 'a,
{
    rows.map(|row| Ok((row, Texts::of(row.content)?))).collect()
}

/// Redirects an old path to a new one, or says that it is gone for good, along with every path that led to the old one.
pub async fn retire_path(conn: &mut Conn<'_>, path: &str, target: Option<&str>) -> Result<(), DbError> {
    const FOLLOW: &str = "UPDATE retired_paths SET target = $2 WHERE target = $1";
    put_retired_path(conn, path, target).await?;
    sql!(conn, c => sqlx::query(FOLLOW).bind(path).bind(target).execute(c).await.map(drop))?;
    Ok(())
}

/// Says that a path is gone until it is restored. Paths that lead to it still do.
pub async fn suspend_path(conn: &mut Conn<'_>, path: &str) -> Result<(), DbError> {
    put_retired_path(conn, path, None).await
}

async fn put_retired_path(conn: &mut Conn<'_>, path: &str, target: Option<&str>) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO retired_paths (path, target) VALUES ($1, $2)
        ON CONFLICT (path) DO UPDATE SET target = excluded.target";
    sql!(conn, c => sqlx::query(SQL).bind(path).bind(target).execute(c).await.map(drop))?;
    Ok(())
}

/// Removes the retirement of a path that is in use again.
pub async fn restore_path(conn: &mut Conn<'_>, path: &str) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM retired_paths WHERE path = $1";
    sql!(conn, c => sqlx::query(SQL).bind(path).execute(c).await.map(drop))?;
    Ok(())
}

/// A picture row of a product.
pub struct PictureRow<'a> {
    pub id: Uuid,
    pub product_id: Uuid,
    pub picture: &'a PictureContent,
    /// Width and height in pixels.
    pub size: (i64, i64),
    pub position: i64,
}

/// Replaces all pictures of `products`. Variants that referred to one have none until they are written.
pub async fn replace_pictures(conn: &mut Conn<'_>, products: &[Uuid], rows: &[PictureRow<'_>]) -> Result<(), DbError> {
    const INSERT: &str = "INSERT INTO product_images (id, product_id, media_key, alt, width, height, position) ";
    delete_of(conn, "DELETE FROM product_images WHERE product_id IN (", products).await?;
    for rows in rows.chunks(AT_ONCE) {
        sql!(&mut *conn, c => sqlx::QueryBuilder::new(INSERT)
            .push_values(rows, |mut row, PictureRow { id, product_id, picture, size, position }| {
                row.push_bind(*id).push_bind(*product_id).push_bind(&picture.key).push_bind(&picture.alt)
                    .push_bind(size.0).push_bind(size.1).push_bind(*position);
            })
            .build().persistent(false).execute(c).await.map(drop))?;
    }
    Ok(())
}

async fn delete_of(conn: &mut Conn<'_>, delete: &'static str, products: &[Uuid]) -> Result<(), DbError> {
    for products in products.chunks(AT_ONCE) {
        sql!(&mut *conn, c => {
            let mut query = sqlx::QueryBuilder::new(delete);
            let mut list = query.separated(", ");
            for product in products {
                list.push_bind(*product);
            }
            query.push(")").build().execute(c).await.map(drop)
        })?;
    }
    Ok(())
}

/// An option row of a product, with the ids of its value rows.
pub struct OptionRow<'a> {
    pub id: Uuid,
    pub product_id: Uuid,
    pub option: &'a ProductOption,
    /// In the order of the values.
    pub value_ids: Vec<Uuid>,
    pub position: i64,
}

/// Replaces all options of `products`, including the assignment of values to variants.
pub async fn replace_options(conn: &mut Conn<'_>, products: &[Uuid], rows: &[OptionRow<'_>]) -> Result<(), DbError> {
    const OPTIONS: &str = "INSERT INTO product_options (id, product_id, name, position) ";
    const VALUES: &str = "INSERT INTO product_option_values (id, option_id, value, hex, position) ";
    delete_of(conn, "DELETE FROM product_options WHERE product_id IN (", products).await?;
    for rows in rows.chunks(AT_ONCE) {
        sql!(&mut *conn, c => sqlx::QueryBuilder::new(OPTIONS)
            .push_values(rows, |mut row, OptionRow { id, product_id, option, position, .. }| {
                row.push_bind(*id).push_bind(*product_id).push_bind(&option.name).push_bind(*position);
            })
            .build().persistent(false).execute(c).await.map(drop))?;
    }
    let values: Vec<_> = rows
        .iter()
        .flat_map(|row| {
            let values = row.option.values.iter().zip(&row.value_ids).zip(0_i64..);
            values.map(move |((value, id), position)| (*id, row.id, value, position))
        })
        .collect();
    for rows in values.chunks(AT_ONCE) {
        sql!(&mut *conn, c => sqlx::QueryBuilder::new(VALUES)
            .push_values(rows, |mut row, (id, option, value, position)| {
                row.push_bind(*id).push_bind(*option).push_bind(&value.value).push_bind(&value.hex).push_bind(*position);
            })
            .build().persistent(false).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// Assigns option values to variants.
pub async fn insert_variant_values(conn: &mut Conn<'_>, links: &[(Uuid, Uuid)]) -> Result<(), DbError> {
    const INSERT: &str = "INSERT INTO variant_option_values (variant_id, option_value_id) ";
    for links in links.chunks(AT_ONCE) {
        sql!(&mut *conn, c => sqlx::QueryBuilder::new(INSERT)
            .push_values(links, |mut row, (variant, value)| { row.push_bind(*variant).push_bind(*value); })
            .build().persistent(false).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// A variant row with its position and picture id.
pub struct VariantRow<'a> {
    pub id: Uuid,
    pub product_id: Uuid,
    pub content: &'a VariantContent,
    pub image_id: Option<Uuid>,
    pub position: i64,
}

/// The mutable columns of a variant, in the order of the statements below.
macro_rules! push_variant {
    ($row:ident, $variant:expr, $now:expr) => {
        $row.push_bind($variant.id)
            .push_bind(&$variant.content.sku)
            .push_bind($variant.content.options.join(", "))
            .push_bind($variant.content.price)
            .push_bind($variant.content.compare_at_price)
            .push_bind($variant.content.weight_grams)
            .push_bind($variant.image_id)
            .push_bind($variant.position)
            .push_bind($now)
    };
}

pub async fn insert_variants(conn: &mut Conn<'_>, rows: &[VariantRow<'_>], now: i64) -> Result<(), DbError> {
    const SQL: &str =
        "INSERT INTO product_variants (id, sku, title, price, compare_at_price, weight_grams, image_id, position,
        updated_at, product_id, currency) ";
    for rows in rows.chunks(AT_ONCE) {
        sql!(&mut *conn, c => sqlx::QueryBuilder::new(SQL)
            .push_values(rows, |mut row, variant| {
                push_variant!(row, variant, now).push_bind(variant.product_id).push_bind(CURRENCY);
            })
            .build().persistent(false).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// Updates variants, and restores archived ones.
pub async fn update_variants(conn: &mut Conn<'_>, rows: &[VariantRow<'_>], now: i64) -> Result<(), DbError> {
    const WITH: &str =
        "WITH wanted (id, sku, title, price, compare_at_price, weight_grams, image_id, position, updated_at) AS (";
    const UPDATE: &str = ") UPDATE product_variants SET sku = wanted.sku, title = wanted.title, price = wanted.price,
        compare_at_price = wanted.compare_at_price, weight_grams = wanted.weight_grams, image_id = wanted.image_id,
        position = wanted.position, updated_at = wanted.updated_at, archived_at = NULL
        FROM wanted WHERE product_variants.id = wanted.id";
    for rows in rows.chunks(AT_ONCE) {
        sql!(&mut *conn, c => sqlx::QueryBuilder::new(WITH)
            .push_values(rows, |mut row, variant| { push_variant!(row, variant, now); })
            .push(UPDATE).build().persistent(false).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// Gives a variant a placeholder sku, so that another variant can take over its sku.
pub async fn free_sku(conn: &mut Conn<'_>, id: Uuid) -> Result<(), DbError> {
    const SQL: &str = "UPDATE product_variants SET sku = $2 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(id.to_string()).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn archive_variant(conn: &mut Conn<'_>, id: Uuid, now: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE product_variants SET archived_at = $2, updated_at = $2 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn delete_variant(conn: &mut Conn<'_>, id: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM product_variants WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// Makes forms of a collection that were opened before be read again, and locks it until the transaction ends. False if it is gone.
pub async fn raise_collection_version(conn: &mut Conn<'_>, collection: Uuid) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE collections SET version = version + 1 WHERE id = $1";
    let raised = sql!(conn, c => sqlx::query(SQL).bind(collection).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(raised > 0)
}

/// Removes a product from a collection, and returns its position there.
pub async fn leave_collection(conn: &mut Conn<'_>, collection: Uuid, product: Uuid) -> Result<Option<i64>, DbError> {
    const SQL: &str = "DELETE FROM collection_products WHERE collection_id = $1 AND product_id = $2 RETURNING position";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(collection).bind(product).fetch_optional(c).await)?)
}

/// Adds products to a collection: at their former positions, or at its end, in this order.
pub async fn join_collection(
    conn: &mut Conn<'_>,
    collection: Uuid,
    products: &[(Uuid, Option<i64>)],
) -> Result<(), DbError> {
    const NEXT: &str = "SELECT COALESCE(MAX(position) + 1, 0) FROM collection_products WHERE collection_id = $1";
    const INSERT: &str = "INSERT INTO collection_products (collection_id, product_id, position) ";
    let next: i64 = sql!(&mut *conn, c => sqlx::query_scalar(NEXT).bind(collection).fetch_one(c).await)?;
    let rows: Vec<_> = products.iter().zip(next..).collect();
    for rows in rows.chunks(AT_ONCE) {
        sql!(&mut *conn, c => sqlx::QueryBuilder::new(INSERT)
            .push_values(rows, |mut row, (product, position)| {
                let (product, former) = **product;
                row.push_bind(collection).push_bind(product).push_bind(former.unwrap_or(*position));
            })
            .build().persistent(false).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// Publishes so many of the drafts that are due, and returns their ids and titles.
pub async fn publish_due(conn: &mut Conn<'_>, now: i64, limit: i64) -> Result<Vec<(Uuid, String)>, DbError> {
    // By ascending id; SQLite has only one writer anyway.
    let lock = match conn {
        Conn::Postgres(_) => "FOR NO KEY UPDATE",
        Conn::Sqlite(_) => "",
    };
    // What another transaction has published meanwhile is not due any more.
    let sql = sqlx::AssertSqlSafe(format!(
        "WITH due AS (SELECT id FROM products WHERE publish_at <= $1 AND status = 'draft' ORDER BY id LIMIT $2 {lock})
        UPDATE products SET status = 'active', publish_at = NULL, updated_at = $1, version = version + 1,
        released_at = CASE WHEN released_at = 0 THEN $1 ELSE released_at END
        WHERE id IN (SELECT id FROM due) AND publish_at <= $1 AND status = 'draft' RETURNING id, title"
    ));
    Ok(sql!(conn, c => sqlx::query_as(sql).bind(now).bind(limit).fetch_all(c).await)?)
}
