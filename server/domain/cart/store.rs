//! All SQL of carts.

use shop_base::db::{Conn, DbError, Lock};
use shop_base::sql;
use sqlx::FromRow;
use uuid::Uuid;

use super::model::CartItem;

#[derive(Clone, Debug, FromRow)]
pub struct CartRow {
    pub id: Uuid,
    pub promo_code: Option<String>,
    pub updated_at: i64,
}

pub async fn find_cart(conn: &mut Conn<'_>, user: Uuid) -> Result<Option<CartRow>, DbError> {
    const SQL: &str = "SELECT id, promo_code, updated_at FROM carts WHERE user_id = $1";
    Ok(sql!(conn, c => sqlx::query_as::<_, CartRow>(SQL).bind(user).fetch_optional(c).await)?)
}

/// The user's cart, created if missing and locked until the transaction ends.
pub async fn lock_cart(conn: &mut Conn<'_>, id: Uuid, user: Uuid) -> Result<CartRow, DbError> {
    const SQL: &str = "INSERT INTO carts (id, user_id, updated_at) VALUES ($1, $2, 0)
        ON CONFLICT (user_id) DO UPDATE SET updated_at = carts.updated_at RETURNING id, promo_code, updated_at";
    conn.takes(Lock::Cart(user));
    Ok(sql!(conn, c => sqlx::query_as::<_, CartRow>(SQL).bind(id).bind(user).fetch_one(c).await)?)
}

/// The user's cart if there is one, locked until the transaction ends.
pub async fn lock_existing(conn: &mut Conn<'_>, user: Uuid) -> Result<Option<CartRow>, DbError> {
    const SQL: &str =
        "UPDATE carts SET updated_at = updated_at WHERE user_id = $1 RETURNING id, promo_code, updated_at";
    conn.takes(Lock::Cart(user));
    Ok(sql!(conn, c => sqlx::query_as::<_, CartRow>(SQL).bind(user).fetch_optional(c).await)?)
}

pub async fn update_cart(conn: &mut Conn<'_>, id: Uuid, promo_code: Option<&str>, now: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE carts SET promo_code = $2, updated_at = $3 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(promo_code).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn list_items(conn: &mut Conn<'_>, cart: Uuid) -> Result<Vec<CartItem>, DbError> {
    #[derive(FromRow)]
    struct Row {
        variant_id: Uuid,
        quantity: i64,
        saved: bool,
        seen_price: i64,
    }
    const SQL: &str =
        "SELECT variant_id, quantity, saved, seen_price FROM cart_items WHERE cart_id = $1 ORDER BY position";
    let rows = sql!(conn, c => sqlx::query_as::<_, Row>(SQL).bind(cart).fetch_all(c).await)?;
    Ok(rows
        .into_iter()
        .map(|row| CartItem { id: row.variant_id, qty: row.quantity, price: Some(row.seen_price), saved: row.saved })
        .collect())
}

/// Replaces the cart's items, with the price that the shopper now sees.
pub async fn replace_items(
    conn: &mut Conn<'_>,
    cart: Uuid,
    items: impl Iterator<Item = (Uuid, i64, bool, i64)>,
) -> Result<(), DbError> {
    const DELETE: &str = "DELETE FROM cart_items WHERE cart_id = $1";
    const INSERT: &str = "INSERT INTO cart_items (cart_id, variant_id, quantity, saved, seen_price, position)
        VALUES ($1, $2, $3, $4, $5, $6)";
    sql!(&mut *conn, c => sqlx::query(DELETE).bind(cart).execute(c).await.map(drop))?;
    for ((variant, quantity, saved, seen), position) in items.zip(0_i64..) {
        sql!(&mut *conn, c => sqlx::query(INSERT).bind(cart).bind(variant).bind(quantity).bind(saved).bind(seen)
            .bind(position).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// Removes bought quantities from a user's cart; lines saved for later stay.
pub async fn remove_bought(conn: &mut Conn<'_>, user: Uuid, variant: Uuid, quantity: i64) -> Result<(), DbError> {
    const LOWER: &str =
        "UPDATE cart_items SET quantity = quantity - $3 WHERE variant_id = $2 AND saved = FALSE AND quantity > $3
        AND cart_id IN (SELECT id FROM carts WHERE user_id = $1)";
    const DELETE: &str = "DELETE FROM cart_items WHERE variant_id = $2 AND saved = FALSE
        AND cart_id IN (SELECT id FROM carts WHERE user_id = $1)";
    let lowered = sql!(&mut *conn, c => sqlx::query(LOWER).bind(user).bind(variant).bind(quantity).execute(c).await
        .map(|done| done.rows_affected()))?;
    if lowered == 0 {
        sql!(conn, c => sqlx::query(DELETE).bind(user).bind(variant).execute(c).await.map(drop))?;
    }
    Ok(())
}

pub async fn delete_cart(conn: &mut Conn<'_>, user: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM carts WHERE user_id = $1";
    conn.takes(Lock::Cart(user));
    sql!(conn, c => sqlx::query(SQL).bind(user).execute(c).await.map(drop))?;
    Ok(())
}
