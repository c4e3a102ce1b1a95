//! All SQL of the catalog.

use std::collections::BTreeSet;

use shop_base::db::{Conn, DbError, PushIds, decoded};
use shop_base::money::Money;
use shop_base::sql;
use shop_platform::web::page::Picture;
use sqlx::FromRow;
use uuid::Uuid;

use super::model::{
    Category, OptionValue, Product, ProductImage, ProductOption, ProductStory, ProductVariant, RetiredPath, Sellable,
    StockLevel, variant_href,
};

/// Data of an active product for the read model.
#[derive(Clone, Debug, FromRow)]
pub struct ListedProduct {
    pub id: Uuid,
    pub handle: String,
    pub title: String,
    pub subtitle: String,
    pub description: String,
    pub category_id: Uuid,
    pub material: String,
    pub popularity: i64,
    pub released_at: i64,
    pub updated_at: i64,
}

/// Data of a variant of an active product for the read model.
#[derive(Clone, Debug, FromRow)]
pub struct ListedVariant {
    pub id: Uuid,
    pub product_id: Uuid,
    pub sku: String,
    pub price: i64,
    pub compare_at_price: Option<i64>,
    pub currency: String,
    pub on_hand: i64,
    pub reserved: i64,
    pub low_stock_threshold: i64,
}

/// A color that an active variant of a product has.
#[derive(Clone, Debug, FromRow)]
pub struct ListedColor {
    pub product_id: Uuid,
    pub value: String,
    pub hex: String,
    /// A variant of this color is available at a reduced price.
    pub reduced: bool,
}

/// A collection and its active products in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collection {
    pub handle: String,
    pub title: String,
    pub description: String,
    pub products: Vec<Uuid>,
}

/// Every category, parents before children, siblings in order.
pub async fn list_categories(conn: &mut Conn<'_>) -> Result<Vec<Category>, DbError> {
    #[derive(FromRow)]
    struct Row {
        id: Uuid,
        parent_id: Option<Uuid>,
        slug: String,
        name: String,
        description: String,
        updated_at: i64,
    }
    const SQL: &str = "SELECT id, parent_id, slug, name, description, updated_at FROM categories
        ORDER BY CASE WHEN parent_id IS NULL THEN 0 ELSE 1 END, position, slug";
    let rows = sql!(conn, c => sqlx::query_as::<_, Row>(SQL).fetch_all(c).await)?;
    Ok(rows
        .into_iter()
        .map(|Row { id, parent_id, slug, name, description, updated_at }| Category {
            id,
            parent_id,
            slug,
            name,
            description,
            updated_at,
        })
        .collect())
}

/// Selects rows of all products, or of these, by a column with their ids.
macro_rules! rows_of {
    ($conn:expr, $row:ty, $of:expr, $before:expr, $column:expr, $after:expr) => {
        sql!($conn, c => {
            let mut query = sqlx::QueryBuilder::new($before);
            if let Some(products) = $of {
                query.push(concat!(" AND ", $column)).push_ids(products);
            }
            query.push($after);
            query.build_query_as::<$row>().fetch_all(c).await
        })
    };
}

/// That products `p` are active, of all or of these. SQLite would look for these among all active ones, but an expression has no index.
fn is_active(of: Option<&[Uuid]>) -> &'static str {
    if of.is_some() { "p.status || '' = 'active'" } else { "p.status = 'active'" }
}

fn picture(media_key: &str, alt: String, width: i64, height: i64) -> Picture {
    let (width, height) = (u32::try_from(width).unwrap_or(0), u32::try_from(height).unwrap_or(0));
    Picture { src: format!("/images/{media_key}"), alt, width, height }
}

/// The picture that is joined to a row, if there is one.
#[derive(FromRow)]
struct JoinedPicture {
    media_key: Option<String>,
    alt: Option<String>,
    width: Option<i64>,
    height: Option<i64>,
}

impl JoinedPicture {
    fn picture(self) -> Option<Picture> {
        let Self { media_key, alt, width, height } = self;
        Some(picture(&media_key?, alt?, width?, height?))
    }
}

/// The active products, of all or of these, as in the following functions, with their cover pictures. Each row costs SQLite more than what
/// is in it, so there is no statement for the pictures alone.
pub async fn list_products(
    conn: &mut Conn<'_>,
    of: Option<&[Uuid]>,
) -> Result<Vec<(ListedProduct, Option<Picture>)>, DbError> {
    #[derive(FromRow)]
    struct Row {
        #[sqlx(flatten)]
        product: ListedProduct,
        #[sqlx(flatten)]
        cover: JoinedPicture,
    }
    let sql = format!(
        "SELECT p.id, p.handle, p.title, p.subtitle, p.description, p.category_id, p.material, p.popularity,
        p.released_at, p.updated_at, i.media_key, i.alt, i.width, i.height
        FROM products p LEFT JOIN product_images i ON i.product_id = p.id AND i.position = 0 WHERE {}",
        is_active(of)
    );
    let rows = rows_of!(conn, Row, of, sql, "p.id", " ORDER BY p.id")?;
    Ok(rows.into_iter().map(|Row { product, cover }| (product, cover.picture())).collect())
}

/// Their variants, with the pictures of those that have their own.
pub async fn list_variants(
    conn: &mut Conn<'_>,
    of: Option<&[Uuid]>,
) -> Result<Vec<(ListedVariant, Option<Picture>)>, DbError> {
    #[derive(FromRow)]
    struct Row {
        #[sqlx(flatten)]
        variant: ListedVariant,
        #[sqlx(flatten)]
        own: JoinedPicture,
    }
    let sql = format!(
        "SELECT v.id, v.product_id, v.sku, v.price, v.compare_at_price, v.currency, s.on_hand, s.reserved,
        s.low_stock_threshold, i.media_key, i.alt, i.width, i.height
        FROM product_variants v
        JOIN products p ON p.id = v.product_id AND {}
        JOIN stock_levels s ON s.variant_id = v.id
        LEFT JOIN product_images i ON i.id = v.image_id
        WHERE v.archived_at IS NULL",
        is_active(of)
    );
    let rows = rows_of!(conn, Row, of, sql, "v.product_id", " ORDER BY v.product_id, v.position")?;
    Ok(rows.into_iter().map(|Row { variant, own }| (variant, own.picture())).collect())
}

pub async fn list_colors(conn: &mut Conn<'_>, of: Option<&[Uuid]>) -> Result<Vec<ListedColor>, DbError> {
    const SQL: &str = "SELECT o.product_id, v.value, v.hex, EXISTS (
            SELECT 1 FROM variant_option_values x JOIN product_variants p ON p.id = x.variant_id
            JOIN stock_levels s ON s.variant_id = p.id
            WHERE x.option_value_id = v.id AND p.archived_at IS NULL AND p.compare_at_price IS NOT NULL
            AND s.on_hand > s.reserved) AS reduced
        FROM product_option_values v JOIN product_options o ON o.id = v.option_id
        WHERE v.hex IS NOT NULL AND EXISTS (
            SELECT 1 FROM variant_option_values x JOIN product_variants p ON p.id = x.variant_id
            WHERE x.option_value_id = v.id AND p.archived_at IS NULL)";
    Ok(rows_of!(conn, ListedColor, of, SQL, "o.product_id", " ORDER BY o.product_id, o.position, v.position")?)
}

/// Lists the pictures that products show: the key of each, and the handle of one of its products.
pub const SHOWN_PICTURES: &str = "SELECT i.media_key, MIN(p.handle)
    FROM product_images i JOIN products p ON p.id = i.product_id GROUP BY i.media_key ORDER BY i.media_key";

/// See [`SHOWN_PICTURES`].
pub async fn list_shown_pictures(conn: &mut Conn<'_>) -> Result<Vec<(String, String)>, DbError> {
    Ok(sql!(conn, c => sqlx::query_as(SHOWN_PICTURES).fetch_all(c).await)?)
}

pub async fn list_collections(conn: &mut Conn<'_>) -> Result<Vec<Collection>, DbError> {
    #[derive(FromRow)]
    struct Row {
        handle: String,
        title: String,
        description: String,
        product_id: Uuid,
    }
    const SQL: &str = "SELECT c.handle, c.title, c.description, cp.product_id FROM collections c
        JOIN collection_products cp ON cp.collection_id = c.id
        JOIN products p ON p.id = cp.product_id AND p.status = 'active'
        ORDER BY c.position, c.handle, cp.position, cp.product_id";
    let rows = sql!(conn, c => sqlx::query_as::<_, Row>(SQL).fetch_all(c).await)?;
    let mut collections: Vec<Collection> = Vec::new();
    for Row { handle, title, description, product_id } in rows {
        match collections.last_mut() {
            Some(last) if last.handle == handle => last.products.push(product_id),
            _ => collections.push(Collection { handle, title, description, products: vec![product_id] }),
        }
    }
    Ok(collections)
}

/// An active product with everything that its page shows.
pub async fn find_product(conn: &mut Conn<'_>, handle: &str) -> Result<Option<Product>, DbError> {
    #[derive(FromRow)]
    struct Row {
        id: Uuid,
        handle: String,
        title: String,
        subtitle: String,
        description: String,
        highlights: String,
        details: String,
        category_id: Uuid,
        material: String,
        compliance_class: String,
        restriction: String,
        seo_title: String,
        seo_description: String,
        updated_at: i64,
    }
    const SQL: &str = "SELECT p.id, p.handle, p.title, p.subtitle, p.description, p.highlights, p.details,
        p.category_id, p.material, p.compliance_class, c.restriction, p.seo_title, p.seo_description, p.updated_at
        FROM products p JOIN compliance_classes c ON c.code = p.compliance_class
        WHERE p.handle = $1 AND p.status = 'active'";
    let row = sql!(conn, c => sqlx::query_as::<_, Row>(SQL).bind(handle).fetch_optional(c).await)?;
    let Some(row) = row else { return Ok(None) };
    let (variants, options) = list_product_variants(conn, row.id).await?;
    Ok(Some(Product {
        images: list_images(conn, row.id).await?,
        variants,
        options,
        related: list_related(conn, row.id).await?,
        id: row.id,
        handle: row.handle,
        title: row.title,
        subtitle: row.subtitle,
        story: ProductStory {
            description: row.description.split("\n\n").filter(|text| !text.is_empty()).map(str::to_owned).collect(),
            highlights: from_json("highlights", &row.highlights)?,
            details: from_json("details", &row.details)?,
        },
        category_id: row.category_id,
        material: row.material,
        compliance_class: row.compliance_class,
        restriction: row.restriction,
        seo_title: row.seo_title,
        seo_description: row.seo_description,
        updated_at: row.updated_at,
    }))
}

fn from_json<T: serde::de::DeserializeOwned>(column: &str, text: &str) -> Result<T, DbError> {
    decoded(column, serde_json::from_str(text))
}

async fn list_images(conn: &mut Conn<'_>, product_id: Uuid) -> Result<Vec<ProductImage>, DbError> {
    #[derive(FromRow)]
    struct Row {
        id: Uuid,
        media_key: String,
        alt: String,
        width: i64,
        height: i64,
    }
    const SQL: &str = "SELECT id, media_key, alt, width, height FROM product_images
        WHERE product_id = $1 ORDER BY position";
    let rows = sql!(conn, c => sqlx::query_as::<_, Row>(SQL).bind(product_id).fetch_all(c).await)?;
    let image = |Row { id, media_key, alt, width, height }| ProductImage {
        id,
        picture: picture(&media_key, alt, width, height),
    };
    Ok(rows.into_iter().map(image).collect())
}

#[derive(FromRow)]
struct VariantRow {
    id: Uuid,
    sku: String,
    title: String,
    price: i64,
    compare_at_price: Option<i64>,
    currency: String,
    image_id: Option<Uuid>,
    on_hand: i64,
    reserved: i64,
    low_stock_threshold: i64,
}

impl VariantRow {
    /// With its first value, if it has one.
    fn with_value(self, value: Option<String>) -> ProductVariant {
        ProductVariant {
            id: self.id,
            sku: self.sku,
            title: self.title,
            options: value.into_iter().collect(),
            price: Money { amount: self.price, currency: self.currency.clone() },
            compare_at_price: self.compare_at_price.map(|amount| Money { amount, currency: self.currency }),
            stock: StockLevel {
                on_hand: self.on_hand,
                reserved: self.reserved,
                low_stock_threshold: self.low_stock_threshold,
            },
            image_id: self.image_id,
        }
    }
}

/// The value of an option that is joined to a variant's row, if there is one.
#[derive(FromRow)]
struct JoinedValue {
    option_position: Option<i64>,
    option_name: Option<String>,
    value_position: Option<i64>,
    value: Option<String>,
    hex: Option<String>,
}

/// Ordered as the page shows them.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct PlacedValue {
    option_position: i64,
    option_name: String,
    value_position: i64,
    value: String,
    hex: Option<String>,
}

impl JoinedValue {
    fn placed(self) -> Option<PlacedValue> {
        let Self { option_position, option_name, value_position, value, hex } = self;
        Some(PlacedValue {
            option_position: option_position?,
            option_name: option_name?,
            value_position: value_position?,
            value: value?,
            hex,
        })
    }
}

/// The variants, and the options with those of their values that a variant has. Each row costs SQLite more than what is in it, so there is no
/// statement for the options alone.
async fn list_product_variants(
    conn: &mut Conn<'_>,
    product_id: Uuid,
) -> Result<(Vec<ProductVariant>, Vec<ProductOption>), DbError> {
    #[derive(FromRow)]
    struct Row {
        #[sqlx(flatten)]
        variant: VariantRow,
        #[sqlx(flatten)]
        joined: JoinedValue,
    }
    const SQL: &str = "SELECT v.id, v.sku, v.title, v.price, v.compare_at_price, v.currency, v.image_id, s.on_hand,
        s.reserved, s.low_stock_threshold, o.position AS option_position, o.name AS option_name,
        w.position AS value_position, w.value, w.hex
        FROM product_variants v
        JOIN stock_levels s ON s.variant_id = v.id
        LEFT JOIN variant_option_values x ON x.variant_id = v.id
        LEFT JOIN product_option_values w ON w.id = x.option_value_id
        LEFT JOIN product_options o ON o.id = w.option_id
        WHERE v.product_id = $1 AND v.archived_at IS NULL ORDER BY v.position, v.id, o.position";
    let rows = sql!(conn, c => sqlx::query_as::<_, Row>(SQL).bind(product_id).fetch_all(c).await)?;
    let mut variants: Vec<ProductVariant> = Vec::new();
    let mut values: BTreeSet<PlacedValue> = BTreeSet::new();
    for Row { variant, joined } in rows {
        let placed = joined.placed();
        let value = placed.as_ref().map(|placed| placed.value.clone());
        match variants.last_mut() {
            Some(last) if last.id == variant.id => last.options.extend(value),
            _ => variants.push(variant.with_value(value)),
        }
        values.extend(placed);
    }
    Ok((variants, options_of(values)))
}

fn options_of(values: BTreeSet<PlacedValue>) -> Vec<ProductOption> {
    let mut options: Vec<ProductOption> = Vec::new();
    for PlacedValue { option_name: name, value, hex, .. } in values {
        let value = OptionValue { value, hex };
        match options.last_mut() {
            Some(last) if last.name == name => last.values.push(value),
            _ => options.push(ProductOption { name, values: vec![value] }),
        }
    }
    options
}

async fn list_related(conn: &mut Conn<'_>, product_id: Uuid) -> Result<Vec<Uuid>, DbError> {
    const SQL: &str = "SELECT related_id FROM related_products WHERE product_id = $1 ORDER BY position";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, Uuid>(SQL).bind(product_id).fetch_all(c).await)?)
}

/// The variants with these ids whose products are active. An expression of the status has no index, so SQLite does not look for them among all
/// active products.
pub async fn list_sellable(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<Vec<Sellable>, DbError> {
    #[derive(FromRow)]
    struct Row {
        id: Uuid,
        sku: String,
        title: String,
        variant_title: String,
        handle: String,
        price: i64,
        compare_at_price: Option<i64>,
        weight_grams: i64,
        compliance_class: String,
        on_hand: i64,
        reserved: i64,
        low_stock_threshold: i64,
        media_key: String,
        alt: String,
        width: i64,
        height: i64,
    }
    const SQL: &str = "SELECT v.id, v.sku, p.title, v.title AS variant_title, p.handle, v.price, v.compare_at_price,
        v.weight_grams, p.compliance_class, s.on_hand, s.reserved, s.low_stock_threshold,
        i.media_key, i.alt, i.width, i.height
        FROM product_variants v
        JOIN products p ON p.id = v.product_id AND p.status || '' = 'active'
        JOIN stock_levels s ON s.variant_id = v.id
        JOIN product_images i ON i.id = COALESCE(v.image_id,
            (SELECT f.id FROM product_images f WHERE f.product_id = p.id ORDER BY f.position LIMIT 1))
        WHERE v.archived_at IS NULL AND v.id";
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new(SQL);
        query.push_ids(ids);
        query.build_query_as::<Row>().fetch_all(c).await
    })?;
    Ok(rows
        .into_iter()
        .map(|row| Sellable {
            href: variant_href(&format!("/product/{}", row.handle), &row.sku),
            picture: picture(&row.media_key, row.alt, row.width, row.height),
            stock: StockLevel {
                on_hand: row.on_hand,
                reserved: row.reserved,
                low_stock_threshold: row.low_stock_threshold,
            },
            id: row.id,
            sku: row.sku,
            title: row.title,
            variant_title: row.variant_title,
            price: row.price,
            compare_at_price: row.compare_at_price,
            weight_grams: row.weight_grams,
            compliance_class: row.compliance_class,
        })
        .collect())
}

/// Whether there is a category with this slug.
pub async fn has_category(conn: &mut Conn<'_>, slug: &str) -> Result<bool, DbError> {
    const SQL: &str = "SELECT id FROM categories WHERE slug = $1";
    let found = sql!(conn, c => sqlx::query_scalar::<_, Uuid>(SQL).bind(slug).fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// The handle of a product by its id, unless shoppers have never seen it.
pub async fn find_handle(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<String>, DbError> {
    const SQL: &str = "SELECT handle FROM products WHERE id = $1 AND released_at > 0";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, String>(SQL).bind(id).fetch_optional(c).await)?)
}

/// The products of these variants.
pub async fn list_products_of(conn: &mut Conn<'_>, variants: &[Uuid]) -> Result<Vec<Uuid>, DbError> {
    const SQL: &str = "SELECT DISTINCT product_id FROM product_variants WHERE TRUE";
    let rows = rows_of!(conn, (Uuid,), Some(variants), SQL, "id", "")?;
    Ok(rows.into_iter().map(|(product,)| product).collect())
}

/// The compliance classes of these variants' products, whether they are sold or not.
pub async fn list_classes_of(conn: &mut Conn<'_>, variants: &[Uuid]) -> Result<Vec<(Uuid, String)>, DbError> {
    const SQL: &str = "SELECT v.id, p.compliance_class FROM product_variants v JOIN products p ON p.id = v.product_id
        WHERE TRUE";
    Ok(rows_of!(conn, (Uuid, String), Some(variants), SQL, "v.id", "")?)
}

/// The target of a retired path.
pub async fn find_retired_path(conn: &mut Conn<'_>, path: &str) -> Result<Option<RetiredPath>, DbError> {
    const SQL: &str = "SELECT target FROM retired_paths WHERE path = $1";
    let row = sql!(conn, c => sqlx::query_scalar::<_, Option<String>>(SQL).bind(path).fetch_optional(c).await)?;
    Ok(row.map(|target| target.map_or(RetiredPath::Gone, RetiredPath::Moved)))
}

/// The variant with this sku.
pub async fn find_variant(conn: &mut Conn<'_>, sku: &str) -> Result<Option<Uuid>, DbError> {
    const SQL: &str = "SELECT id FROM product_variants WHERE sku = $1";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, Uuid>(SQL).bind(sku).fetch_optional(c).await)?)
}
