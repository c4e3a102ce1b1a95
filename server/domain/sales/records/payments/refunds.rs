//! Refunds with their lines.

use shop_base::db::{Conn, DbError};
use uuid::Uuid;

use super::model::{RefundStatus, Tender};
use super::rows::{Attempt, Refund, RefundLine};
use super::store;

/// The amount of an attempt that our settled refunds have given back, in minor units.
pub async fn settled(conn: &mut Conn<'_>, attempt: Uuid) -> Result<i64, DbError> {
    let given = store::list_refunds(conn, attempt).await?;
    Ok(given.iter().filter(|refund| refund.status == RefundStatus::Settled).map(|refund| refund.amount).sum())
}

/// The amount of an attempt that can still be refunded, in minor units.
pub async fn remaining(conn: &mut Conn<'_>, attempt: &Attempt) -> Result<i64, DbError> {
    let given = store::list_refunds(conn, attempt.id).await?;
    let promised: i64 =
        given.iter().filter(|refund| refund.status != RefundStatus::Failed).map(|refund| refund.amount).sum();
    Ok(attempt.amount - promised.max(attempt.refunded))
}

/// A refund with its lines.
#[derive(Clone, Debug)]
pub struct RefundWithLines {
    pub id: Uuid,
    pub amount: i64,
    pub shipping: i64,
    pub extra: i64,
    pub tax: i64,
    pub reason: String,
    pub status: RefundStatus,
    pub given_as: Option<Tender>,
    pub created_at: i64,
    pub lines: Vec<RefundLine>,
}

impl RefundWithLines {
    pub fn is_settled(&self) -> bool {
        self.status == RefundStatus::Settled
    }
}

/// An order's refunds with their lines, the oldest first.
pub async fn list(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<RefundWithLines>, DbError> {
    let lines = store::list_refund_lines(conn, order).await?;
    let refunds = store::list_refunds_of_order(conn, order).await?;
    let given = |refund: Refund| RefundWithLines {
        id: refund.id,
        amount: refund.amount,
        shipping: refund.shipping,
        extra: refund.extra,
        tax: refund.tax,
        reason: refund.reason,
        status: refund.status,
        given_as: refund.given_as.and_then(|tender| tender.parse().ok()),
        created_at: refund.created_at,
        lines: lines.iter().filter(|line| line.refund_id == refund.id).cloned().collect(),
    };
    Ok(refunds.into_iter().map(given).collect())
}

pub async fn find(conn: &mut Conn<'_>, refund: Uuid) -> Result<Option<RefundWithLines>, DbError> {
    let Some(found) = store::find_refund(conn, refund).await? else { return Ok(None) };
    Ok(list(conn, found.order_id).await?.into_iter().find(|given| given.id == refund))
}
