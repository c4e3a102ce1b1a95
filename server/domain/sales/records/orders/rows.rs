//! Rows of orders, as [`super::store`] reads and writes them.

use sqlx::FromRow;
use uuid::Uuid;

use crate::sales::status::{FulfillmentStatus, OrderStatus, PaymentStatus};

/// An order without its lines.
#[derive(Clone, Debug, FromRow)]
pub struct Order {
    pub id: Uuid,
    pub number: String,
    pub checkout_id: Uuid,
    pub user_id: Option<Uuid>,
    pub email: String,
    pub phone: String,
    #[sqlx(try_from = "String")]
    pub status: OrderStatus,
    #[sqlx(try_from = "String")]
    pub payment_status: PaymentStatus,
    #[sqlx(try_from = "String")]
    pub fulfillment_status: FulfillmentStatus,
    pub currency: String,
    pub subtotal: i64,
    pub discount_total: i64,
    pub shipping_total: i64,
    pub tax_total: i64,
    pub total: i64,
    pub shipping_method: String,
    pub shipping_name: String,
    pub picked_up: bool,
    /// JSON of a `customers::address::Address`.
    pub address: String,
    pub adult_signature: bool,
    /// JSON of the `compliance::model::Decision` that allowed it.
    pub compliance: String,
    /// JSON: when and how the buyer's age was verified.
    pub age_proof: String,
    pub attempt_id: Option<Uuid>,
    pub promo_code: Option<String>,
    pub attention: Option<String>,
    /// The text of a [`CancelReason`].
    pub cancel_reason: Option<String>,
    /// Counts changes by staff.
    pub version: i64,
    pub created_at: i64,
    pub placed_at: Option<i64>,
}

/// The contents of a checkout as stored with the order.
#[derive(Clone, Debug)]
pub struct Contents {
    pub user_id: Option<Uuid>,
    pub email: String,
    pub phone: String,
    pub subtotal: i64,
    pub discount_total: i64,
    pub shipping_total: i64,
    pub tax_total: i64,
    pub total: i64,
    pub shipping_method: String,
    pub shipping_name: String,
    pub picked_up: bool,
    pub address: String,
    pub adult_signature: bool,
    pub compliance: String,
    pub age_proof: String,
    pub promo_id: Option<Uuid>,
    pub promo_code: Option<String>,
    pub lines: Vec<Line>,
    pub tax_lines: Vec<TaxLine>,
    pub adjustments: Vec<Adjustment>,
}

#[derive(Clone, Debug, FromRow)]
pub struct Line {
    pub id: Uuid,
    pub variant_id: Option<Uuid>,
    pub sku: String,
    pub title: String,
    pub variant_title: String,
    pub href: String,
    /// JSON of a `web::page::Picture`.
    pub picture: String,
    pub compliance_class: String,
    pub weight_grams: i64,
    pub quantity: i64,
    pub unit_price: i64,
    pub discount: i64,
    pub tax: i64,
    pub total: i64,
    /// The quantity that staff canceled.
    pub canceled: i64,
}

impl Line {
    /// The canceled quantity: all of it if the order, which has this status, is canceled as a whole.
    pub fn canceled_in(&self, order: OrderStatus) -> i64 {
        if order == OrderStatus::Canceled { self.quantity } else { self.canceled }
    }
}

/// A tax on a line or on shipping.
#[derive(Clone, Debug, FromRow)]
pub struct TaxLine {
    pub id: Uuid,
    pub line_id: Option<Uuid>,
    pub name: String,
    /// Parts per million.
    pub rate: i64,
    pub taxable: i64,
    pub amount: i64,
}

/// A promo code's discount on a line or on shipping.
#[derive(Clone, Debug, FromRow)]
pub struct Adjustment {
    pub id: Uuid,
    pub line_id: Option<Uuid>,
    pub code: String,
    pub label: String,
    pub amount: i64,
}

/// One thing that happened to an order.
#[derive(Clone, Debug, FromRow)]
pub struct HistoryEntry {
    pub id: Uuid,
    pub at: i64,
    /// system, shopper, or staff: and an id.
    pub actor: String,
    pub kind: String,
    /// JSON.
    pub data: String,
    pub is_public: bool,
}

/// A canceled order, and whether it was never paid and is over.
#[derive(Clone, Debug, FromRow)]
pub struct Canceled {
    pub id: Uuid,
    pub created_at: i64,
    pub is_unpaid: bool,
}
