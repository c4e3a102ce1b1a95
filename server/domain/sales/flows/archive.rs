//! Archives finished orders.

use serde_json::json;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change};

use super::allowed;
use crate::sales::records::orders::claim::claim;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::{service as orders, store};
use crate::sales::records::returns;
use crate::sales::status::OrderStatus;

/// Archives a finished order.
pub async fn archive(cx: &Context, number: &str, actor: &Actor, version: i64) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, version).await?;
    allowed::archive(&order, &returns::service::list(&mut conn, order.id).await?)?;
    store::set_archived(&mut conn, order.id).await?;
    orders::record(&mut conn, clock, order.id, &Event::new(EventKind::Archived, json!({})).by(&actor.label())).await?;
    let change = Change::of(
        "order.archive",
        order.subject(),
        &json!({ "status": OrderStatus::Placed }),
        &json!({ "status": OrderStatus::Archived }),
    );
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}
