//! SQL of the command palette's search.

use shop_base::db::list::Filter;
use shop_base::db::{Conn, DbError, list};
use shop_base::fetch_all;
use shop_platform::staff_search::model::Kind;
use shop_platform::staff_search::service::narrow;
use sqlx::FromRow;
use uuid::Uuid;

use crate::admin::orders::queries::search;

#[derive(Debug, FromRow)]
pub struct FoundOrder {
    pub number: String,
    pub email: String,
    pub total: i64,
}

#[derive(Debug, FromRow)]
pub struct FoundProduct {
    pub id: Uuid,
    pub title: String,
    pub status: String,
}

#[derive(Debug, FromRow)]
pub struct FoundCustomer {
    pub id: Uuid,
    pub name: String,
    pub email: String,
}

/// The newest orders that match these words.
pub async fn list_orders(conn: &mut Conn<'_>, typed: &str) -> Result<Vec<FoundOrder>, DbError> {
    newest(conn, typed, "o.placed_at IS NOT NULL").await
}

/// The newest unfinished checkouts that match these words.
pub async fn list_checkouts(conn: &mut Conn<'_>, typed: &str) -> Result<Vec<FoundOrder>, DbError> {
    newest(conn, typed, "o.placed_at IS NULL").await
}

async fn newest(conn: &mut Conn<'_>, typed: &str, condition: &str) -> Result<Vec<FoundOrder>, DbError> {
    let mut filter = Filter::default();
    filter.and(condition, []);
    search(conn, &mut filter, typed).await?;
    let filter = list::first(conn, "orders o", filter).await?;
    let found = list::statement("SELECT number, email, total FROM orders o", &filter, " ORDER BY o.id DESC LIMIT 5");
    Ok(fetch_all!(conn, FoundOrder, found)?)
}

/// The newest draft orders that match these words.
pub async fn list_drafts(conn: &mut Conn<'_>, typed: &str) -> Result<Vec<FoundOrder>, DbError> {
    let mut filter = Filter::default();
    narrow(conn, &mut filter, Kind::Draft, "d.id", typed).await?;
    let filter = list::first(conn, "draft_orders d", filter).await?;
    let found = list::statement(
        "SELECT number, email, total FROM draft_orders d",
        &filter,
        " ORDER BY d.created_at DESC, d.id DESC LIMIT 5",
    );
    Ok(fetch_all!(conn, FoundOrder, found)?)
}

pub async fn list_products(conn: &mut Conn<'_>, typed: &str) -> Result<Vec<FoundProduct>, DbError> {
    let mut filter = Filter::default();
    narrow(conn, &mut filter, Kind::Product, "p.id", typed).await?;
    let filter = list::first(conn, "products p", filter).await?;
    let found = list::statement("SELECT id, title, status FROM products p", &filter, " ORDER BY p.title, p.id LIMIT 5");
    Ok(fetch_all!(conn, FoundProduct, found)?)
}

pub async fn list_customers(conn: &mut Conn<'_>, typed: &str) -> Result<Vec<FoundCustomer>, DbError> {
    let mut filter = Filter::default();
    narrow(conn, &mut filter, Kind::Customer, "u.id", typed).await?;
    let filter = list::first(conn, "users u", filter).await?;
    let found = list::statement("SELECT id, name, email FROM users u", &filter, " ORDER BY u.name, u.id LIMIT 5");
    Ok(fetch_all!(conn, FoundCustomer, found)?)
}
