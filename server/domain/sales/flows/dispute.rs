//! Payment disputes (chargebacks). Staff answer them in the provider's dashboard; here they see that action is needed, and what was lost.

use serde_json::json;
use shop_base::clock;
use shop_base::context::Context;
use shop_base::db::DbError;
use shop_base::money::Money;

use crate::customers;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::service as orders;
use crate::sales::records::payments::provider::Dispute;
use crate::sales::records::payments::rows::Attempt;
use crate::sales::records::payments::store;

/// Stores the state of a dispute and flags its order for review, once per state. What is lost lowers the customer's total.
pub async fn record(cx: &Context, attempt: &Attempt, dispute: &Dispute) -> Result<(), DbError> {
    let now = cx.clock.now_ms();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = orders::lock(&mut conn, attempt.order_id).await?;
    if store::put_dispute(&mut conn, attempt, dispute, now).await? {
        let data = json!({
            "dispute": dispute.id, "state": dispute.state, "reason": dispute.reason, "amount": dispute.amount.amount,
            "due_at": dispute.due_at,
        });
        let clock = cx.clock.as_ref();
        orders::record(&mut conn, clock, order.id, &Event::new(EventKind::Dispute, data)).await?;
        orders::flag_for_review(&mut conn, clock, order.id, &why(cx, dispute)).await?;
        if let Some(user) = order.user_id {
            customers::service::recount(&mut conn, user).await?;
        }
    }
    tx.commit().await
}

fn why(cx: &Context, dispute: &Dispute) -> String {
    let Dispute { state, reason, amount, .. } = dispute;
    let [state, reason] = [state, reason].map(|word| word.to_lowercase().replace('_', " "));
    let amount = Money::usd(amount.amount).dollars();
    // The provider keeps the date after the bank has decided.
    let is_open = dispute.state.ends_with("EVIDENCE_REQUIRED");
    let until = dispute.due_at.filter(|_| is_open).map(|at| {
        let zone = cx.zone().clone();
        format!(" Respond in the provider’s dashboard by {}.", clock::timestamp(at).to_zoned(zone).date())
    });
    format!("The customer’s bank disputed {amount} ({reason}): {state}.{}", until.unwrap_or_default())
}
