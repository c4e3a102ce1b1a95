//! SQL of categories and collections for staff.

use shop_base::db::{Conn, DbError};
use shop_base::sql;
use uuid::Uuid;

use super::queries::{list_categories, list_collections};
use super::rows::{CategoryRow, CollectionRow};

/// Rows per statement: SQLite allows 32,766 parameters.
const AT_ONCE: usize = 1_000;

/// Locks the tree until the transaction ends, and returns it with siblings in order.
pub async fn lock_categories(conn: &mut Conn<'_>) -> Result<Vec<CategoryRow>, DbError> {
    if let Conn::Postgres(c) = &mut *conn {
        c.run(sqlx::query("LOCK TABLE categories IN SHARE ROW EXCLUSIVE MODE")).await?;
    }
    list_categories(conn).await
}

/// Locks a category until the transaction ends, once all who are saving products into it have finished. SQLite has only one writer anyway.
pub async fn lock_category(conn: &mut Conn<'_>, id: Uuid) -> Result<(), DbError> {
    if let Conn::Postgres(c) = conn {
        c.run(sqlx::query("SELECT id FROM categories WHERE id = $1 FOR UPDATE").bind(id)).await?;
    }
    Ok(())
}

pub async fn put_category(conn: &mut Conn<'_>, row: &CategoryRow, now: i64) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO categories (id, parent_id, slug, name, description, position, updated_at, version)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (id) DO UPDATE SET parent_id = excluded.parent_id, slug = excluded.slug, name = excluded.name,
        description = excluded.description, position = excluded.position, updated_at = excluded.updated_at,
        version = excluded.version";
    sql!(conn, c => sqlx::query(SQL).bind(row.id).bind(row.parent_id).bind(&row.slug).bind(&row.name)
        .bind(&row.description).bind(row.position).bind(now).bind(row.version).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn set_category_position(conn: &mut Conn<'_>, id: Uuid, position: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE categories SET position = $2 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(position).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn delete_category(conn: &mut Conn<'_>, id: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM categories WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn lock_collections(conn: &mut Conn<'_>) -> Result<Vec<CollectionRow>, DbError> {
    if let Conn::Postgres(c) = &mut *conn {
        c.run(sqlx::query("LOCK TABLE collections IN SHARE ROW EXCLUSIVE MODE")).await?;
    }
    list_collections(conn).await
}

pub async fn put_collection(conn: &mut Conn<'_>, row: &CollectionRow) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO collections (id, handle, title, description, position, version)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (id) DO UPDATE SET handle = excluded.handle, title = excluded.title,
        description = excluded.description, position = excluded.position, version = excluded.version";
    sql!(conn, c => sqlx::query(SQL).bind(row.id).bind(&row.handle).bind(&row.title).bind(&row.description)
        .bind(row.position).bind(row.version).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn set_collection_position(conn: &mut Conn<'_>, id: Uuid, position: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE collections SET position = $2 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(position).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn delete_collection(conn: &mut Conn<'_>, id: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM collections WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// The products of a collection, in order.
pub async fn list_member_ids(conn: &mut Conn<'_>, collection: Uuid) -> Result<Vec<Uuid>, DbError> {
    const SQL: &str =
        "SELECT product_id FROM collection_products WHERE collection_id = $1 ORDER BY position, product_id";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(collection).fetch_all(c).await)?)
}

/// Replaces a collection's products, in this order; unknown ids are skipped.
pub async fn replace_members(conn: &mut Conn<'_>, collection: Uuid, products: &[Uuid]) -> Result<(), DbError> {
    const DELETE: &str = "DELETE FROM collection_products WHERE collection_id = $1";
    const WITH: &str = "WITH wanted (product_id, position) AS (";
    const INSERT: &str = ") INSERT INTO collection_products (product_id, position, collection_id)
        SELECT wanted.product_id, wanted.position, ";
    const KNOWN: &str = " FROM wanted WHERE EXISTS (SELECT 1 FROM products p WHERE p.id = wanted.product_id)";
    sql!(&mut *conn, c => sqlx::query(DELETE).bind(collection).execute(c).await.map(drop))?;
    let rows: Vec<_> = products.iter().zip(0_i64..).collect();
    for rows in rows.chunks(AT_ONCE) {
        sql!(&mut *conn, c => sqlx::QueryBuilder::new(WITH)
            .push_values(rows, |mut row, (product, position)| { row.push_bind(**product).push_bind(*position); })
            .push(INSERT).push_bind(collection).push(KNOWN).build().persistent(false).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// Makes editors that have read these products, which are locked, read them again.
pub async fn raise_product_versions(conn: &mut Conn<'_>, products: &[Uuid]) -> Result<(), DbError> {
    const SQL: &str = "UPDATE products SET version = version + 1 WHERE id IN (";
    for products in products.chunks(AT_ONCE) {
        sql!(&mut *conn, c => {
            let mut query = sqlx::QueryBuilder::new(SQL);
            let mut list = query.separated(", ");
            for product in products {
                list.push_bind(*product);
            }
            query.push(")").build().execute(c).await.map(drop)
        })?;
    }
    Ok(())
}
