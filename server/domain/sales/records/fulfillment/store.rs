//! All SQL of parcels and handovers.

use shop_base::db::{Conn, DbError, PushIds};
use shop_base::sql;
use uuid::Uuid;

use super::rows::{Fulfillment, Packed};

pub async fn insert_fulfillment(conn: &mut Conn<'_>, fulfillment: &Fulfillment) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO fulfillments (id, order_id, kind, carrier, tracking_number, tracking_url,
        adult_signature, label, shipped_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    sql!(conn, c => sqlx::query(SQL).bind(fulfillment.id).bind(fulfillment.order_id).bind(fulfillment.kind.text())
        .bind(&fulfillment.carrier).bind(&fulfillment.tracking_number).bind(fulfillment.tracking_url.as_deref())
        .bind(fulfillment.adult_signature).bind(fulfillment.label).bind(fulfillment.shipped_at)
        .execute(c).await.map(drop))?;
    Ok(())
}

pub async fn insert_line(conn: &mut Conn<'_>, packed: &Packed) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO fulfillment_lines (fulfillment_id, line_id, quantity) VALUES ($1, $2, $3)";
    sql!(conn, c => sqlx::query(SQL).bind(packed.fulfillment_id).bind(packed.line_id).bind(packed.quantity)
        .execute(c).await.map(drop))?;
    Ok(())
}

/// The fulfillments of an order, the oldest first.
pub async fn list_fulfillments(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<Fulfillment>, DbError> {
    list_fulfillments_of_all(conn, &[order]).await
}

/// The fulfillments of many orders, the oldest first.
pub async fn list_fulfillments_of_all(conn: &mut Conn<'_>, orders: &[Uuid]) -> Result<Vec<Fulfillment>, DbError> {
    const SQL: &str = "SELECT id, order_id, kind, carrier, tracking_number, tracking_url, adult_signature, label,
        shipped_at, delivered_at FROM fulfillments WHERE order_id";
    Ok(sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new(SQL);
        query.push_ids(orders).push(" ORDER BY shipped_at, id");
        query.build_query_as::<Fulfillment>().fetch_all(c).await
    })?)
}

/// The contents of an order's parcels.
pub async fn list_lines(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<Packed>, DbError> {
    const SQL: &str = "SELECT l.fulfillment_id, l.line_id, l.quantity FROM fulfillment_lines l
        JOIN fulfillments f ON f.id = l.fulfillment_id JOIN order_lines o ON o.id = l.line_id
        WHERE f.order_id = $1 ORDER BY o.position";
    Ok(sql!(conn, c => sqlx::query_as::<_, Packed>(SQL).bind(order).fetch_all(c).await)?)
}

/// Marks a parcel as not delivered.
pub async fn set_undelivered(conn: &mut Conn<'_>, fulfillment: Uuid) -> Result<(), DbError> {
    const SQL: &str = "UPDATE fulfillments SET delivered_at = NULL WHERE id = $1";
    Ok(sql!(conn, c => sqlx::query(SQL).bind(fulfillment).execute(c).await.map(drop))?)
}

/// Deletes a parcel or handover and its contents.
pub async fn delete_fulfillment(conn: &mut Conn<'_>, fulfillment: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM fulfillments WHERE id = $1";
    Ok(sql!(conn, c => sqlx::query(SQL).bind(fulfillment).execute(c).await.map(drop))?)
}

/// Marks a parcel as delivered; false if it is not one of the order's parcels or already delivered.
pub async fn set_delivered(conn: &mut Conn<'_>, order: Uuid, fulfillment: Uuid, now: i64) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE fulfillments SET delivered_at = $3
        WHERE id = $2 AND order_id = $1 AND kind = 'parcel' AND delivered_at IS NULL";
    let rows = sql!(conn, c => sqlx::query(SQL).bind(order).bind(fulfillment).bind(now).execute(c).await
        .map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}
