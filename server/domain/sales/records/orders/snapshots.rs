//! Snapshots of the moment when an order was placed, as JSON in its row.

use serde::Deserialize;
use shop_base::address::Address;
use shop_base::db::{DbError, decoded};

use super::rows::Order;

/// The rules that allowed the order.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct DecidedRules {
    /// `YYYY-MM-DD`
    pub decided_on: Option<String>,
    pub state: Option<String>,
    pub ground_only: bool,
    pub rules: Vec<AppliedRule>,
}

#[derive(Debug, Deserialize)]
pub struct AppliedRule {
    pub class: String,
    pub source: String,
}

/// The method of an order that staff have made: no age is declared, an ID is checked in the store before money or goods change hands.
pub const ID_AT_PICKUP: &str = "id_at_pickup";

/// How and when the buyer proved their age.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct AgeProof {
    /// The day of the order, `YYYY-MM-DD`.
    pub on: Option<String>,
    pub proof: AgeMethod,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct AgeMethod {
    pub method: Option<String>,
    /// When the age was declared, UTC milliseconds; none for some orders of former releases.
    pub verified_at: Option<i64>,
}

impl Order {
    pub fn address(&self) -> Result<Address, DbError> {
        Address::stored(&self.address)
    }

    /// None for orders from before rules were stored with the order.
    pub fn compliance(&self) -> Result<Option<DecidedRules>, DbError> {
        decoded("compliance", serde_json::from_str(&self.compliance))
    }

    pub fn age_proof(&self) -> Result<AgeProof, DbError> {
        decoded("age_proof", serde_json::from_str(&self.age_proof))
    }
}
