//! Records returned goods, and restocks those that can be sold again.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Value, json};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::audit::model::Actor;
use utoipa::ToSchema;
use uuid::Uuid;

use super::return_step::{record, step};
use crate::sales::records::orders::claim::claim;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::service as orders;
use crate::sales::records::returns::model::{Arrival, Step};
use crate::sales::records::returns::rows::ReturnLine;
use crate::sales::records::returns::store;
use crate::stock;

/// The goods received.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Receipt {
    /// The order version that the caller saw.
    pub version: i64,
    pub lines: Vec<ReceivedLine>,
}

#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub struct ReceivedLine {
    pub line_id: Uuid,
    /// Put back on the shelf.
    pub restocked: i64,
    /// Not sellable again.
    pub written_off: i64,
}

/// Records returned goods, and restocks those that can be sold again.
pub async fn receive(cx: &Context, number: &str, actor: &Actor, id: Uuid, receipt: &Receipt) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, receipt.version).await?;
    let announced = step(cx, &mut conn, &order, id, Step::Receive, None).await?;
    let lines = orders::list_lines(&mut conn, order.id).await?;
    let mut shelf: BTreeMap<Uuid, i64> = BTreeMap::new();
    let (mut arrived, mut seen) = (0, BTreeSet::new());
    for received in &receipt.lines {
        let line = announced.iter().find(|line| line.line_id == received.line_id);
        let Some(line) = line.filter(|line| seen.insert(line.line_id)) else {
            return Err(Error::invalid("lines", "List each item in this return once."));
        };
        let arrival =
            Arrival { announced: line.quantity, restocked: received.restocked, written_off: received.written_off };
        if !arrival.is_sound() {
            return Err(Error::invalid("lines", "That’s more than was requested."));
        }
        let came = ReturnLine { restocked: received.restocked, written_off: received.written_off, ..line.clone() };
        store::set_arrived(&mut conn, &came).await?;
        arrived += arrival.arrived();
        if received.restocked > 0 {
            let variant = lines.iter().find(|line| line.id == received.line_id).and_then(|line| line.variant_id);
            let Some(variant) = variant else {
                return Err(Error::invalid("lines", "This product no longer exists. Write it off."));
            };
            *shelf.entry(variant).or_default() += received.restocked;
        }
    }
    if arrived == 0 {
        return Err(Error::invalid("lines", "Enter what was received, or reject the return."));
    }
    for (variant, quantity) in shelf {
        if !stock::service::put_back(&mut conn, clock, order.id, variant, quantity, "return").await? {
            return Err(Error::conflict("not_sold", "There’s no stock record of this sale. Write these off."));
        }
    }
    let goods: Value = receipt
        .lines
        .iter()
        .filter_map(|line| {
            let sku = &lines.iter().find(|each| each.id == line.line_id)?.sku;
            Some(json!({ "sku": sku, "restocked": line.restocked, "written_off": line.written_off }))
        })
        .collect();
    let data = json!({ "return": id, "goods": goods });
    let event = Event::new(EventKind::ReturnReceived, data.clone());
    record(cx, &mut conn, &order, actor, event, "return.receive", data).await?;
    tx.commit().await?;
    Ok(())
}
