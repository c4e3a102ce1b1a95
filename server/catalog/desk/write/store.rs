//! SQL by which a product is written.

use uuid::Uuid;

use crate::catalog::desk::model::{PictureContent, ProductContent, VariantContent};
use crate::catalog::model::ProductOption;
use crate::clock::Clock;
use crate::db::{Conn, DbError, decoded};
use crate::ids::new_id;
use crate::sql;

const CURRENCY: &str = "USD";

/// The columns of a product that its lists and texts become.
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

pub async fn insert_product(
    conn: &mut Conn<'_>,
    id: Uuid,
    content: &ProductContent,
    released_at: i64,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str =
        "INSERT INTO products (id, handle, title, subtitle, description, highlights, details, category_id, material,
        compliance_class, seo_title, seo_description, status, publish_at, released_at, popularity, updated_at, version)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 0, $16, 1)";
    let texts = Texts::of(content)?;
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(&content.handle).bind(&content.title).bind(&content.subtitle)
        .bind(&texts.description).bind(&texts.highlights).bind(&texts.details).bind(content.category_id)
        .bind(&content.material).bind(&content.compliance_class).bind(&content.seo_title).bind(&content.seo_description)
        .bind(content.status.text()).bind(content.publish_at).bind(released_at).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Changes the product's own columns and makes a new version of it.
pub async fn update_product(
    conn: &mut Conn<'_>,
    id: Uuid,
    content: &ProductContent,
    released_at: i64,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str =
        "UPDATE products SET handle = $2, title = $3, subtitle = $4, description = $5, highlights = $6, details = $7,
        category_id = $8, material = $9, compliance_class = $10, seo_title = $11, seo_description = $12, status = $13,
        publish_at = $14, released_at = $15, updated_at = $16, version = version + 1 WHERE id = $1";
    let texts = Texts::of(content)?;
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(&content.handle).bind(&content.title).bind(&content.subtitle)
        .bind(&texts.description).bind(&texts.highlights).bind(&texts.details).bind(content.category_id)
        .bind(&content.material).bind(&content.compliance_class).bind(&content.seo_title).bind(&content.seo_description)
        .bind(content.status.text()).bind(content.publish_at).bind(released_at).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// An old path leads to a new one, and so does every path that led to the old one.
pub async fn retire_path(conn: &mut Conn<'_>, path: &str, target: Option<&str>) -> Result<(), DbError> {
    const INSERT: &str = "INSERT INTO retired_paths (path, target) VALUES ($1, $2)
        ON CONFLICT (path) DO UPDATE SET target = excluded.target";
    const FOLLOW: &str = "UPDATE retired_paths SET target = $2 WHERE target = $1";
    sql!(&mut *conn, c => sqlx::query(INSERT).bind(path).bind(target).execute(c).await.map(drop))?;
    if target.is_some() {
        sql!(conn, c => sqlx::query(FOLLOW).bind(path).bind(target).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// Where a path leads that shows nothing any more; nothing within for one that is gone for good.
pub async fn find_retired_path(conn: &mut Conn<'_>, path: &str) -> Result<Option<Option<String>>, DbError> {
    const SQL: &str = "SELECT target FROM retired_paths WHERE path = $1";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, Option<String>>(SQL).bind(path).fetch_optional(c).await)?)
}

/// A path shows something again.
pub async fn restore_path(conn: &mut Conn<'_>, path: &str) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM retired_paths WHERE path = $1";
    sql!(conn, c => sqlx::query(SQL).bind(path).execute(c).await.map(drop))?;
    Ok(())
}

/// Makes these a product's pictures; `had` says whether there may be others. Variants that showed another one show none until they
/// are written.
pub async fn replace_pictures(
    conn: &mut Conn<'_>,
    product: Uuid,
    pictures: &[(Uuid, &PictureContent, (i64, i64))],
    had: bool,
) -> Result<(), DbError> {
    const DELETE: &str = "DELETE FROM product_images WHERE product_id = $1";
    const INSERT: &str = "INSERT INTO product_images (id, product_id, media_key, alt, width, height, position) ";
    if had {
        sql!(&mut *conn, c => sqlx::query(DELETE).bind(product).execute(c).await.map(drop))?;
    }
    if pictures.is_empty() {
        return Ok(());
    }
    sql!(conn, c => sqlx::QueryBuilder::new(INSERT)
        .push_values(pictures.iter().zip(0_i64..), |mut row, ((id, picture, (width, height)), position)| {
            row.push_bind(*id).push_bind(product).push_bind(picture.key.clone()).push_bind(picture.alt.clone())
                .push_bind(*width).push_bind(*height).push_bind(position);
        })
        .build().execute(c).await.map(drop))?;
    Ok(())
}

/// Makes these a product's options, without a variant that has them, and answers with the ids of their values. `had` says whether there
/// may be others.
pub async fn replace_options(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    product: Uuid,
    options: &[ProductOption],
    had: bool,
) -> Result<Vec<Vec<Uuid>>, DbError> {
    const DELETE: &str = "DELETE FROM product_options WHERE product_id = $1";
    const OPTIONS: &str = "INSERT INTO product_options (id, product_id, name, position) ";
    const VALUES: &str = "INSERT INTO product_option_values (id, option_id, value, hex, position) ";
    if had {
        sql!(&mut *conn, c => sqlx::query(DELETE).bind(product).execute(c).await.map(drop))?;
    }
    if options.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<Uuid> = options.iter().map(|_| new_id(clock)).collect();
    let value_ids: Vec<Vec<Uuid>> =
        options.iter().map(|option| option.values.iter().map(|_| new_id(clock)).collect()).collect();
    sql!(&mut *conn, c => sqlx::QueryBuilder::new(OPTIONS)
        .push_values(options.iter().zip(&ids).zip(0_i64..), |mut row, ((option, id), position)| {
            row.push_bind(*id).push_bind(product).push_bind(option.name.clone()).push_bind(position);
        })
        .build().execute(c).await.map(drop))?;
    let mut values = Vec::new();
    for ((option, id), value_ids) in options.iter().zip(&ids).zip(&value_ids) {
        for ((value, value_id), position) in option.values.iter().zip(value_ids).zip(0_i64..) {
            values.push((*value_id, *id, value.value.clone(), value.hex.clone(), position));
        }
    }
    sql!(conn, c => sqlx::QueryBuilder::new(VALUES)
        .push_values(values, |mut row, (id, option, value, hex, position)| {
            row.push_bind(id).push_bind(option).push_bind(value).push_bind(hex).push_bind(position);
        })
        .build().execute(c).await.map(drop))?;
    Ok(value_ids)
}

/// Says which values variants have.
pub async fn insert_variant_values(conn: &mut Conn<'_>, links: &[(Uuid, Uuid)]) -> Result<(), DbError> {
    const INSERT: &str = "INSERT INTO variant_option_values (variant_id, option_value_id) ";
    if links.is_empty() {
        return Ok(());
    }
    sql!(conn, c => sqlx::QueryBuilder::new(INSERT)
        .push_values(links, |mut row, (variant, value)| { row.push_bind(*variant).push_bind(*value); })
        .build().execute(c).await.map(drop))?;
    Ok(())
}

/// A variant as a row: its id, its place, its picture's id.
pub struct VariantRow<'a> {
    pub id: Uuid,
    pub content: &'a VariantContent,
    pub image_id: Option<Uuid>,
    pub position: i64,
}

pub async fn insert_variants(
    conn: &mut Conn<'_>,
    product: Uuid,
    rows: &[VariantRow<'_>],
    now: i64,
) -> Result<(), DbError> {
    const INSERT: &str =
        "INSERT INTO product_variants (id, product_id, sku, title, price, compare_at_price, currency, weight_grams,
        image_id, position, updated_at) ";
    if rows.is_empty() {
        return Ok(());
    }
    sql!(conn, c => sqlx::QueryBuilder::new(INSERT)
        .push_values(rows, |mut row, VariantRow { id, content, image_id, position }| {
            row.push_bind(*id).push_bind(product).push_bind(content.sku.clone()).push_bind(content.options.join(", "))
                .push_bind(content.price).push_bind(content.compare_at_price).push_bind(CURRENCY)
                .push_bind(content.weight_grams).push_bind(*image_id).push_bind(*position).push_bind(now);
        })
        .build().execute(c).await.map(drop))?;
    Ok(())
}

/// Changes a variant, or brings it back from the archive.
pub async fn update_variant(conn: &mut Conn<'_>, row: &VariantRow<'_>, now: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE product_variants SET sku = $2, title = $3, price = $4, compare_at_price = $5,
        weight_grams = $6, image_id = $7, position = $8, updated_at = $9, archived_at = NULL WHERE id = $1";
    let VariantRow { id, content, image_id, position } = row;
    sql!(conn, c => sqlx::query(SQL).bind(*id).bind(&content.sku).bind(content.options.join(", ")).bind(content.price)
        .bind(content.compare_at_price).bind(content.weight_grams).bind(*image_id).bind(*position).bind(now)
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Gives a variant a sku that nobody has, so that another one can take its own.
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

/// Puts a product into these collections, at their ends, and takes it out of all others.
pub async fn replace_collections(
    conn: &mut Conn<'_>,
    product: Uuid,
    wanted: &[Uuid],
    had: &[Uuid],
) -> Result<(), DbError> {
    const DELETE: &str = "DELETE FROM collection_products WHERE product_id = $1 AND collection_id = $2";
    const INSERT: &str = "INSERT INTO collection_products (collection_id, product_id, position)
        SELECT $2, $1, COALESCE(MAX(position) + 1, 0) FROM collection_products WHERE collection_id = $2";
    for (statement, list, other) in [(DELETE, had, wanted), (INSERT, wanted, had)] {
        for collection in list.iter().filter(|id| !other.contains(id)) {
            sql!(&mut *conn, c => sqlx::query(statement).bind(product).bind(*collection).execute(c).await.map(drop))?;
        }
    }
    Ok(())
}

/// Drafts whose time has come become active; answers with how many.
pub async fn publish_due(conn: &mut Conn<'_>, now: i64) -> Result<Vec<Uuid>, DbError> {
    const SQL: &str =
        "UPDATE products SET status = 'active', publish_at = NULL, updated_at = $1, version = version + 1,
        released_at = CASE WHEN released_at = 0 THEN $1 ELSE released_at END
        WHERE publish_at <= $1 AND status = 'draft' RETURNING id";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(now).fetch_all(c).await)?)
}
