//! What happens to a sale, one verb per file.
//!
//! A quote says what goods cost at this moment, where they may go and what stands in the way; it stores nothing. Paying makes the order
//! from a new quote of its own, in one transaction, and refuses when the total is another than the shopper agreed to.
//!
//! Invariants: money is first held and taken only when the order is placed; news of a payment, by whatever way it comes, goes through
//! [`settle::settle`]; an attempt is given up only after the provider was told never to carry it out; what is taken for an order that does
//! not want it is given back; a refund is failed only when its provider has said so and has none of it; no record of the provider is older
//! than the watermark and not compared with ours.

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
pub mod compare;
pub mod confirm_pickup;
pub mod counter_sale;
pub mod deliver;
pub mod dispute;
pub mod draft_step;
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
pub mod reject_return;
pub mod remind_pickups;
pub mod request_return;
pub mod return_step;
pub mod send_draft;
pub mod send_refund;
pub mod settle;
pub mod ship;
pub mod take_payment;
pub mod void;
pub mod withdraw_draft;
