//! Evaluates the compliance rules for a cart and a state, without a checkout.

use serde::{Deserialize, Serialize};
use shop_base::address::state;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::compliance::model::{Decision, Delivery};
use shop_domain::compliance::service::decide_for;
use utoipa::ToSchema;

use super::queries;

const MOST_SKUS: usize = 50;

#[derive(Debug, Deserialize, ToSchema)]
pub struct ComplianceTrial {
    /// Two-letter code of the destination state.
    pub state: String,
    /// At most 50.
    pub skus: Vec<String>,
}

/// What today's rules say about a cart.
#[derive(Debug, Serialize, ToSchema)]
pub struct Verdict {
    pub items: Vec<VerdictItem>,
    pub ship: Way,
    pub pickup: Way,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct VerdictItem {
    pub sku: String,
    pub title: String,
    pub class: String,
}

/// A delivery method: shipping or pickup.
#[derive(Debug, Serialize, ToSchema)]
pub struct Way {
    pub is_allowed: bool,
    /// Why it is not allowed.
    pub refusals: Vec<String>,
    pub adult_signature: bool,
    pub ground_only: bool,
    pub may_pay_online: bool,
    /// The legal sources of the rules that allow it.
    pub sources: Vec<String>,
}

pub async fn run(cx: &Context, trial: &ComplianceTrial) -> Result<Verdict, Error> {
    let code = trial.state.trim().to_ascii_uppercase();
    if state(&code).is_none() {
        return Err(Error::invalid("state", "Choose a state."));
    }
    let skus: Vec<&str> = trial.skus.iter().map(|sku| sku.trim()).filter(|sku| !sku.is_empty()).collect();
    if skus.is_empty() || skus.len() > MOST_SKUS {
        return Err(Error::invalid("skus", "Enter 1 to 50 skus."));
    }
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let found = queries::list_classes(&mut conn, &skus).await?;
    if let Some(unknown) = skus.iter().find(|sku| !found.iter().any(|item| item.sku == **sku)) {
        return Err(Error::invalid("skus", &format!("Unknown SKU: {unknown}.")));
    }
    let classes: Vec<&str> = found.iter().map(|item| item.class.as_str()).collect();
    let company = &cx.config.company;
    let on = cx.today();
    let ship = decide_for(&mut conn, &classes, &code, Delivery::Ship, on).await?;
    // Picked-up goods are handed over in the shop's own state.
    let pickup = decide_for(&mut conn, &classes, &company.state, Delivery::Pickup, on).await?;
    let way = |decision: Decision| Way {
        is_allowed: decision.refusals.is_empty() && decision.store_only.is_empty(),
        refusals: decision.refusals.into_iter().chain(decision.store_only).map(|refusal| refusal.message).collect(),
        adult_signature: decision.adult_signature,
        ground_only: decision.ground_only,
        may_pay_online: decision.may_pay_online,
        sources: decision.rules.into_iter().map(|rule| rule.source).collect(),
    };
    drop(reader);
    Ok(Verdict { items: found, ship: way(ship), pickup: way(pickup) })
}
