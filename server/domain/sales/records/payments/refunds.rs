//! Refunds with their lines.

use std::collections::HashMap;

use shop_base::db::{Conn, DbError};
use uuid::Uuid;

use super::model::{RefundStatus, Tender};
use super::provider::PROVIDER_CLOCK_SKEW;
use super::rows::{Attempt, Refund, RefundLine};
use super::store;

/// The amount of an attempt that our settled refunds have given back, in minor units.
pub async fn settled(conn: &mut Conn<'_>, attempt: Uuid) -> Result<i64, DbError> {
    let given = store::list_refunds(conn, attempt).await?;
    Ok(sum(&given, |refund| refund.status == RefundStatus::Settled))
}

fn sum(refunds: &[Refund], is_counted: impl Fn(&Refund) -> bool) -> i64 {
    refunds.iter().filter(|refund| is_counted(refund)).map(|refund| refund.amount).sum()
}

/// The amount of an attempt's refunds that was given back by hand, which its provider does not know of. Minor units.
pub async fn by_hand(conn: &mut Conn<'_>, attempt: Uuid) -> Result<i64, DbError> {
    Ok(sum_by_hand(&store::list_refunds(conn, attempt).await?))
}

pub fn sum_by_hand(refunds: &[Refund]) -> i64 {
    sum(refunds, |refund| refund.given_as.is_some())
}

/// The amount that may be given back by hand although a card was charged: each refund that fails adds its own, and each that is made after that,
/// by hand or to the card, replaces as much.
pub async fn unreplaced(conn: &mut Conn<'_>, attempt: &Attempt) -> Result<i64, DbError> {
    Ok(unreplaced_of(&store::list_refunds(conn, attempt.id).await?))
}

/// The same, by all refunds of an attempt.
pub fn unreplaced_of(given: &[Refund]) -> i64 {
    let failed = || given.iter().filter(|refund| refund.status == RefundStatus::Failed);
    let Some(first) = failed().map(|refund| refund.updated_at).min() else { return 0 };
    // By hand it is only given after a failure, also if the clocks of two nodes say otherwise.
    let made_at = |refund: &Refund| refund.created_at.max(if refund.given_as.is_some() { first } else { i64::MIN });
    let failures = failed().map(|refund| (refund.updated_at, refund.amount));
    let mut changes: Vec<(i64, i64)> =
        given.iter().map(|refund| (made_at(refund), -refund.amount)).chain(failures).collect();
    // At the same time a failure comes first.
    changes.sort_unstable_by_key(|(at, change)| (*at, -change));
    changes.into_iter().fold(0, |open, (_, change)| (open + change).max(0))
}

/// The refunded amount of an attempt that is not from our refunds: staff used the provider's dashboard. Minor units.
pub fn elsewhere(attempt: &Attempt, refunds: &[Refund]) -> i64 {
    let ours = sum(refunds, |refund| match refund.status {
        RefundStatus::Pending | RefundStatus::Settled => true,
        // While it was pending, the provider counted it as given back: the payment may have been read before it failed.
        RefundStatus::Failed => refund.provider_refund_id.is_some() && attempt.provider_updated_at <= refund.updated_at,
    });
    (attempt.refunded - ours).max(0)
}

/// How much of an attempt the buyer's bank has taken back, by disputes that are open or that the shop has lost. Minor units.
pub async fn reclaimed(conn: &mut Conn<'_>, attempt: Uuid) -> Result<i64, DbError> {
    store::sum_reclaimed(conn, attempt).await
}

/// The same of all attempts of these orders, by order; an order without a dispute is left out.
pub async fn reclaimed_of_all(conn: &mut Conn<'_>, orders: &[Uuid]) -> Result<HashMap<Uuid, i64>, DbError> {
    if orders.is_empty() {
        return Ok(HashMap::new());
    }
    Ok(store::sum_reclaimed_of_all(conn, orders).await?.into_iter().collect())
}

/// Whether what the attempt counts as refunded cannot contain a refund: the provider does not know of it, or was asked for it after its last
/// report.
pub fn is_uncounted(attempt: &Attempt, refund: &Refund) -> bool {
    match refund.sent_at {
        Some(sent_at) => sent_at > attempt.provider_updated_at + PROVIDER_CLOCK_SKEW,
        None => refund.provider_refund_id.is_none(),
    }
}

/// The amount of an attempt that can still be refunded, in minor units. What the buyer's bank has taken back would be paid twice, and while
/// its dispute is open the provider refunds nothing.
pub async fn remaining(conn: &mut Conn<'_>, attempt: &Attempt) -> Result<i64, DbError> {
    let reclaimed = reclaimed(conn, attempt.id).await?;
    Ok(remaining_of(attempt, &store::list_refunds(conn, attempt.id).await?, reclaimed))
}

/// The same, by all its refunds and what the buyer's bank has taken back.
pub fn remaining_of(attempt: &Attempt, given: &[Refund], reclaimed: i64) -> i64 {
    (kept_of(attempt, given) - reclaimed).max(0)
}

/// The amount of an attempt that is neither refunded nor about to be, by all its refunds, in minor units.
pub fn kept_of(attempt: &Attempt, given: &[Refund]) -> i64 {
    let promised = sum(given, |refund| refund.status != RefundStatus::Failed);
    // Some of what is counted may have been refunded in the provider's dashboard.
    let uncounted = sum(given, |refund| refund.status == RefundStatus::Pending && is_uncounted(attempt, refund));
    (attempt.amount - promised.max(attempt.refunded + uncounted)).max(0)
}

/// A refund with its lines.
#[derive(Clone, Debug)]
pub struct RefundWithLines {
    pub id: Uuid,
    pub attempt_id: Uuid,
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
    let (refunds, lines) = list_rows(conn, order).await?;
    Ok(with_lines(refunds, &lines))
}

/// An order's refunds, the oldest first, and the lines of them all.
pub async fn list_rows(conn: &mut Conn<'_>, order: Uuid) -> Result<(Vec<Refund>, Vec<RefundLine>), DbError> {
    let lines = store::list_refund_lines(conn, order).await?;
    Ok((store::list_refunds_of_order(conn, order).await?, lines))
}

/// Refunds with those of these lines that are theirs.
pub fn with_lines(refunds: Vec<Refund>, lines: &[RefundLine]) -> Vec<RefundWithLines> {
    let given = |refund: Refund| RefundWithLines {
        id: refund.id,
        attempt_id: refund.attempt_id,
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
    refunds.into_iter().map(given).collect()
}

/// Erases what staff wrote about the refunds of an order.
pub async fn erase_reasons(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    store::erase_reasons(conn, order).await
}

pub async fn find(conn: &mut Conn<'_>, refund: Uuid) -> Result<Option<RefundWithLines>, DbError> {
    let Some(found) = store::find_refund(conn, refund).await? else { return Ok(None) };
    Ok(list(conn, found.order_id).await?.into_iter().find(|given| given.id == refund))
}
