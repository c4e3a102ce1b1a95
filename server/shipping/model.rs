//! Shipping methods and their prices.

use serde::Serialize;
use utoipa::ToSchema;

/// A way to get an order, with its price for one parcel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ShippingOption {
    pub code: String,
    pub name: String,
    /// Such as `2 to 7 business days`.
    pub estimate: String,
    /// Minor units, the fee for an adult's signature included.
    pub price: i64,
    pub pickup: bool,
}

/// What is to be sent.
#[derive(Clone, Copy, Debug)]
pub struct Parcel<'a> {
    /// Two capital letters.
    pub state: &'a str,
    pub grams: i64,
    pub adult_signature: bool,
    /// Goods that no aircraft takes.
    pub ground_only: bool,
}
