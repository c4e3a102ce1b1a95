//! SQL of categories and collections as staff keep them.

use sqlx::FromRow;
use uuid::Uuid;

use crate::db::{Conn, DbError};
use crate::sql;

#[derive(Clone, Debug, FromRow)]
pub struct CategoryRow {
    pub id: Uuid,
    pub parent_id: Option<Uuid>,
    pub slug: String,
    pub name: String,
    pub description: String,
    pub position: i64,
    pub version: i64,
}

/// Keeps others from changing the tree until the transaction ends, and answers with it, siblings in order.
pub async fn lock_categories(conn: &mut Conn<'_>) -> Result<Vec<CategoryRow>, DbError> {
    if let Conn::Postgres(c) = &mut *conn {
        sqlx::query("LOCK TABLE categories IN SHARE ROW EXCLUSIVE MODE").execute(&mut **c).await?;
    }
    list_categories(conn).await
}

pub async fn list_categories(conn: &mut Conn<'_>) -> Result<Vec<CategoryRow>, DbError> {
    const SQL: &str =
        "SELECT id, parent_id, slug, name, description, position, version FROM categories ORDER BY position, slug";
    Ok(sql!(conn, c => sqlx::query_as::<_, CategoryRow>(SQL).fetch_all(c).await)?)
}

/// How many products each category has itself.
pub async fn count_products(conn: &mut Conn<'_>) -> Result<Vec<(Uuid, i64)>, DbError> {
    const SQL: &str = "SELECT category_id, COUNT(*) FROM products GROUP BY category_id";
    Ok(sql!(conn, c => sqlx::query_as::<_, (Uuid, i64)>(SQL).fetch_all(c).await)?)
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

#[derive(Clone, Debug, FromRow)]
pub struct CollectionRow {
    pub id: Uuid,
    pub handle: String,
    pub title: String,
    pub description: String,
    pub position: i64,
    pub version: i64,
}

pub async fn lock_collections(conn: &mut Conn<'_>) -> Result<Vec<CollectionRow>, DbError> {
    if let Conn::Postgres(c) = &mut *conn {
        sqlx::query("LOCK TABLE collections IN SHARE ROW EXCLUSIVE MODE").execute(&mut **c).await?;
    }
    list_collections(conn).await
}

pub async fn list_collections(conn: &mut Conn<'_>) -> Result<Vec<CollectionRow>, DbError> {
    const SQL: &str =
        "SELECT id, handle, title, description, position, version FROM collections ORDER BY position, handle";
    Ok(sql!(conn, c => sqlx::query_as::<_, CollectionRow>(SQL).fetch_all(c).await)?)
}

/// Collection, product and title of all members, in order.
pub async fn list_members(conn: &mut Conn<'_>) -> Result<Vec<(Uuid, Uuid, String)>, DbError> {
    const SQL: &str = "SELECT m.collection_id, p.id, p.title FROM collection_products m
        JOIN products p ON p.id = m.product_id ORDER BY m.collection_id, m.position, p.id";
    Ok(sql!(conn, c => sqlx::query_as::<_, (Uuid, Uuid, String)>(SQL).fetch_all(c).await)?)
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

/// Makes these a collection's products, in this order; ids that are none are left out.
pub async fn replace_members(conn: &mut Conn<'_>, collection: Uuid, products: &[Uuid]) -> Result<(), DbError> {
    const DELETE: &str = "DELETE FROM collection_products WHERE collection_id = $1";
    const INSERT: &str = "INSERT INTO collection_products (collection_id, product_id, position)
        SELECT $1, id, $3 FROM products WHERE id = $2";
    sql!(&mut *conn, c => sqlx::query(DELETE).bind(collection).execute(c).await.map(drop))?;
    for (product, position) in products.iter().zip(0_i64..) {
        sql!(&mut *conn, c => sqlx::query(INSERT).bind(collection).bind(*product).bind(position).execute(c).await
            .map(drop))?;
    }
    Ok(())
}
