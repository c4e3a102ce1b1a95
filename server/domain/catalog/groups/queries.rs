//! Queries of categories and collections for staff.

use shop_base::db::{Conn, DbError};
use shop_base::sql;
use uuid::Uuid;

use super::rows::{CategoryRow, CollectionRow};

pub async fn list_categories(conn: &mut Conn<'_>) -> Result<Vec<CategoryRow>, DbError> {
    const SQL: &str =
        "SELECT id, parent_id, slug, name, description, position, version FROM categories ORDER BY position, slug";
    Ok(sql!(conn, c => sqlx::query_as::<_, CategoryRow>(SQL).fetch_all(c).await)?)
}

/// The number of products directly in each category.
pub async fn count_products(conn: &mut Conn<'_>) -> Result<Vec<(Uuid, i64)>, DbError> {
    const SQL: &str = "SELECT category_id, COUNT(*) FROM products GROUP BY category_id";
    Ok(sql!(conn, c => sqlx::query_as::<_, (Uuid, i64)>(SQL).fetch_all(c).await)?)
}

pub async fn list_collections(conn: &mut Conn<'_>) -> Result<Vec<CollectionRow>, DbError> {
    const SQL: &str =
        "SELECT id, handle, title, description, position, version FROM collections ORDER BY position, handle";
    Ok(sql!(conn, c => sqlx::query_as::<_, CollectionRow>(SQL).fetch_all(c).await)?)
}

/// Collection id, product id and product title of all members, in order.
pub async fn list_members(conn: &mut Conn<'_>) -> Result<Vec<(Uuid, Uuid, String)>, DbError> {
    const SQL: &str = "SELECT m.collection_id, p.id, p.title FROM collection_products m
        JOIN products p ON p.id = m.product_id ORDER BY m.collection_id, m.position, p.id";
    Ok(sql!(conn, c => sqlx::query_as::<_, (Uuid, Uuid, String)>(SQL).fetch_all(c).await)?)
}
