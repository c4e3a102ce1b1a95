//! The part of an order's payment data that its buyer may see.

use std::collections::{HashMap, HashSet};

use shop_base::db::{Conn, DbError};
use uuid::Uuid;

use super::model::{AttemptStatus, Tender};
use super::provider::ProviderName;
use super::rows::Attempt;
use super::store;

/// The part of an order's payment data that its buyer may see.
#[derive(Debug, Default)]
pub struct Summary {
    /// Minor units taken.
    pub taken: i64,
    /// Minor units given back.
    pub refunded: i64,
    /// Such as `Visa ending in 1111`.
    pub with: Option<String>,
    /// Money goes from hand to hand there, not through a bank.
    pub in_store: bool,
}

/// Payment summaries of orders, each given with the attempt that placed it.
pub async fn summaries(
    conn: &mut Conn<'_>,
    orders: &[(Uuid, Option<Uuid>)],
) -> Result<HashMap<Uuid, Summary>, DbError> {
    let ids: Vec<Uuid> = orders.iter().map(|(order, _)| *order).collect();
    let placed_by: HashSet<Uuid> = orders.iter().filter_map(|(_, attempt)| *attempt).collect();
    let mut summaries: HashMap<Uuid, Summary> = HashMap::new();
    for attempt in store::list_attempts_of_all(conn, &ids).await? {
        let summary = summaries.entry(attempt.order_id).or_default();
        if attempt.status == AttemptStatus::Captured {
            summary.taken += attempt.amount;
        }
        summary.refunded += attempt.refunded;
        if placed_by.contains(&attempt.id) {
            summary.with = words(&attempt);
            summary.in_store = attempt.provider == ProviderName::Pickup;
        }
    }
    Ok(summaries)
}

/// How an attempt was paid, such as `Visa ending in 1111`.
pub async fn paid_with(conn: &mut Conn<'_>, attempt: Uuid) -> Result<Option<String>, DbError> {
    Ok(store::find_attempt(conn, attempt).await?.as_ref().and_then(words))
}

fn words(attempt: &Attempt) -> Option<String> {
    match attempt.provider {
        ProviderName::Pickup => match attempt.tender.as_deref().and_then(|text| text.parse::<Tender>().ok()) {
            Some(tender) => Some(format!("In our store, {}", tender.words())),
            // Nobody picks up what was canceled.
            None if attempt.status == AttemptStatus::Voided => None,
            None => Some("In our store, when you pick it up".to_owned()),
        },
        ProviderName::Square => {
            let (brand, last_4) = attempt.card_brand.as_ref().zip(attempt.card_last_4.as_ref())?;
            Some(format!("{brand} ending in {last_4}"))
        }
    }
}
