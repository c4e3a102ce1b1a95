//! All SQL of popularity.

use std::collections::HashMap;

use shop_base::db::{Conn, DbError};
use shop_base::sql;
use uuid::Uuid;

/// The popularity of every product, by which lists are ordered.
pub async fn list_popularity(conn: &mut Conn<'_>) -> Result<Vec<(Uuid, i64)>, DbError> {
    const SQL: &str = "SELECT id, popularity FROM products ORDER BY id";
    Ok(sql!(conn, c => sqlx::query_as(SQL).fetch_all(c).await)?)
}

pub async fn set_popularity(conn: &mut Conn<'_>, products: &[(Uuid, i64)]) -> Result<(), DbError> {
    const SQL: &str = "UPDATE products SET popularity = $2 WHERE id = $1";
    for (id, popularity) in products {
        sql!(&mut *conn, c => sqlx::query(SQL).bind(*id).bind(*popularity).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// The related products of every product that has some.
pub async fn list_all_related(conn: &mut Conn<'_>) -> Result<HashMap<Uuid, Vec<Uuid>>, DbError> {
    const SQL: &str = "SELECT product_id, related_id FROM related_products ORDER BY product_id, position";
    let rows = sql!(conn, c => sqlx::query_as::<_, (Uuid, Uuid)>(SQL).fetch_all(c).await)?;
    let mut related: HashMap<Uuid, Vec<Uuid>> = HashMap::new();
    for (product, other) in rows {
        related.entry(product).or_default().push(other);
    }
    Ok(related)
}

/// Skips products that no longer exist.
pub async fn replace_related(conn: &mut Conn<'_>, products: &[(Uuid, Vec<Uuid>)]) -> Result<(), DbError> {
    const DELETE: &str = "DELETE FROM related_products WHERE product_id = $1";
    const INSERT: &str = "INSERT INTO related_products (product_id, related_id, position)
        SELECT p.id, r.id, $3 FROM products p JOIN products r ON r.id = $2 WHERE p.id = $1";
    for (product, related) in products {
        sql!(&mut *conn, c => sqlx::query(DELETE).bind(*product).execute(c).await.map(drop))?;
        for (other, position) in related.iter().zip(0_i64..) {
            sql!(&mut *conn, c => sqlx::query(INSERT).bind(*product).bind(*other).bind(position).execute(c).await
                .map(drop))?;
        }
    }
    Ok(())
}
