//! SQL of the figures that are the same on each node. Each statement reads few rows, through an index.

use shop_base::db::{Conn, DbError};
use shop_base::sql;
use shop_domain::sales::records::payments::model::AttemptStatus;
use sqlx::FromRow;

/// Payments in a status that is not final.
#[derive(Clone, Copy, Debug)]
pub struct OpenPayments {
    pub status: AttemptStatus,
    pub count: i64,
    /// When the oldest began, UTC milliseconds.
    pub since: Option<i64>,
}

const OPEN: [AttemptStatus; 5] = [
    AttemptStatus::Sending,
    AttemptStatus::Unknown,
    AttemptStatus::Due,
    AttemptStatus::Authorized,
    AttemptStatus::Voiding,
];

pub async fn list_open_payments(conn: &mut Conn<'_>) -> Result<Vec<OpenPayments>, DbError> {
    const SQL: &str = "SELECT COUNT(*), MIN(created_at) FROM payment_attempts WHERE status = $1";
    let mut open = Vec::with_capacity(OPEN.len());
    for status in OPEN {
        let (count, since) = sql!(&mut *conn, c => sqlx::query_as(SQL).bind(status.text()).fetch_one(c).await)?;
        open.push(OpenPayments { status, count, since });
    }
    Ok(open)
}

/// Refunds without an outcome.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct PendingRefunds {
    pub count: i64,
    /// When the oldest was made, UTC milliseconds.
    pub since: Option<i64>,
    /// The same, of those that the provider has not answered.
    pub unanswered_since: Option<i64>,
}

pub async fn get_pending_refunds(conn: &mut Conn<'_>) -> Result<PendingRefunds, DbError> {
    const SQL: &str = "SELECT COUNT(*) AS count, MIN(created_at) AS since,
        MIN(CASE WHEN provider_refund_id IS NULL THEN created_at END) AS unanswered_since
        FROM refunds WHERE status = 'pending'";
    Ok(sql!(conn, c => sqlx::query_as::<_, PendingRefunds>(SQL).fetch_one(c).await)?)
}

/// The number of orders that staff have to look at.
pub async fn count_attention(conn: &mut Conn<'_>) -> Result<i64, DbError> {
    const SQL: &str = "SELECT COUNT(*) FROM orders WHERE attention IS NOT NULL";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).fetch_one(c).await)?)
}
