//! Hands an order over to its buyer in the store.

use serde::Deserialize;
use serde_json::json;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::fields::Faults;
use shop_base::ids::new_id;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change};
use utoipa::ToSchema;

use super::allowed;
use super::check_rules::{check, open};
use super::pack::pack;
use super::progress::{derive_status, progress};
use super::refund::is_given_back;
use crate::sales::records::fulfillment::model::{FulfillmentKind, LineQuantity};
use crate::sales::records::fulfillment::rows::Fulfillment;
use crate::sales::records::orders::claim::claim;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::service as orders;

/// A handover in the store.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Handover {
    pub version: i64,
    /// Confirms that a photo ID was checked and that the person picking up is 21 or older.
    #[serde(default)]
    pub id_checked: bool,
    /// The refusal that is confirmed, word for word: the items leave although today's rules forbid it. Needs the permission to edit the rules.
    #[serde(default)]
    pub confirm_rules: Option<String>,
}

/// Records that all open goods of an order were handed over.
pub async fn hand_over(cx: &Context, number: &str, actor: &Actor, handover: &Handover) -> Result<(), Error> {
    require_id(handover.id_checked)?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, handover.version).await?;
    let before = progress(&mut conn, order.id).await?;
    allowed::hand_over(&order, &before, is_given_back(&mut conn, &order).await?)?;
    let lines = orders::list_lines(&mut conn, order.id).await?;
    let demands = check(cx, &mut conn, &order, &open(&lines, &before)).await?;
    demands.admit(handover.confirm_rules.as_deref())?;
    let fulfillment = Fulfillment {
        id: new_id(clock),
        order_id: order.id,
        kind: FulfillmentKind::Handover,
        carrier: String::new(),
        tracking_number: String::new(),
        tracking_url: None,
        adult_signature: false,
        label: false,
        shipped_at: clock.now_ms(),
        delivered_at: None,
    };
    let open: Vec<LineQuantity> =
        before.iter().map(|line| LineQuantity { line_id: line.line_id, quantity: line.open() }).collect();
    let goods = pack(&mut conn, &before, &fulfillment, &open, Faults::default()).await?;
    let mut data = json!({ "fulfillment": fulfillment.id, "id_checked": true, "goods": goods });
    orders::record(&mut conn, clock, order.id, &Event::new(EventKind::HandedOver, data.clone()).by(&actor.label()))
        .await?;
    demands.record_exception(cx, &mut conn, &order, actor, &mut data).await?;
    derive_status(&mut conn, clock, order.id).await?;
    let change = Change::new("order.hand_over", order.subject(), data);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Requires an ID check before goods are handed over or money is taken in the store.
pub fn require_id(checked: bool) -> Result<(), Error> {
    if checked {
        return Ok(());
    }
    Err(Error::invalid("id_checked", "Check a photo ID first. The person picking up must be 21 or older."))
}
