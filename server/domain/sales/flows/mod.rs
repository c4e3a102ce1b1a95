//! The operations on a sale, one verb per file.
//!
//! A quote computes current prices, possible destinations and everything that prevents the purchase; it stores nothing. Paying creates the
//! order from a fresh quote in one transaction, and fails if the total differs from the one that the shopper agreed to.
//!
//! Invariants: money is first authorized, and captured only when the order is placed; every payment report, whatever its source, goes
//! through [`settle::settle`]; an attempt is given up only after the provider was told never to execute it; money taken for an order that
//! does not need it is given back; a refund is marked as failed only if its provider says so and has no record of it; every provider record
//! older than the watermark has been compared with ours.

pub mod add_refund;
pub mod allowed;
pub mod approve_return;
pub mod archive;
pub mod authorize;
pub mod auto_cancel;
pub mod cancel;
pub mod capture;
pub mod change_address;
pub mod change_draft;
pub mod check_rules;
pub mod close_return;
pub mod compare;
pub mod confirm_pickup;
pub mod counter_sale;
pub mod deliver;
pub mod dispute;
pub mod draft_step;
pub mod free;
pub mod hand_over;
pub mod limits;
pub mod make_draft;
pub mod make_ready;
pub mod note;
pub mod pack;
pub mod parts;
pub mod pay;
pub mod payment;
pub mod payment_status;
pub mod payment_webhook;
pub mod place;
pub mod progress;
pub mod quote;
pub mod receive_return;
pub mod reconcile;
pub mod refund;
pub mod refund_return;
pub mod refundable;
pub mod reject_return;
pub mod remind_pickups;
pub mod request_return;
pub mod return_step;
pub mod send_draft;
pub mod send_refund;
pub mod settle;
pub mod ship;
pub mod take_payment;
pub mod undo_fulfillment;
pub mod undo_payment;
pub mod undo_ready;
pub mod void;
pub mod withdraw_draft;
