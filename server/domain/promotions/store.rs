//! All SQL of promotions.

use std::collections::BTreeSet;

use shop_base::db::{Conn, DbError, Lock, PushIds, decoded};
use shop_base::email::mailbox;
use shop_base::sql;
use sqlx::FromRow;
use uuid::Uuid;

use super::model::{Benefit, Grant, Promo};

pub async fn find_promo(conn: &mut Conn<'_>, code: &str) -> Result<Option<Promo>, DbError> {
    #[derive(FromRow)]
    struct Row {
        id: Uuid,
        code: String,
        kind: String,
        value: i64,
        min_subtotal: i64,
        starts_at: Option<i64>,
        ends_at: Option<i64>,
        max_uses: Option<i64>,
        used: i64,
        once_per_customer: bool,
        active: bool,
    }
    const SQL: &str =
        "SELECT id, code, kind, value, min_subtotal, starts_at, ends_at, max_uses, used, once_per_customer, active
        FROM promo_codes WHERE code = $1";
    let row = sql!(conn, c => sqlx::query_as::<_, Row>(SQL).bind(code).fetch_optional(c).await)?;
    Ok(row.map(|row| Promo {
        id: row.id,
        code: row.code,
        benefit: match row.kind.as_str() {
            "percent" => Benefit::Percent(row.value),
            "amount" => Benefit::Amount(row.value),
            _ => Benefit::FreeShipping,
        },
        min_subtotal: row.min_subtotal,
        starts_at: row.starts_at,
        ends_at: row.ends_at,
        max_uses: row.max_uses,
        used: row.used,
        once_per_customer: row.once_per_customer,
        active: row.active,
    }))
}

/// The other orders with which the customer with this email address has redeemed the code, also before its limit was switched on: for each,
/// whether it was placed. One order may be in the list twice.
pub async fn list_redeemed(
    conn: &mut Conn<'_>,
    promo: Uuid,
    email: &str,
    order: Option<Uuid>,
) -> Result<Vec<bool>, DbError> {
    // A code may have many uses and an address has few orders, so SQLite has to begin with those: it keeps the order of a CROSS JOIN.
    // Orders have the address as it was typed.
    const SQL: &str = "SELECT o.placed_at IS NOT NULL FROM promo_redemptions r CROSS JOIN orders o
            WHERE r.promo_id = $1 AND r.customer = $2 AND r.order_id <> $3 AND o.id = r.order_id
        UNION ALL SELECT o.placed_at IS NOT NULL FROM orders o CROSS JOIN promo_redemptions r
            WHERE lower(o.email) IN ($2, lower($4)) AND r.order_id = o.id AND r.promo_id = $1 AND o.id <> $3";
    let (customer, order) = (mailbox(email), order.unwrap_or_default());
    Ok(sql!(conn, c => sqlx::query_scalar::<_, bool>(SQL).bind(promo).bind(customer).bind(order).bind(email)
        .fetch_all(c).await)?)
}

/// Whether an order uses the code.
pub async fn is_used_by(conn: &mut Conn<'_>, promo: Uuid, order: Uuid) -> Result<bool, DbError> {
    const SQL: &str = "SELECT EXISTS (SELECT 1 FROM promo_redemptions WHERE order_id = $1 AND promo_id = $2)";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, bool>(SQL).bind(order).bind(promo).fetch_one(c).await)?)
}

/// Inserts and counts the redemption of an order's code if it is missing and the code has uses left. `customer` is the buyer's mailbox.
pub async fn restore_redemption(conn: &mut Conn<'_>, order: Uuid, customer: &str) -> Result<(), DbError> {
    const INSERT: &str = "INSERT INTO promo_redemptions (order_id, promo_id, customer)
        SELECT o.id, p.id, CASE WHEN p.once_per_customer THEN $3 ELSE $2 END
        FROM orders o JOIN promo_codes p ON p.id = o.promo_id WHERE o.id = $1
        ON CONFLICT DO NOTHING RETURNING promo_id";
    const DELETE: &str = "DELETE FROM promo_redemptions WHERE order_id = $1";
    let promo = sql!(&mut *conn, c => sqlx::query_scalar::<_, Uuid>(INSERT).bind(order).bind(order.to_string())
        .bind(customer).fetch_optional(c).await)?;
    if let Some(promo) = promo
        && !count_use(conn, promo).await?
    {
        sql!(conn, c => sqlx::query(DELETE).bind(order).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// Counts one more use. False if there is none left.
pub async fn count_use(conn: &mut Conn<'_>, promo: Uuid) -> Result<bool, DbError> {
    conn.takes(Lock::PromoCode(promo));
    const SQL: &str = "UPDATE promo_codes SET used = used + 1 WHERE id = $1 AND (max_uses IS NULL OR used < max_uses)";
    Ok(sql!(conn, c => sqlx::query(SQL).bind(promo).execute(c).await.map(|done| done.rows_affected()))? == 1)
}

/// Inserts a redemption. False if this customer already has one.
pub async fn insert_redemption(conn: &mut Conn<'_>, order: Uuid, promo: Uuid, customer: &str) -> Result<bool, DbError> {
    const SQL: &str = "INSERT INTO promo_redemptions (order_id, promo_id, customer) VALUES ($1, $2, $3)
        ON CONFLICT DO NOTHING";
    let rows = sql!(conn, c => sqlx::query(SQL).bind(order).bind(promo).bind(customer).execute(c).await
        .map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// Deletes an order's redemption and subtracts its use.
pub async fn delete_redemption(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    const DELETE: &str = "DELETE FROM promo_redemptions WHERE order_id = $1 RETURNING promo_id";
    const RETURN: &str = "UPDATE promo_codes SET used = used - 1 WHERE id = $1 AND used > 0";
    let promo = sql!(&mut *conn, c => sqlx::query_scalar::<_, Uuid>(DELETE).bind(order).fetch_optional(c).await)?;
    if let Some(promo) = promo {
        conn.takes(Lock::PromoCode(promo));
        sql!(conn, c => sqlx::query(RETURN).bind(promo).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// Inserts a code; false if the name is taken.
pub async fn insert_promo(conn: &mut Conn<'_>, id: Uuid, code: &str, grant: &Grant, now: i64) -> Result<bool, DbError> {
    const SQL: &str =
        "INSERT INTO promo_codes (id, code, kind, value, min_subtotal, starts_at, ends_at, max_uses, used,
        once_per_customer, active, version, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10, 1, $11)
        ON CONFLICT (code) DO NOTHING";
    let rows = sql!(conn, c => sqlx::query(SQL).bind(id).bind(code).bind(grant.kind.text()).bind(grant.value)
        .bind(grant.min_subtotal).bind(grant.starts_at).bind(grant.ends_at).bind(grant.max_uses)
        .bind(grant.once_per_customer).bind(grant.active).bind(now).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// Locks the codes that these orders use, and the one that will replace them, in the order of their ids.
pub async fn lock_of_orders(conn: &mut Conn<'_>, orders: &[Uuid], instead: Option<Uuid>) -> Result<(), DbError> {
    const USED: &str = "SELECT promo_id FROM promo_redemptions WHERE order_id";
    const LOCK: &str = "UPDATE promo_codes SET version = version WHERE id = $1";
    let used: Vec<Uuid> = sql!(&mut *conn, c => {
        let mut query = sqlx::QueryBuilder::new(USED);
        query.push_ids(orders).build_query_scalar().fetch_all(c).await
    })?;
    let codes: BTreeSet<Uuid> = used.into_iter().chain(instead).collect();
    for code in codes {
        conn.takes(Lock::PromoCode(code));
        sql!(&mut *conn, c => sqlx::query(LOCK).bind(code).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// A code's name, uses, version and terms, locked until the transaction ends.
pub async fn lock_promo(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<(String, i64, i64, Grant)>, DbError> {
    #[derive(FromRow)]
    struct Row {
        code: String,
        used: i64,
        version: i64,
        kind: String,
        value: i64,
        min_subtotal: i64,
        starts_at: Option<i64>,
        ends_at: Option<i64>,
        max_uses: Option<i64>,
        once_per_customer: bool,
        active: bool,
    }
    const SQL: &str =
        "UPDATE promo_codes SET version = version WHERE id = $1 RETURNING code, used, version, kind, value,
        min_subtotal, starts_at, ends_at, max_uses, once_per_customer, active";
    conn.takes(Lock::PromoCode(id));
    let Some(row) = sql!(conn, c => sqlx::query_as::<_, Row>(SQL).bind(id).fetch_optional(c).await)? else {
        return Ok(None);
    };
    let grant = Grant {
        kind: decoded("kind", row.kind.parse())?,
        value: row.value,
        min_subtotal: row.min_subtotal,
        starts_at: row.starts_at,
        ends_at: row.ends_at,
        max_uses: row.max_uses,
        once_per_customer: row.once_per_customer,
        active: row.active,
    };
    Ok(Some((row.code, row.used, row.version, grant)))
}

pub async fn update_promo(conn: &mut Conn<'_>, id: Uuid, grant: &Grant) -> Result<(), DbError> {
    const SQL: &str = "UPDATE promo_codes SET kind = $2, value = $3, min_subtotal = $4, starts_at = $5, ends_at = $6,
        max_uses = $7, once_per_customer = $8, active = $9, version = version + 1 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(grant.kind.text()).bind(grant.value).bind(grant.min_subtotal)
        .bind(grant.starts_at).bind(grant.ends_at).bind(grant.max_uses).bind(grant.once_per_customer)
        .bind(grant.active).execute(c).await.map(drop))?;
    Ok(())
}

/// Replaces the customer with the order's id.
pub async fn forget_customer(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    const SQL: &str = "UPDATE promo_redemptions SET customer = $2 WHERE order_id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).bind(order.to_string()).execute(c).await.map(drop))?;
    Ok(())
}
