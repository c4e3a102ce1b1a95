//! Which operations an order's current state allows. Flows refuse everything else; the admin area offers nothing else.

use std::collections::BTreeMap;

use shop_base::error::Error;
use uuid::Uuid;

use crate::sales::records::fulfillment::model::LineProgress;
use crate::sales::records::fulfillment::rows::{Fulfillment, Packed};
use crate::sales::records::orders::rows::Order;
use crate::sales::records::payments::model::AttemptStatus;
use crate::sales::records::payments::provider::ProviderName;
use crate::sales::records::payments::rows::Attempt;
use crate::sales::records::returns::rows::{Return, ReturnLine};
use crate::sales::status::{FulfillmentStatus, OrderStatus, PaymentStatus};

/// `is_given_back`: whether all of its money is refunded, or about to be.
pub fn ship(order: &Order, progress: &[LineProgress], is_given_back: bool) -> Result<(), Error> {
    placed(order)?;
    if order.picked_up {
        return Err(Error::conflict("not_to_ship", "This is a pickup order."));
    }
    addressed(order)?;
    paid(order, is_given_back)?;
    open(progress)
}

/// `is_given_back`: whether all of its money is refunded, or about to be.
pub fn hand_over(order: &Order, progress: &[LineProgress], is_given_back: bool) -> Result<(), Error> {
    placed(order)?;
    if !order.picked_up {
        return Err(Error::conflict("not_to_hand_over", "This is a shipping order."));
    }
    paid(order, is_given_back)?;
    open(progress)
}

/// `is_ready`: whether it is marked as ready for pickup. `is_given_back`: whether all of its money is refunded, or about to be.
pub fn make_ready(order: &Order, progress: &[LineProgress], is_ready: bool, is_given_back: bool) -> Result<(), Error> {
    if order.status != OrderStatus::Placed || !order.picked_up || open(progress).is_err() {
        return Err(Error::conflict("not_to_hand_over", "This order has nothing to pick up."));
    }
    if is_ready {
        return Err(Error::conflict("ready_already", "This order is already marked as ready."));
    }
    call_for_pickup(order, is_given_back)
}

/// Whether its buyer may be told that it is ready for pickup. `is_given_back`: whether all of its money is refunded, or about to be.
pub fn call_for_pickup(order: &Order, is_given_back: bool) -> Result<(), Error> {
    match order.payment_status {
        // It is paid for at pickup, or the money is on its way.
        PaymentStatus::NotPaid | PaymentStatus::Authorized | PaymentStatus::RequiresAction => Ok(()),
        _ => paid(order, is_given_back),
    }
}

/// `is_ready`: whether it is marked as ready for pickup.
pub fn undo_ready(order: &Order, progress: &[LineProgress], is_ready: bool) -> Result<(), Error> {
    placed(order)?;
    if !is_ready {
        return Err(Error::conflict("not_ready", "This order isn’t marked as ready for pickup."));
    }
    not_picked_up(progress)
}

/// Returns the attempt whose money is due in the store.
pub fn take_payment<'a>(order: &Order, attempts: &'a [Attempt]) -> Result<&'a Attempt, Error> {
    let due = |each: &&Attempt| Some(each.id) == order.attempt_id && each.status == AttemptStatus::Due;
    let found = attempts.iter().find(due);
    found.ok_or_else(|| Error::conflict("nothing_due", "This order has nothing to pay in store."))
}

/// Returns the attempt whose money staff recorded as taken in the store.
pub fn undo_payment<'a>(
    order: &Order,
    attempts: &'a [Attempt],
    progress: &[LineProgress],
) -> Result<&'a Attempt, Error> {
    let taken = attempts.iter().find(|each| {
        Some(each.id) == order.attempt_id
            && each.provider == ProviderName::Pickup
            && each.status == AttemptStatus::Captured
    });
    let Some(taken) = taken.filter(|_| order.status == OrderStatus::Placed) else {
        return Err(Error::conflict("not_taken", "This order has no payment that was recorded in store."));
    };
    not_picked_up(progress)?;
    if taken.refunded > 0 {
        return Err(Error::conflict("refunded", "Some of this payment was refunded. Refund the rest instead."));
    }
    Ok(taken)
}

/// `returnable`: how many pieces of each line could be returned.
pub fn undo_fulfillment(
    order: &Order,
    fulfillment: &Fulfillment,
    packed: &[Packed],
    returnable: &BTreeMap<Uuid, i64>,
) -> Result<(), Error> {
    placed(order)?;
    let is_with_buyer = |line: &Packed| returnable.get(&line.line_id).is_some_and(|count| *count >= line.quantity);
    if fulfillment.delivered_at.is_none() && !packed.iter().all(is_with_buyer) {
        return Err(Error::conflict("returned", "Some of these items are part of a return."));
    }
    Ok(())
}

pub fn cancel(order: &Order, progress: &[LineProgress]) -> Result<(), Error> {
    if order.status != OrderStatus::Placed {
        return Err(Error::conflict("not_placed", "Only a placed order can be canceled."));
    }
    let nothing = |_| Error::conflict("left_already", "Everything in this order has left. It can only be returned.");
    open(progress).map_err(nothing)
}

pub fn change_address(order: &Order, progress: &[LineProgress]) -> Result<(), Error> {
    placed(order)?;
    if order.picked_up {
        return Err(Error::conflict("not_to_ship", "This is a pickup order."));
    }
    if progress.iter().any(|line| line.shipped > 0) {
        return Err(Error::conflict("left_already", "A package has already shipped, so the address can’t be changed."));
    }
    addressed(order)
}

pub fn request_return(order: &Order) -> Result<(), Error> {
    if !matches!(order.status, OrderStatus::Placed | OrderStatus::Archived) {
        return Err(Error::conflict("not_placed", "Nothing in this order can be returned."));
    }
    Ok(())
}

/// Allowed when nothing is left to do for the order and its returns.
pub fn archive(order: &Order, returns: &[(Return, Vec<ReturnLine>)]) -> Result<(), Error> {
    let is_paid = matches!(
        order.payment_status,
        PaymentStatus::Paid | PaymentStatus::PartiallyRefunded | PaymentStatus::Refunded
    );
    let is_shipped = matches!(order.fulfillment_status, FulfillmentStatus::Fulfilled | FulfillmentStatus::Delivered);
    if order.status != OrderStatus::Placed || !is_paid || !is_shipped || order.attention.is_some() {
        return Err(Error::conflict("not_over", "Only orders that are paid and fulfilled can be archived."));
    }
    if returns.iter().any(|(found, _)| found.status.is_open()) {
        return Err(Error::conflict(
            "return_open",
            "This order has an open return. Refund, close, or reject it first.",
        ));
    }
    Ok(())
}

/// It may have ended while somebody had its page open, also without staff, which does not change its version.
fn placed(order: &Order) -> Result<(), Error> {
    match order.status {
        OrderStatus::Placed => Ok(()),
        OrderStatus::Draft => Err(Error::conflict("not_placed", "This order was never placed.")),
        OrderStatus::Canceled | OrderStatus::Archived => {
            Err(Error::conflict("not_placed", "This order is canceled or archived."))
        }
    }
}

/// An order that was erased with its account is not sent, and gets no address again.
fn addressed(order: &Order) -> Result<(), Error> {
    if order.email.is_empty() {
        return Err(Error::conflict(
            "no_address",
            "The customer’s account was deleted, and the address with it. Cancel the order instead.",
        ));
    }
    Ok(())
}

fn paid(order: &Order, is_given_back: bool) -> Result<(), Error> {
    match order.payment_status {
        PaymentStatus::Paid | PaymentStatus::PartiallyRefunded if is_given_back => {
            Err(Error::conflict("refund_pending", "All of this order’s money is being refunded. Cancel it instead."))
        }
        PaymentStatus::Paid | PaymentStatus::PartiallyRefunded => Ok(()),
        _ => Err(Error::conflict("not_paid", "This order isn’t paid, so it can’t be handed over or shipped.")),
    }
}

fn not_picked_up(progress: &[LineProgress]) -> Result<(), Error> {
    if progress.iter().any(|line| line.shipped > 0) {
        return Err(Error::conflict("left_already", "Items were picked up. Undo the pickup first."));
    }
    Ok(())
}

fn open(progress: &[LineProgress]) -> Result<(), Error> {
    if progress.iter().any(|line| line.open() > 0) {
        return Ok(());
    }
    Err(Error::conflict("nothing_open", "Everything in this order has already left."))
}
