//! Settles payment reports: updates the attempt and carries out the consequences for its order.

use fail::fail_point;
use serde_json::{Value, json};
use shop_base::context::Context;
use shop_base::db::{Conn, DbError, decoded};
use shop_base::transaction;
use shop_platform::audit::model::Change;
use shop_platform::metrics::limit_hits;
use shop_platform::{jobs, metrics};
use uuid::Uuid;

use super::free::free;
use super::parts::Payments;
use super::payment_status::derive_payment_status;
use super::{add_refund, auto_cancel, limits, place};
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::model::CancelReason;
use crate::sales::records::orders::rows::Order;
use crate::sales::records::orders::service as orders;
use crate::sales::records::payments::attempts::find;
use crate::sales::records::payments::jobs::{CapturePayment, VoidPayment};
use crate::sales::records::payments::model::{AttemptStatus, Consequence, Standing, Tender, consequence};
use crate::sales::records::payments::provider::{Card, Decline, ProviderPayment, ProviderStatus};
use crate::sales::records::payments::rows::Attempt;
use crate::sales::records::payments::{refunds, store};
use crate::sales::status::OrderStatus;

/// New information about an attempt.
#[derive(Clone, Debug)]
pub enum PaymentReport {
    /// The provider has this payment.
    Payment(Box<ProviderPayment>),
    /// The card was definitely refused.
    Declined(Decline),
    /// The provider refused the shop and tried no card, so the attempt counts for no limit of cards.
    Refused(Decline),
    /// No answer.
    Lost,
    /// The provider does not have it and was told never to execute it.
    Fenced,
}

/// Stores a report of an attempt and carries out its consequences in one transaction. Idempotent.
pub async fn settle(payments: &Payments, attempt: Uuid, report: &PaymentReport) -> Result<Attempt, DbError> {
    let attempt = transaction!(payments.db, conn => settle_in(conn, payments, attempt, report).await)?;
    committed(payments, attempt.id);
    Ok(attempt)
}

/// Follows the commit of [`settle_in`]: tells who waits for the attempt.
pub(super) fn committed(payments: &Payments, attempt: Uuid) {
    fail_point!("settle::committed");
    payments.settled.notify(attempt);
}

/// Settles in the caller's transaction.
pub(super) async fn settle_in(
    conn: &mut Conn<'_>,
    cx: &Context,
    attempt: Uuid,
    report: &PaymentReport,
) -> Result<Attempt, DbError> {
    let clock = cx.clock.as_ref();
    let unlocked = find(conn, attempt).await?;
    // Attempts are settled only by the holder of the order's row.
    let order = orders::lock(conn, unlocked.order_id).await?;
    let mut attempt = find(conn, attempt).await?;
    let before = attempt.status;
    let is_sound = apply_to_refunded(conn, cx, &mut attempt, report).await?;
    let after = attempt.status;
    let standing = Standing {
        order: order.status,
        placed_by_this: order.attempt_id == Some(attempt.id),
        is_current: is_current(conn, &order, &attempt).await?,
    };
    let mut follows = consequence(standing, before, after);
    if follows == Consequence::Place && limits::is_guessed(conn, clock, &attempt).await? {
        // Somebody who tries many numbers must not learn which one was valid.
        conn.count_after_commit(&limit_hits::GUESSED_CARDS, 1);
        decline_with(&mut attempt, &limits::guessed());
        follows = Consequence::GiveBack;
    }
    // Flagged only once: the same report arrives from several sources.
    if !is_sound && before != after {
        orders::flag_for_review(conn, clock, order.id, "A payment’s amount doesn’t match the order.").await?;
        if follows == Consequence::Place {
            follows = Consequence::GiveBack;
        }
    }
    if before != after {
        let data = json!({ "attempt": attempt.number, "from": before.text(), "to": after.text() });
        orders::record(conn, clock, order.id, &Event::new(EventKind::Payment, data)).await?;
        (attempt.look_at, attempt.looks) = (0, 0);
        count(conn, after);
    }
    match follows {
        Consequence::Nothing => {}
        Consequence::Place => place(conn, cx, &order, &mut attempt).await?,
        Consequence::GiveBack => drop(give_back(conn, cx, &order, &mut attempt, None, None).await?),
        Consequence::PaymentLost => {
            auto_cancel::cancel(conn, cx, &order, CancelReason::PaymentLost).await?;
            orders::flag_for_review(conn, clock, order.id, "The payment failed after the order was placed.").await?;
        }
    }
    store::update_attempt(conn, &attempt, clock.now_ms()).await?;
    let has_failed = before.is_open() && matches!(after, AttemptStatus::Declined | AttemptStatus::Voided);
    let is_unpaid = has_failed && order.status == OrderStatus::Draft;
    if is_unpaid && attempt.number >= limits::MOST_ATTEMPTS as i64 {
        // Its buyer has to begin again.
        free(conn, cx, &[order.id]).await?;
    } else if is_unpaid && !limits::may_hold(conn, clock, &attempt).await? {
        conn.count_after_commit(&limit_hits::HELD_GOODS, 1);
        free(conn, cx, &[order.id]).await?;
    }
    derive_payment_status(conn, cx, order.id).await?;
    fail_point!("settle::before_commit");
    Ok(attempt)
}

/// The attempt as settling a payment would leave it, as far as can be seen without a lock.
pub(super) async fn settled_by(cx: &Context, attempt: &Attempt, payment: &ProviderPayment) -> Result<Attempt, DbError> {
    let by_hand = match attempt.refunded {
        0 => 0,
        _ => refunds::by_hand(&mut cx.db.read().await?.conn(), attempt.id).await?,
    };
    let mut settled = attempt.clone();
    apply(&mut settled, &PaymentReport::Payment(Box::new(payment.clone())), by_hand);
    Ok(settled)
}

/// Applies a report, and records what was refunded in the provider's dashboard; false if the provider's amount differs from ours.
async fn apply_to_refunded(
    conn: &mut Conn<'_>,
    cx: &Context,
    attempt: &mut Attempt,
    report: &PaymentReport,
) -> Result<bool, DbError> {
    let is_refunded = matches!(report, PaymentReport::Payment(payment) if payment.refunded > 0);
    // The usual case, in which there are no refunds to read.
    if attempt.refunded == 0 && !is_refunded {
        return Ok(apply(attempt, report, 0));
    }
    let ours = store::list_refunds(conn, attempt.id).await?;
    let known = attempt.refunded;
    let is_sound = apply(attempt, report, refunds::sum_by_hand(&ours));
    if attempt.refunded < known {
        // The payment may have been read before the last of them was settled.
        attempt.refunded = attempt.refunded.max(refunds::settled(conn, attempt.id).await?);
    }
    let elsewhere = refunds::elsewhere(attempt, &ours);
    if elsewhere > 0 {
        let amount = elsewhere - recorded_elsewhere(conn, attempt).await?;
        if amount > 0 {
            let data = json!({ "attempt": attempt.number, "amount": amount });
            let event = Event::new(EventKind::RefundedElsewhere, data);
            orders::record(conn, cx.clock.as_ref(), attempt.order_id, &event).await?;
        }
    }
    Ok(is_sound)
}

/// How much of what was refunded in the provider's dashboard the history has already.
async fn recorded_elsewhere(conn: &mut Conn<'_>, attempt: &Attempt) -> Result<i64, DbError> {
    let history = orders::list_history(conn, attempt.order_id).await?;
    let mut recorded = 0;
    for entry in history.iter().filter(|entry| entry.kind() == Some(EventKind::RefundedElsewhere)) {
        let data: Value = decoded("history", serde_json::from_str(&entry.data))?;
        if data["attempt"] == attempt.number {
            recorded += data["amount"].as_i64().unwrap_or(0);
        }
    }
    Ok(recorded)
}

/// Counts a payment that has reached a status.
pub(super) fn count(conn: &mut Conn<'_>, status: AttemptStatus) {
    let counter = match status {
        AttemptStatus::Sending => return,
        AttemptStatus::Unknown => &metrics::payments::UNKNOWN,
        AttemptStatus::Due => &metrics::payments::DUE,
        AttemptStatus::Authorized => &metrics::payments::AUTHORIZED,
        AttemptStatus::Captured => &metrics::payments::CAPTURED,
        AttemptStatus::Declined => &metrics::payments::DECLINED,
        AttemptStatus::Voiding => &metrics::payments::VOIDING,
        AttemptStatus::Voided => &metrics::payments::VOIDED,
    };
    conn.count_after_commit(counter, 1);
}

/// Whether a draft still has the contents that this attempt is for: later attempts may have changed them.
async fn is_current(conn: &mut Conn<'_>, order: &Order, attempt: &Attempt) -> Result<bool, DbError> {
    if order.status != OrderStatus::Draft || attempt.amount != order.total {
        return Ok(false);
    }
    Ok(store::list_attempts(conn, order.id).await?.last().is_some_and(|last| last.id == attempt.id))
}

/// Applies a report to the attempt, of which an amount was given back by hand; false if the provider's amount differs from ours.
fn apply(attempt: &mut Attempt, report: &PaymentReport, by_hand: i64) -> bool {
    match report {
        PaymentReport::Payment(payment) => {
            attempt.status = attempt.status.after(payment.status);
            attempt.provider_payment_id.get_or_insert_with(|| payment.id.clone());
            attempt.absent_at = None;
            if payment.version.is_some() {
                attempt.provider_version.clone_from(&payment.version);
            }
            if let Some(card) = &payment.card {
                show_card(attempt, card);
            }
            if let Some(decline) = payment.decline.as_ref().filter(|_| attempt.status == AttemptStatus::Declined) {
                decline_with(attempt, decline);
            }
            // Also downward: it counts pending refunds, which a bank may still reject. Reports may arrive in any order.
            if payment.updated_at >= attempt.provider_updated_at {
                attempt.refunded = (payment.refunded + by_hand).min(attempt.amount);
                attempt.provider_updated_at = payment.updated_at;
            }
            payment.amount.amount == attempt.amount && payment.amount.currency == attempt.currency
        }
        PaymentReport::Declined(decline) => {
            attempt.status = attempt.status.after(ProviderStatus::Failed);
            decline_with(attempt, decline);
            true
        }
        PaymentReport::Refused(decline) => {
            attempt.status = attempt.status.after(ProviderStatus::Voided);
            decline_with(attempt, decline);
            true
        }
        PaymentReport::Lost => {
            attempt.status = attempt.status.after(ProviderStatus::Pending);
            true
        }
        PaymentReport::Fenced => {
            attempt.status = attempt.status.after(ProviderStatus::Voided);
            true
        }
    }
}

fn decline_with(attempt: &mut Attempt, decline: &Decline) {
    attempt.decline_code = Some(decline.code.clone());
    attempt.decline_message = Some(decline.message.clone());
    if let Some(card) = &decline.card {
        show_card(attempt, card);
    }
}

fn show_card(attempt: &mut Attempt, card: &Card) {
    attempt.card_brand = Some(card.brand.clone());
    attempt.card_last_4 = Some(card.last_4.clone());
    // Once who paid is erased, the card's code stays erased with the network.
    if card.fingerprint.is_some() && !attempt.network.is_empty() {
        attempt.card_fingerprint.clone_from(&card.fingerprint);
    }
}

/// Places the order and captures the held money, or gives the money back if the stock was sold to somebody else.
async fn place(conn: &mut Conn<'_>, cx: &Context, order: &Order, attempt: &mut Attempt) -> Result<(), DbError> {
    let clock = cx.clock.as_ref();
    if place::place(conn, cx, order, Some(attempt.id)).await? {
        if attempt.status == AttemptStatus::Authorized {
            jobs::service::add(conn, clock, &CapturePayment { attempt: attempt.id }).await?;
        }
        return Ok(());
    }
    auto_cancel::cancel(conn, cx, order, CancelReason::StockLost).await?;
    orders::flag_for_review(
        conn,
        clock,
        order.id,
        "Stock ran out before the payment went through. The payment is being refunded.",
    )
    .await?;
    give_back(conn, cx, order, attempt, None, None).await.map(drop)
}

/// Voids held money, or refunds captured money. Returns a refund's change for the audit log.
async fn give_back(
    conn: &mut Conn<'_>,
    cx: &Context,
    order: &Order,
    attempt: &mut Attempt,
    by: Option<&str>,
    given_as: Option<Tender>,
) -> Result<Option<Change>, DbError> {
    let clock = cx.clock.as_ref();
    match attempt.status {
        AttemptStatus::Captured => {
            // Staff may have canceled it because the buyer asked for that.
            let reason = if by.is_some() { "Canceled before shipping" } else { "The order could not be fulfilled" };
            add_refund::add_rest(conn, cx, order, attempt, reason, by, given_as).await
        }
        AttemptStatus::Due => {
            attempt.status = AttemptStatus::Voided;
            count(conn, attempt.status);
            Ok(None)
        }
        _ => {
            if attempt.status != AttemptStatus::Voiding {
                attempt.status = AttemptStatus::Voiding;
                count(conn, attempt.status);
            }
            jobs::service::add(conn, clock, &VoidPayment { attempt: attempt.id }).await?;
            Ok(None)
        }
    }
}

/// Voids or refunds everything that was held or taken for an order, which the caller has canceled. Money taken in the store is given back
/// by hand. `by` is who canceled it, as in its history; none if nobody did. Returns the refunds' changes for the audit log.
pub async fn give_all_back(
    conn: &mut Conn<'_>,
    cx: &Context,
    order: &Order,
    by: Option<&str>,
    given_as: Option<Tender>,
) -> Result<Vec<Change>, DbError> {
    use AttemptStatus::{Authorized, Captured, Due};
    let mut changes = Vec::new();
    for mut attempt in store::list_attempts(conn, order.id).await? {
        if matches!(attempt.status, Due | Authorized | Captured) {
            changes.extend(give_back(conn, cx, order, &mut attempt, by, given_as).await?);
            store::update_attempt(conn, &attempt, cx.clock.now_ms()).await?;
        }
    }
    derive_payment_status(conn, cx, order.id).await?;
    Ok(changes)
}
