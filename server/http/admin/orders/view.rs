//! An order as staff see it: all data, and what they may do with it now.

use serde::Serialize;
use shop_base::address::Address;
use shop_domain::sales::records::fulfillment::model::FulfillmentKind;
use shop_domain::sales::records::payments::model::{AttemptStatus, RefundStatus, Tender};
use shop_domain::sales::records::returns::model::ReturnStatus;
use shop_domain::sales::status::{FulfillmentStatus, OrderStatus, PaymentStatus};
use shop_domain::tax::model::TaxAmount;
use shop_platform::web::page::Picture;
use utoipa::ToSchema;
use uuid::Uuid;

use super::unfinished::story::UnfinishedCheckout;

/// Amounts are minor units; times are those of the shop's zone, `2026-11-21T12:00:05`.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdminOrder {
    pub number: String,
    /// Must be sent with each change.
    pub version: i64,
    pub status: OrderStatus,
    pub payment_status: PaymentStatus,
    pub fulfillment_status: FulfillmentStatus,
    /// Why it needs attention.
    pub attention: Option<String>,
    pub placed_at: Option<String>,
    /// Why it was not placed.
    pub unfinished: Option<UnfinishedCheckout>,
    pub customer: OrderCustomer,
    pub picked_up: bool,
    /// It is ready for pickup in the store.
    pub is_ready: bool,
    pub shipping_name: String,
    pub address: Option<Address>,
    /// Why its goods must not leave by the rules of today, and what to do.
    pub forbidden: Option<String>,
    /// Its parcels require an adult signature, by the rules of the order or those of today.
    pub adult_signature: bool,
    /// Its parcels must carry the marks that the goods require, by the rules of the order or those of today.
    pub needs_label: bool,
    pub lines: Vec<AdminLine>,
    pub totals: OrderTotals,
    pub attempts: Vec<AttemptView>,
    pub refunds: Vec<RefundView>,
    pub parcels: Vec<ParcelView>,
    pub returns: Vec<ReturnView>,
    pub timeline: Vec<TimelineItem>,
    pub compliance: ComplianceFacts,
    /// Emails that can be sent again.
    pub emails: Vec<SentMail>,
    pub acts: OrderActs,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OrderCustomer {
    pub name: String,
    pub email: String,
    pub phone: String,
    /// Null for a guest.
    pub href: Option<String>,
    /// Number of orders placed with this account, or with this email address by guests.
    pub orders: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AdminLine {
    pub id: Uuid,
    pub title: String,
    pub variant: String,
    pub sku: String,
    pub href: String,
    pub picture: Picture,
    pub quantity: i64,
    pub unit_price: i64,
    pub discount: i64,
    pub tax: i64,
    pub total: i64,
    pub canceled: i64,
    /// Shipped or handed over.
    pub shipped: i64,
    /// Not yet shipped or handed over.
    pub open: i64,
    pub refunded: i64,
    /// How many of the open ones were refunded.
    pub refunded_unsent: i64,
    /// How many can still be requested as a return.
    pub returnable: i64,
    /// The refund amounts for one unit, two units and so on.
    pub shares: Vec<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OrderTotals {
    pub subtotal: i64,
    pub discount: i64,
    pub promo_code: Option<String>,
    pub shipping: i64,
    pub tax: i64,
    /// Components of the tax: sales tax and excises.
    pub taxes: Vec<TaxAmount>,
    pub total: i64,
    pub taken: i64,
    pub refunded: i64,
    /// What the buyer's bank has taken back, by disputes that are open, lost or accepted.
    pub reclaimed: i64,
    /// What can still be refunded.
    pub refundable: i64,
    /// The part of it for shipping, including its tax.
    pub shipping_refundable: i64,
    /// How much of it may be paid out in the store because refunds to the card have failed.
    pub by_hand_refundable: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AttemptView {
    pub number: i64,
    pub status: AttemptStatus,
    pub amount: i64,
    /// Such as `Visa ending in 1111`, or how it was paid in the store.
    pub with: String,
    pub decline: Option<String>,
    pub at: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RefundView {
    pub id: Uuid,
    pub amount: i64,
    pub status: RefundStatus,
    pub reason: String,
    pub given_as: Option<Tender>,
    pub at: String,
    pub goods: Vec<SomeGoods>,
    pub shipping: i64,
    pub extra: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SomeGoods {
    pub title: String,
    pub variant: String,
    pub sku: String,
    pub quantity: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ParcelView {
    pub id: Uuid,
    pub kind: FulfillmentKind,
    pub carrier: String,
    pub tracking_number: String,
    pub tracking_url: Option<String>,
    pub adult_signature: bool,
    pub label: bool,
    pub at: String,
    pub delivered_at: Option<String>,
    pub goods: Vec<SomeGoods>,
    /// Whether the signed-in user may undo its delivery, or else its departure.
    pub may_undo: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ReturnView {
    pub id: Uuid,
    pub status: ReturnStatus,
    /// Ended without a refund; its status is `refunded`, too.
    pub closed: bool,
    pub reason: String,
    /// What the buyer was told when it was rejected; may be empty.
    pub message: String,
    pub at: String,
    pub lines: Vec<ReturnLineView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ReturnLineView {
    pub line_id: Uuid,
    /// With the variant, if there is one.
    pub title: String,
    pub quantity: i64,
    pub restocked: i64,
    pub written_off: i64,
}

/// An event in the order's history.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OrderTimelineItem)]
pub struct TimelineItem {
    pub id: Uuid,
    pub at: String,
    pub who: String,
    pub text: String,
    /// The text of a note about it.
    pub note: Option<String>,
    /// The buyer can read it, too.
    pub is_public: bool,
}

/// The facts that made the sale permitted.
#[derive(Debug, Serialize, ToSchema)]
pub struct ComplianceFacts {
    pub decided_on: Option<String>,
    pub state: Option<String>,
    pub rules: Vec<AppliedRuleView>,
    /// The day on which the buyer declared their age. Nobody does for an order that staff have made.
    pub age_proved_on: Option<String>,
    pub age_method: Option<String>,
    /// The last day on which an ID was checked in the store, for money or goods that were not recorded by mistake.
    pub id_checked_on: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AppliedRuleView {
    pub class: String,
    pub source: String,
}

/// An email, in the form that the call to resend it takes.
#[derive(Debug, Serialize, ToSchema)]
pub struct SentMail {
    pub label: String,
    pub mail: &'static str,
    pub id: Option<Uuid>,
}

/// What the signed-in user may do with the order in its current state.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrderActs {
    pub note: bool,
    pub ship: bool,
    pub take_payment: bool,
    pub undo_payment: bool,
    pub make_ready: bool,
    pub undo_ready: bool,
    pub hand_over: bool,
    /// Confirm that goods leave although today's rules forbid it.
    pub confirm_rules: bool,
    pub deliver: bool,
    pub cancel: bool,
    pub refund: bool,
    /// Refunds are paid out in the store.
    pub given_in_store: bool,
    pub change_address: bool,
    pub request_return: bool,
    pub decide_return: bool,
    pub clear_attention: bool,
    pub archive: bool,
}
