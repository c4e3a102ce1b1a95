//! Takes in the store the money that was due there.

use serde::Deserialize;
use serde_json::json;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change};
use utoipa::ToSchema;

use super::allowed;
use super::hand_over::require_id;
use super::payment_status::derive_payment_status;
use super::settle::count;
use crate::sales::records::orders::claim::claim;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::service as orders;
use crate::sales::records::payments::model::Tender;
use crate::sales::records::payments::provider::ProviderStatus;
use crate::sales::records::payments::store;

/// Money taken in the store.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Takings {
    /// The order version that the caller saw.
    pub version: i64,
    pub tender: Tender,
    /// Confirms that a photo ID was checked and that the payer is 21 or older.
    #[serde(default)]
    pub id_checked: bool,
}

/// Records that the money due for an order was taken.
pub async fn take(cx: &Context, number: &str, actor: &Actor, takings: &Takings) -> Result<(), Error> {
    require_id(takings.id_checked)?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, takings.version).await?;
    let attempts = store::list_attempts(&mut conn, order.id).await?;
    let mut attempt = allowed::take_payment(&order, &attempts)?.clone();
    attempt.status = attempt.status.after(ProviderStatus::Captured);
    attempt.tender = Some(takings.tender.text().to_owned());
    store::update_attempt(&mut conn, &attempt, clock.now_ms()).await?;
    count(&mut conn, attempt.status);
    derive_payment_status(&mut conn, cx, order.id).await?;
    let data = json!({ "amount": attempt.amount, "tender": takings.tender, "id_checked": true });
    orders::record(&mut conn, clock, order.id, &Event::new(EventKind::PaidInStore, data.clone()).by(&actor.label()))
        .await?;
    let change = Change::new("order.take_payment", order.subject(), data);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}
