//! All SQL of returns.

use shop_base::db::{Conn, DbError};
use shop_base::sql;
use uuid::Uuid;

use super::model::ReturnStatus;
use super::rows::{Return, ReturnLine};

pub async fn insert_return(conn: &mut Conn<'_>, new: &Return) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO returns (id, order_id, status, reason, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $5)";
    sql!(conn, c => sqlx::query(SQL).bind(new.id).bind(new.order_id).bind(new.status.text()).bind(&new.reason)
        .bind(new.created_at).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn insert_line(conn: &mut Conn<'_>, line: &ReturnLine) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO return_lines (return_id, line_id, quantity, restocked, written_off)
        VALUES ($1, $2, $3, $4, $5)";
    sql!(conn, c => sqlx::query(SQL).bind(line.return_id).bind(line.line_id).bind(line.quantity).bind(line.restocked)
        .bind(line.written_off).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn set_arrived(conn: &mut Conn<'_>, line: &ReturnLine) -> Result<(), DbError> {
    const SQL: &str = "UPDATE return_lines SET restocked = $3, written_off = $4 WHERE return_id = $1 AND line_id = $2";
    sql!(conn, c => sqlx::query(SQL).bind(line.return_id).bind(line.line_id).bind(line.restocked).bind(line.written_off)
        .execute(c).await.map(drop))?;
    Ok(())
}

pub async fn set_status(
    conn: &mut Conn<'_>,
    id: Uuid,
    status: ReturnStatus,
    refund: Option<Uuid>,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str = "UPDATE returns SET status = $2, refund_id = $3, updated_at = $4 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(status.text()).bind(refund).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn set_message(conn: &mut Conn<'_>, id: Uuid, message: &str) -> Result<(), DbError> {
    const SQL: &str = "UPDATE returns SET message = $2 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(message).execute(c).await.map(drop))?;
    Ok(())
}

/// The returns of an order, the oldest first.
pub async fn list_returns(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<Return>, DbError> {
    const SQL: &str = "SELECT id, order_id, status, reason, message, refund_id, created_at FROM returns
        WHERE order_id = $1 ORDER BY created_at, id";
    Ok(sql!(conn, c => sqlx::query_as::<_, Return>(SQL).bind(order).fetch_all(c).await)?)
}

/// The lines of an order's returns.
pub async fn list_lines(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<ReturnLine>, DbError> {
    const SQL: &str = "SELECT l.return_id, l.line_id, l.quantity, l.restocked, l.written_off FROM return_lines l
        JOIN returns r ON r.id = l.return_id JOIN order_lines o ON o.id = l.line_id
        WHERE r.order_id = $1 ORDER BY o.position";
    Ok(sql!(conn, c => sqlx::query_as::<_, ReturnLine>(SQL).bind(order).fetch_all(c).await)?)
}

/// Erases what buyer and staff have typed.
pub async fn erase_texts(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    const SQL: &str = "UPDATE returns SET reason = '', message = '' WHERE order_id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).execute(c).await.map(drop))?;
    Ok(())
}
