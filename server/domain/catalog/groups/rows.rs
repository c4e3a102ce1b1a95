//! Rows of categories and collections.

use sqlx::FromRow;
use uuid::Uuid;

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

#[derive(Clone, Debug, FromRow)]
pub struct CollectionRow {
    pub id: Uuid,
    pub handle: String,
    pub title: String,
    pub description: String,
    pub position: i64,
    pub version: i64,
}
