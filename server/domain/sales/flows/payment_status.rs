//! Derives an order's payment status from its attempts and stores it.

use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use uuid::Uuid;

use crate::customers;
use crate::sales::records::orders::service as orders;
use crate::sales::records::payments::model::{AttemptStatus, Paid, payment_status};
use crate::sales::records::payments::store;

/// Derives the order's payment status from its attempts and stores it.
pub async fn derive_payment_status(conn: &mut Conn<'_>, cx: &Context, order: Uuid) -> Result<(), DbError> {
    let order = orders::find(conn, order).await?.ok_or(DbError::Inconsistent("an attempt's order is gone"))?;
    let attempts = store::list_attempts(conn, order.id).await?;
    let paid: Vec<Paid> = attempts
        .iter()
        .map(|attempt| Paid {
            status: attempt.status,
            amount: attempt.amount,
            refunded: attempt.refunded,
            is_refused: attempt.decline_code.is_some(),
        })
        .collect();
    let status = payment_status(&paid, order.total, order.placed_at.is_some());
    if status != order.payment_status {
        let taken = attempts.iter().filter(|attempt| attempt.status == AttemptStatus::Captured);
        let newest = taken.map(|attempt| attempt.number).max();
        orders::set_payment_status(conn, cx.clock.as_ref(), &order, status, newest).await?;
    }
    match order.user_id {
        Some(user) => customers::service::recount(conn, user).await,
        None => Ok(()),
    }
}
