//! Rows of parcels, as [`super::store`] reads and writes them.

use sqlx::FromRow;
use uuid::Uuid;

use super::model::{FulfillmentKind, carrier_page};

/// Goods that have left together.
#[derive(Clone, Debug, FromRow)]
pub struct Fulfillment {
    pub id: Uuid,
    pub order_id: Uuid,
    #[sqlx(try_from = "String")]
    pub kind: FulfillmentKind,
    /// Empty for a handover, as is the tracking number.
    pub carrier: String,
    pub tracking_number: String,
    pub tracking_url: Option<String>,
    /// Adult signature required.
    pub adult_signature: bool,
    /// It carries the marks that its goods require.
    pub label: bool,
    /// UTC milliseconds.
    pub shipped_at: i64,
    pub delivered_at: Option<i64>,
}

/// A quantity of a line in a parcel.
#[derive(Clone, Debug, FromRow)]
pub struct Packed {
    pub fulfillment_id: Uuid,
    pub line_id: Uuid,
    pub quantity: i64,
}

impl Fulfillment {
    /// The tracking page: the address that staff entered, otherwise that of a known carrier.
    pub fn tracking_link(&self) -> Option<String> {
        self.tracking_url.clone().or_else(|| carrier_page(&self.carrier, &self.tracking_number))
    }
}
