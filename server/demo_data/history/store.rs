//! SQL of the history: what is for sale, and the stock it requires.

use std::collections::HashMap;

use shop_base::clock::Clock;
use shop_base::db::{Conn, DbError};
use shop_base::ids::new_id;
use shop_base::sql;
use sqlx::FromRow;
use uuid::Uuid;

/// A variant that can be sold online.
#[derive(Clone, Debug, FromRow)]
pub struct Good {
    pub id: Uuid,
    pub sku: String,
    pub handle: String,
}

pub async fn has_orders(conn: &mut Conn<'_>) -> Result<bool, DbError> {
    let count: i64 = sql!(conn, c => sqlx::query_scalar("SELECT COUNT(*) FROM orders").fetch_one(c).await)?;
    Ok(count > 0)
}

/// The most popular first.
pub async fn list_goods(conn: &mut Conn<'_>) -> Result<Vec<Good>, DbError> {
    const SQL: &str = "SELECT v.id AS id, v.sku AS sku, p.handle AS handle FROM product_variants v
        JOIN products p ON p.id = v.product_id JOIN stock_levels s ON s.variant_id = v.id
        WHERE p.status = 'active' AND s.on_hand > 0 AND p.compliance_class IN ('general_merchandise', 'smoking_accessory')
        ORDER BY p.popularity DESC, v.sku";
    Ok(sql!(conn, c => sqlx::query_as(SQL).fetch_all(c).await)?)
}

pub async fn find_user(conn: &mut Conn<'_>, subject: &str) -> Result<Uuid, DbError> {
    const SQL: &str = "SELECT id FROM users WHERE subject = $1";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(subject).fetch_one(c).await)?)
}

/// Receives goods into stock.
pub async fn receive(conn: &mut Conn<'_>, clock: &dyn Clock, goods: &HashMap<Uuid, i64>) -> Result<(), DbError> {
    const LEVEL: &str = "UPDATE stock_levels SET on_hand = on_hand + $2, updated_at = $3 WHERE variant_id = $1";
    const MOVEMENT: &str =
        "INSERT INTO stock_movements (id, variant_id, kind, quantity, at) VALUES ($1, $2, 'adjustment', $3, $4)";
    let now = clock.now_ms();
    for (variant, quantity) in goods {
        sql!(&mut *conn, c => sqlx::query(LEVEL).bind(variant).bind(quantity).bind(now).execute(c).await.map(drop))?;
        sql!(&mut *conn, c => sqlx::query(MOVEMENT).bind(new_id(clock)).bind(variant).bind(quantity).bind(now)
            .execute(c).await.map(drop))?;
    }
    Ok(())
}

/// Makes today's rules valid from an earlier day on: the shop's first rules are younger than its history. Returns the original dates.
pub async fn open_rules(conn: &mut Conn<'_>, from: &str) -> Result<Vec<(Uuid, String)>, DbError> {
    const SQL: &str = "SELECT id, valid_from FROM compliance_rules WHERE valid_until IS NULL";
    let rules: Vec<(Uuid, String)> = sql!(&mut *conn, c => sqlx::query_as(SQL).fetch_all(c).await)?;
    let early: Vec<(Uuid, String)> = rules.iter().map(|(id, _)| (*id, from.to_owned())).collect();
    close_rules(conn, &early).await?;
    Ok(rules)
}

/// Restores the first day of each rule.
pub async fn close_rules(conn: &mut Conn<'_>, rules: &[(Uuid, String)]) -> Result<(), DbError> {
    const SQL: &str = "UPDATE compliance_rules SET valid_from = $2 WHERE id = $1";
    for (id, from) in rules {
        sql!(&mut *conn, c => sqlx::query(SQL).bind(id).bind(from).execute(c).await.map(drop))?;
    }
    Ok(())
}
