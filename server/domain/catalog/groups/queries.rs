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

/// Whether this was a category's slug before a change of it, which the audit log has.
pub async fn had_slug(conn: &mut Conn<'_>, category: Uuid, slug: &str) -> Result<bool, DbError> {
    const SQL: &str = "SELECT EXISTS (SELECT 1 FROM audit_entries WHERE subject_kind = 'category' AND subject_id = $1
        AND action = 'category.update' AND before LIKE $2)";
    let (id, field) = (category.to_string(), format!("%\"slug\":\"{slug}\"%"));
    Ok(sql!(conn, c => sqlx::query_scalar::<_, bool>(SQL).bind(id).bind(field).fetch_one(c).await)?)
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

pub async fn find_collection(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<CollectionRow>, DbError> {
    const SQL: &str = "SELECT id, handle, title, description, position, version FROM collections WHERE id = $1";
    Ok(sql!(conn, c => sqlx::query_as::<_, CollectionRow>(SQL).bind(id).fetch_optional(c).await)?)
}

/// Id and title of the products of a collection, in order.
pub async fn list_members(conn: &mut Conn<'_>, collection: Uuid) -> Result<Vec<(Uuid, String)>, DbError> {
    const SQL: &str = "SELECT p.id, p.title FROM collection_products m JOIN products p ON p.id = m.product_id
        WHERE m.collection_id = $1 ORDER BY m.position, p.id";
    Ok(sql!(conn, c => sqlx::query_as::<_, (Uuid, String)>(SQL).bind(collection).fetch_all(c).await)?)
}

/// Of each collection the titles of its first products, in order, each with its collection's id and number of products.
pub async fn list_first_members(conn: &mut Conn<'_>, most: i64) -> Result<Vec<(Uuid, i64, String)>, DbError> {
    const SQL: &str = "SELECT m.collection_id, m.members, p.title FROM (
            SELECT collection_id, product_id,
                ROW_NUMBER() OVER (PARTITION BY collection_id ORDER BY position, product_id) AS place,
                COUNT(*) OVER (PARTITION BY collection_id) AS members FROM collection_products
        ) m JOIN products p ON p.id = m.product_id WHERE m.place <= $1 ORDER BY m.collection_id, m.place";
    Ok(sql!(conn, c => sqlx::query_as::<_, (Uuid, i64, String)>(SQL).bind(most).fetch_all(c).await)?)
}
