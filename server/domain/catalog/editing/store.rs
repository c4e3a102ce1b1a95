//! SQL that reads products for staff.

use std::collections::{BTreeMap, HashMap};

use shop_base::db::{Conn, DbError, decoded};
use shop_base::sql;
use sqlx::FromRow;
use uuid::Uuid;

use super::model::{
    PictureContent, ProductContent, ProductStatus, SkuOwner, StoredProduct, Surroundings, VariantContent, product_path,
};
use crate::catalog::model::{OptionValue, ProductOption, StockLevel};

/// Values per statement: SQLite allows 32,766 parameters.
const AT_ONCE: usize = 10_000;

/// Selects rows whose column is in a list of values, by as many statements as that takes; their rows are in order within each.
macro_rules! rows_in {
    ($conn:expr, $row:ty, $before:expr, $list:expr, $after:expr) => {{
        let mut rows: Vec<$row> = Vec::new();
        for values in $list.chunks(AT_ONCE) {
            let found = sql!(&mut *$conn, c => {
                let mut query = sqlx::QueryBuilder::new($before);
                let mut list = query.push("(").separated(", ");
                for value in values {
                    list.push_bind(value.clone());
                }
                query.push(")").push($after);
                query.build_query_as::<$row>().fetch_all(c).await
            });
            rows.extend(found?);
        }
        rows
    }};
}

/// Locks a product until the transaction ends, and returns its version.
pub async fn lock(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<i64>, DbError> {
    const SQL: &str = "UPDATE products SET version = version WHERE id = $1 RETURNING version";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, i64>(SQL).bind(id).fetch_optional(c).await)?)
}

/// Locks these products until the transaction ends, by ascending id. SQLite has only one writer anyway.
pub async fn lock_all(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<(), DbError> {
    if let Conn::Postgres(_) = conn {
        const SQL: &str = "SELECT id FROM products WHERE id IN ";
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        rows_in!(conn, (Uuid,), SQL, ids, " ORDER BY id FOR NO KEY UPDATE");
    }
    Ok(())
}

/// Keeps these categories from being deleted until the transaction ends. SQLite has only one writer anyway.
pub async fn hold_categories(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<(), DbError> {
    if let Conn::Postgres(_) = conn {
        const SQL: &str = "SELECT id FROM categories WHERE id IN ";
        rows_in!(conn, (Uuid,), SQL, ids, " ORDER BY id FOR KEY SHARE");
    }
    Ok(())
}

#[derive(FromRow)]
struct ProductRow {
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
    seo_title: String,
    seo_description: String,
    status: String,
    publish_at: Option<i64>,
    released_at: i64,
    updated_at: i64,
    version: i64,
}

#[derive(FromRow)]
struct OptionRow {
    product_id: Uuid,
    name: String,
    value: String,
    hex: Option<String>,
}

#[derive(FromRow)]
struct PictureRow {
    id: Uuid,
    product_id: Uuid,
    media_key: String,
    alt: String,
}

#[derive(FromRow)]
struct VariantRow {
    id: Uuid,
    product_id: Uuid,
    sku: String,
    price: i64,
    compare_at_price: Option<i64>,
    weight_grams: i64,
    image_id: Option<Uuid>,
    on_hand: i64,
    reserved: i64,
    low_stock_threshold: i64,
}

#[derive(FromRow)]
struct ValueRow {
    variant_id: Uuid,
    value: String,
}

#[derive(FromRow)]
struct MemberRow {
    product_id: Uuid,
    collection_id: Uuid,
}

/// The products with these ids and all staff-editable data, ordered by id.
pub async fn list_products(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<Vec<StoredProduct>, DbError> {
    const PRODUCTS: &str =
        "SELECT id, handle, title, subtitle, description, highlights, details, category_id, material,
        compliance_class, seo_title, seo_description, status, publish_at, released_at, updated_at, version
        FROM products WHERE id IN ";
    const OPTIONS: &str = "SELECT o.product_id, o.name, v.value, v.hex FROM product_options o
        JOIN product_option_values v ON v.option_id = o.id WHERE o.product_id IN ";
    const PICTURES: &str = "SELECT id, product_id, media_key, alt FROM product_images WHERE product_id IN ";
    const VARIANTS: &str =
        "SELECT v.id, v.product_id, v.sku, v.price, v.compare_at_price, v.weight_grams, v.image_id, s.on_hand,
        s.reserved, s.low_stock_threshold FROM product_variants v JOIN stock_levels s ON s.variant_id = v.id
        WHERE v.archived_at IS NULL AND v.product_id IN ";
    const VALUES: &str = "SELECT vv.variant_id, v.value FROM product_options o
        JOIN product_option_values v ON v.option_id = o.id
        JOIN variant_option_values vv ON vv.option_value_id = v.id WHERE o.product_id IN ";
    const MEMBERS: &str = "SELECT m.product_id, m.collection_id FROM collection_products m
        JOIN collections c ON c.id = m.collection_id WHERE m.product_id IN ";
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    let products = rows_in!(conn, ProductRow, PRODUCTS, ids, " ORDER BY id");
    let options = rows_in!(conn, OptionRow, OPTIONS, ids, " ORDER BY o.product_id, o.position, v.position");
    let pictures = rows_in!(conn, PictureRow, PICTURES, ids, " ORDER BY product_id, position");
    let variants = rows_in!(conn, VariantRow, VARIANTS, ids, " ORDER BY v.product_id, v.position");
    let values = rows_in!(conn, ValueRow, VALUES, ids, " ORDER BY o.position");
    let members = rows_in!(conn, MemberRow, MEMBERS, ids, " ORDER BY c.position, c.handle");

    let mut options = group(options, |row| row.product_id);
    let mut pictures = group(pictures, |row| row.product_id);
    let mut variants = group(variants, |row| row.product_id);
    let mut values = group(values, |row| row.variant_id);
    let mut members = group(members, |row| row.product_id);
    let assemble = |row: ProductRow| {
        let id = row.id;
        let pictures = pictures.remove(&id).unwrap_or_default();
        let variants = variants.remove(&id).unwrap_or_default();
        let key_of = |image: Uuid| pictures.iter().find(|row| row.id == image).map(|row| row.media_key.clone());
        let level = |row: &VariantRow| StockLevel {
            on_hand: row.on_hand,
            reserved: row.reserved,
            low_stock_threshold: row.low_stock_threshold,
        };
        Ok(StoredProduct {
            id,
            version: row.version,
            released_at: row.released_at,
            updated_at: row.updated_at,
            stock: variants.iter().map(level).collect(),
            image_ids: pictures.iter().map(|row| row.id).collect(),
            content: ProductContent {
                title: row.title,
                subtitle: row.subtitle,
                handle: row.handle,
                description: row.description.split("\n\n").filter(|text| !text.is_empty()).map(str::to_owned).collect(),
                highlights: decoded("highlights", serde_json::from_str(&row.highlights))?,
                details: decoded("details", serde_json::from_str(&row.details))?,
                category_id: row.category_id,
                material: row.material,
                compliance_class: row.compliance_class,
                seo_title: row.seo_title,
                seo_description: row.seo_description,
                status: decoded("status", row.status.parse::<ProductStatus>())?,
                publish_at: row.publish_at,
                options: assemble_options(options.remove(&id).unwrap_or_default()),
                variants: variants
                    .into_iter()
                    .map(|row| VariantContent {
                        options: values.remove(&row.id).unwrap_or_default().into_iter().map(|row| row.value).collect(),
                        picture: row.image_id.and_then(key_of),
                        id: Some(row.id),
                        sku: row.sku,
                        price: row.price,
                        compare_at_price: row.compare_at_price,
                        weight_grams: row.weight_grams,
                        on_hand: None,
                    })
                    .collect(),
                collections: members.remove(&id).unwrap_or_default().iter().map(|row| row.collection_id).collect(),
                pictures: pictures.into_iter().map(|row| PictureContent { key: row.media_key, alt: row.alt }).collect(),
            },
        })
    };
    products.into_iter().map(assemble).collect()
}

/// How many variants these products have.
pub async fn count_variants(conn: &mut Conn<'_>, products: &[Uuid]) -> Result<i64, DbError> {
    const SQL: &str = "SELECT COUNT(*) FROM product_variants WHERE archived_at IS NULL AND product_id IN ";
    Ok(rows_in!(conn, (i64,), SQL, products, "").into_iter().map(|(count,)| count).sum())
}

fn assemble_options(rows: Vec<OptionRow>) -> Vec<ProductOption> {
    let mut options: Vec<ProductOption> = Vec::new();
    for OptionRow { name, value, hex, .. } in rows {
        let value = OptionValue { value, hex };
        match options.last_mut() {
            Some(last) if last.name == name => last.values.push(value),
            _ => options.push(ProductOption { name, values: vec![value] }),
        }
    }
    options
}

fn group<T>(rows: Vec<T>, key: impl Fn(&T) -> Uuid) -> HashMap<Uuid, Vec<T>> {
    let mut groups: HashMap<Uuid, Vec<T>> = HashMap::new();
    for row in rows {
        groups.entry(key(&row)).or_default().push(row);
    }
    groups
}

/// The shop data that does not depend on the given products.
pub async fn find_surroundings(conn: &mut Conn<'_>) -> Result<Surroundings, DbError> {
    const CATEGORIES: &str = "SELECT id, slug, name FROM categories";
    const CLASSES: &str = "SELECT code FROM compliance_classes";
    const COLLECTIONS: &str = "SELECT id, handle FROM collections";
    let categories = sql!(&mut *conn, c => sqlx::query_as::<_, (Uuid, String, String)>(CATEGORIES).fetch_all(c).await)?;
    let classes = sql!(&mut *conn, c => sqlx::query_scalar::<_, String>(CLASSES).fetch_all(c).await)?;
    let collections = sql!(conn, c => sqlx::query_as::<_, (Uuid, String)>(COLLECTIONS).fetch_all(c).await)?;
    Ok(Surroundings {
        category_names: categories.iter().map(|(id, _, name)| (*id, name.clone())).collect(),
        categories: categories.into_iter().map(|(id, slug, _)| (id, slug)).collect(),
        compliance_classes: classes.into_iter().collect(),
        collections: collections.into_iter().collect(),
        ..Surroundings::default()
    })
}

/// The pictures, skus, handles and retired paths that these products refer to.
pub async fn look_around(
    conn: &mut Conn<'_>,
    around: &mut Surroundings,
    contents: &[&ProductContent],
) -> Result<(), DbError> {
    let keys: Vec<String> = contents.iter().flat_map(|each| &each.pictures).map(|each| each.key.clone()).collect();
    let skus: Vec<String> = contents.iter().flat_map(|each| &each.variants).map(|each| each.sku.clone()).collect();
    let handles: Vec<String> = contents.iter().map(|each| each.handle.clone()).collect();
    let paths: Vec<String> = handles.iter().map(|handle| product_path(handle)).collect();
    around.pictures = find_pictures(conn, &keys).await?;
    around.skus = find_sku_owners(conn, &skus).await?;
    around.handles = find_handles(conn, &handles).await?;
    const RETIRED: &str = "SELECT path, target FROM retired_paths WHERE path IN ";
    around.retired_paths = rows_in!(conn, (String, Option<String>), RETIRED, paths, "").into_iter().collect();
    Ok(())
}

/// Width and height of the existing pictures, by key.
pub async fn find_pictures(conn: &mut Conn<'_>, keys: &[String]) -> Result<BTreeMap<String, (i64, i64)>, DbError> {
    const UPLOADED: &str = "SELECT media_key, width, height FROM pictures WHERE media_key IN ";
    const SHOWN: &str = "SELECT media_key, MIN(width), MIN(height) FROM product_images WHERE media_key IN ";
    let mut found = BTreeMap::new();
    for (select, group) in [(UPLOADED, ""), (SHOWN, " GROUP BY media_key")] {
        let unknown: Vec<String> = keys.iter().filter(|key| !found.contains_key(*key)).cloned().collect();
        let rows = rows_in!(conn, (String, i64, i64), select, unknown, group);
        found.extend(rows.into_iter().map(|(key, width, height)| (key, (width, height))));
    }
    Ok(found)
}

pub async fn find_sku_owners(conn: &mut Conn<'_>, skus: &[String]) -> Result<BTreeMap<String, SkuOwner>, DbError> {
    #[derive(FromRow)]
    struct Row {
        sku: String,
        id: Uuid,
        product_id: Uuid,
        title: String,
        is_archived: bool,
        on_hand: i64,
        reserved: i64,
        low_stock_threshold: i64,
    }
    const SQL: &str = "SELECT v.sku, v.id, v.product_id, p.title, v.archived_at IS NOT NULL AS is_archived,
        s.on_hand, s.reserved, s.low_stock_threshold FROM product_variants v JOIN products p ON p.id = v.product_id
        JOIN stock_levels s ON s.variant_id = v.id WHERE v.sku IN ";
    let rows = rows_in!(conn, Row, SQL, skus, "");
    let owner = |row: Row| {
        let Row { sku, id: variant_id, product_id, title: product_title, is_archived, .. } = row;
        let stock =
            StockLevel { on_hand: row.on_hand, reserved: row.reserved, low_stock_threshold: row.low_stock_threshold };
        (sku, SkuOwner { variant_id, product_id, product_title, is_archived, stock })
    };
    Ok(rows.into_iter().map(owner).collect())
}

/// Products by handle.
pub async fn find_handles(conn: &mut Conn<'_>, handles: &[String]) -> Result<BTreeMap<String, Uuid>, DbError> {
    const SQL: &str = "SELECT handle, id FROM products WHERE handle IN ";
    Ok(rows_in!(conn, (String, Uuid), SQL, handles, "").into_iter().collect())
}

/// Handles that start with `start`, for finding a free one.
pub async fn list_handles_like(conn: &mut Conn<'_>, start: &str) -> Result<Vec<String>, DbError> {
    const SQL: &str = "SELECT handle FROM products WHERE handle LIKE $1";
    let pattern = format!("{start}%");
    Ok(sql!(conn, c => sqlx::query_scalar::<_, String>(SQL).bind(pattern).fetch_all(c).await)?)
}

/// Which of these variants are referenced by orders, draft orders, carts or sales.
pub async fn list_known_variants(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<Vec<Uuid>, DbError> {
    const SQL: &str = "SELECT id FROM product_variants v WHERE (
            EXISTS (SELECT 1 FROM order_lines l WHERE l.variant_id = v.id)
            OR EXISTS (SELECT 1 FROM draft_order_lines d WHERE d.variant_id = v.id)
            OR EXISTS (SELECT 1 FROM stock_reservations r WHERE r.variant_id = v.id)
            OR EXISTS (SELECT 1 FROM cart_items i WHERE i.variant_id = v.id)
            OR EXISTS (SELECT 1 FROM stock_movements m WHERE m.variant_id = v.id)
        ) AND v.id IN ";
    let rows = rows_in!(conn, (Uuid,), SQL, ids, "");
    Ok(rows.into_iter().map(|(id,)| id).collect())
}
