//! Fills an empty database with the demonstration catalog. Ids are derived from handles and skus, so all seeded shops are equal.

mod catalog;
pub mod history;

use std::collections::HashMap;

use sqlx::query;
use uuid::Uuid;

use self::catalog::{Catalog, Category, Collection, OptionValue, Product};
use shop_base::clock::Clock;
use shop_base::config::Config;
use shop_base::db::{Conn, Db, DbError, Purpose};
use shop_base::sql;
use shop_demo::illustrations::{self, Finish, Kind, View};
use shop_platform::media::{Master, Media, MediaError};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
const LOW_STOCK_THRESHOLD: i64 = 5;

#[derive(Debug, thiserror::Error)]
pub enum SeedError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Sql(#[from] sqlx::Error),
    #[error("the demonstration catalog cannot be read: {0}")]
    Catalog(#[from] serde_json::Error),
    #[error("a picture could not be kept: {0}")]
    Media(#[from] MediaError),
    #[error("the demonstration catalog names '{0}', which it does not have")]
    Unknown(String),
}

/// Seeds once: a database with products is left as it is.
pub async fn seed(db: &Db, config: &Config, clock: &dyn Clock) -> Result<(), SeedError> {
    // With the connection that the catalog is about to be read with.
    if has_products(&db.of(Purpose::Lists)).await? {
        return Ok(());
    }
    let catalog = Catalog::read()?;
    let media = Media::open(&config.data)?;
    let mut pictures = HashMap::new();
    for product in &catalog.products {
        pictures.insert(product.handle.as_str(), draw(&media, product).await?);
    }
    let now = clock.now_ms();
    let mut tx = db.begin().await?;
    let mut conn = tx.conn();
    insert_categories(&mut conn, &catalog.categories, now).await?;
    for product in &catalog.products {
        let pictures = pictures.remove(product.handle.as_str()).unwrap_or_default();
        insert_product(&mut conn, product, &pictures, now).await?;
    }
    for product in &catalog.products {
        insert_related(&mut conn, product).await?;
    }
    for (collection, position) in catalog.collections.iter().zip(0..) {
        insert_collection(&mut conn, collection, position).await?;
    }
    insert_promo_codes(&mut conn).await?;
    tx.commit().await?;
    tracing::info!(products = catalog.products.len(), "seeded the demonstration catalog");
    Ok(())
}

async fn has_products(db: &Db) -> Result<bool, SeedError> {
    // A start needs this connection anyway, and each further one costs SQLite 2 ms.
    let mut reader = db.of(Purpose::Lists).read().await?;
    let mut conn = reader.conn();
    const SQL: &str = "SELECT COUNT(*) FROM products";
    let count = sql!(&mut conn, c => sqlx::query_scalar::<_, i64>(SQL).fetch_one(c).await)?;
    Ok(count > 0)
}

/// The stable id of an item of the catalog.
fn id(kind: &str, name: &str) -> Uuid {
    Uuid::new_v5(&Uuid::NAMESPACE_OID, format!("{kind}:{name}").as_bytes())
}

/// A drawn picture: its master and, if it shows a certain color, that color.
struct Drawn {
    master: Master,
    alt: String,
    color: Option<String>,
}

/// One picture per color, then a detail and a still life.
async fn draw(media: &Media, product: &Product) -> Result<Vec<Drawn>, SeedError> {
    let colors: Vec<&OptionValue> =
        product.options.iter().flat_map(|option| &option.values).filter(|value| value.hex.is_some()).collect();
    let own = colors.first().and_then(|value| value.hex.as_deref()).unwrap_or(hex_of(&product.material));
    let mut views: Vec<(View, &str, String, Option<String>)> = colors
        .iter()
        .map(|color| {
            let alt = format!("{} in {}", product.title, color.value.to_lowercase());
            (View::Front, color.hex.as_deref().unwrap_or(own), alt, Some(color.value.clone()))
        })
        .collect();
    if views.is_empty() {
        views.push((View::Front, own, product.title.clone(), None));
    }
    views.push((View::Detail, own, format!("{}, seen closely", product.title), None));
    views.push((View::Scene, own, format!("{}, in use at home", product.title), None));

    let kind: Kind = product.illustration.parse().map_err(|_| SeedError::Unknown(product.illustration.clone()))?;
    let (seed, _) = id("product", &product.handle).as_u64_pair();
    let mut drawn = Vec::with_capacity(views.len());
    for (view, hex, alt, color) in views {
        let finish = Finish { primary: hex, material: &product.material };
        let master = media.put_drawing(&illustrations::draw(kind, &finish, view, seed)).await?;
        drawn.push(Drawn { master, alt, color });
    }
    Ok(drawn)
}

/// The color of a material where no color is given.
fn hex_of(material: &str) -> &'static str {
    match material {
        "Briar" => "#7a4a2b",
        "Meerschaum" | "Ceramic" | "Soy wax" => "#e6dac3",
        "Corn cob" | "Paper" | "Rice" => "#d9b871",
        "Hemp" | "Flax" => "#b9a67a",
        "Cotton" => "#ece5d6",
        "Cherry wood" => "#8a3f2a",
        "Olive wood" => "#b28a54",
        "Walnut" => "#5a3b28",
        "Spanish cedar" => "#b5714a",
        "Brass" => "#c39a4a",
        "Copper" => "#b46a45",
        "Stainless steel" | "Steel" | "Zinc alloy" | "Aluminum" => "#a9adb0",
        "Leather" => "#7b4f31",
        "Glass" | "Crystal" => "#b8cbd0",
        "Silicone" | "Acrylic" => "#3d4a4f",
        "Wool" => "#4a5340",
        _ => "#8b6a4c",
    }
}

async fn insert_categories(conn: &mut Conn<'_>, categories: &[Category], now: i64) -> Result<(), SeedError> {
    const SQL: &str = "INSERT INTO categories (id, parent_id, slug, name, description, position, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    // Parents first.
    let (tops, children): (Vec<_>, Vec<_>) = categories.iter().partition(|category| category.parent.is_none());
    for category in tops.into_iter().chain(children) {
        sql!(&mut *conn, c => query(SQL)
            .bind(id("category", &category.slug))
            .bind(category.parent.as_ref().map(|parent| id("category", parent)))
            .bind(&category.slug)
            .bind(&category.name)
            .bind(&category.description)
            .bind(category.position)
            .bind(now)
            .execute(c).await.map(drop))?;
    }
    Ok(())
}

async fn insert_product(conn: &mut Conn<'_>, product: &Product, pictures: &[Drawn], now: i64) -> Result<(), SeedError> {
    const SQL: &str =
        "INSERT INTO products (id, handle, title, subtitle, description, highlights, details, category_id,
        material, compliance_class, status, popularity, released_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'active', $11, $12, $13)";
    let product_id = id("product", &product.handle);
    let (highlights, details) = (serde_json::to_string(&product.highlights)?, serde_json::to_string(&product.details)?);
    sql!(&mut *conn, c => query(SQL)
        .bind(product_id)
        .bind(&product.handle)
        .bind(&product.title)
        .bind(&product.subtitle)
        .bind(product.description.join("\n\n"))
        .bind(highlights)
        .bind(details)
        .bind(id("category", &product.category))
        .bind(&product.material)
        .bind(&product.compliance_class)
        .bind(product.popularity)
        .bind(now - product.released_days_ago * DAY_MS)
        .bind(now)
        .execute(c).await.map(drop))?;
    insert_pictures(conn, product, product_id, pictures).await?;
    insert_options(conn, product, product_id).await?;
    insert_variants(conn, product, product_id, pictures, now).await
}

async fn insert_pictures(
    conn: &mut Conn<'_>,
    product: &Product,
    product_id: Uuid,
    pictures: &[Drawn],
) -> Result<(), SeedError> {
    const SQL: &str = "INSERT INTO product_images (id, product_id, media_key, alt, width, height, position)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    const KNOWN: &str = "INSERT INTO pictures (media_key, width, height, uploaded_at) VALUES ($1, $2, $3, 0)
        ON CONFLICT (media_key) DO NOTHING";
    for (picture, position) in pictures.iter().zip(0_i64..) {
        sql!(&mut *conn, c => query(SQL)
            .bind(image_id(product, position))
            .bind(product_id)
            .bind(&picture.master.key)
            .bind(&picture.alt)
            .bind(i64::from(picture.master.width))
            .bind(i64::from(picture.master.height))
            .bind(position)
            .execute(c).await.map(drop))?;
        sql!(&mut *conn, c => query(KNOWN)
            .bind(&picture.master.key)
            .bind(i64::from(picture.master.width))
            .bind(i64::from(picture.master.height))
            .execute(c).await.map(drop))?;
    }
    Ok(())
}

fn image_id(product: &Product, position: i64) -> Uuid {
    id("image", &format!("{}/{position}", product.handle))
}

async fn insert_options(conn: &mut Conn<'_>, product: &Product, product_id: Uuid) -> Result<(), SeedError> {
    const OPTION: &str = "INSERT INTO product_options (id, product_id, name, position) VALUES ($1, $2, $3, $4)";
    const VALUE: &str = "INSERT INTO product_option_values (id, option_id, value, hex, position)
        VALUES ($1, $2, $3, $4, $5)";
    for (option, position) in product.options.iter().zip(0_i64..) {
        let option_id = id("option", &format!("{}/{}", product.handle, option.name));
        sql!(&mut *conn, c => query(OPTION).bind(option_id).bind(product_id).bind(&option.name).bind(position)
            .execute(c).await.map(drop))?;
        for (value, position) in option.values.iter().zip(0_i64..) {
            sql!(&mut *conn, c => query(VALUE)
                .bind(value_id(product, &option.name, &value.value))
                .bind(option_id)
                .bind(&value.value)
                .bind(value.hex.as_deref())
                .bind(position)
                .execute(c).await.map(drop))?;
        }
    }
    Ok(())
}

fn value_id(product: &Product, option: &str, value: &str) -> Uuid {
    id("value", &format!("{}/{option}/{value}", product.handle))
}

async fn insert_variants(
    conn: &mut Conn<'_>,
    product: &Product,
    product_id: Uuid,
    pictures: &[Drawn],
    now: i64,
) -> Result<(), SeedError> {
    const VARIANT: &str = "INSERT INTO product_variants (id, product_id, sku, title, price, compare_at_price, currency,
        weight_grams, image_id, position, updated_at) VALUES ($1, $2, $3, $4, $5, $6, 'USD', $7, $8, $9, $10)";
    const VALUE: &str = "INSERT INTO variant_option_values (variant_id, option_value_id) VALUES ($1, $2)";
    const STOCK: &str = "INSERT INTO stock_levels (variant_id, on_hand, reserved, low_stock_threshold, updated_at)
        VALUES ($1, $2, 0, $3, $4)";
    for (variant, position) in product.variants.iter().zip(0_i64..) {
        let variant_id = id("variant", &variant.sku);
        let picture = pictures
            .iter()
            .position(|picture| picture.color.as_ref().is_some_and(|color| variant.options.contains(color)))
            .and_then(|at| i64::try_from(at).ok())
            .unwrap_or(0);
        sql!(&mut *conn, c => query(VARIANT)
            .bind(variant_id)
            .bind(product_id)
            .bind(&variant.sku)
            .bind(variant.options.join(", "))
            .bind(variant.price)
            .bind(variant.compare_at_price)
            .bind(variant.weight_grams)
            .bind(image_id(product, picture))
            .bind(position)
            .bind(now)
            .execute(c).await.map(drop))?;
        for (option, value) in product.options.iter().zip(&variant.options) {
            sql!(&mut *conn, c => query(VALUE).bind(variant_id).bind(value_id(product, &option.name, value))
                .execute(c).await.map(drop))?;
        }
        sql!(&mut *conn, c => query(STOCK).bind(variant_id).bind(variant.stock).bind(LOW_STOCK_THRESHOLD).bind(now)
            .execute(c).await.map(drop))?;
    }
    Ok(())
}

async fn insert_related(conn: &mut Conn<'_>, product: &Product) -> Result<(), SeedError> {
    const SQL: &str = "INSERT INTO related_products (product_id, related_id, position) VALUES ($1, $2, $3)";
    for (related, position) in product.related.iter().zip(0_i64..) {
        sql!(&mut *conn, c => query(SQL)
            .bind(id("product", &product.handle))
            .bind(id("product", related))
            .bind(position)
            .execute(c).await.map(drop))?;
    }
    Ok(())
}

async fn insert_collection(conn: &mut Conn<'_>, collection: &Collection, position: i64) -> Result<(), SeedError> {
    const SQL: &str = "INSERT INTO collections (id, handle, title, description, position) VALUES ($1, $2, $3, $4, $5)";
    const PRODUCT: &str = "INSERT INTO collection_products (collection_id, product_id, position) VALUES ($1, $2, $3)";
    let collection_id = id("collection", &collection.handle);
    sql!(&mut *conn, c => query(SQL)
        .bind(collection_id)
        .bind(&collection.handle)
        .bind(&collection.title)
        .bind(&collection.description)
        .bind(position)
        .execute(c).await.map(drop))?;
    for (product, position) in collection.products.iter().zip(0_i64..) {
        sql!(&mut *conn, c => query(PRODUCT).bind(collection_id).bind(id("product", product)).bind(position)
            .execute(c).await.map(drop))?;
    }
    Ok(())
}

/// One code of each kind: name, kind, value, minimum subtotal, once per customer.
const PROMO_CODES: [(&str, &str, i64, i64, bool); 3] = [
    ("WELCOME10", "percent", 1_000, 0, true),
    ("BRIAR5", "amount", 500, 5_000, false),
    ("SHIPFREE", "free_shipping", 0, 7_500, false),
];

async fn insert_promo_codes(conn: &mut Conn<'_>) -> Result<(), SeedError> {
    const SQL: &str = "INSERT INTO promo_codes (id, code, kind, value, min_subtotal, used, once_per_customer, active)
        VALUES ($1, $2, $3, $4, $5, 0, $6, TRUE)";
    for (code, kind, value, min_subtotal, once) in PROMO_CODES {
        sql!(&mut *conn, c => query(SQL).bind(id("promo", code)).bind(code).bind(kind).bind(value).bind(min_subtotal)
            .bind(once).execute(c).await.map(drop))?;
    }
    Ok(())
}
