//! Stores what leaves the store, in a parcel or over the counter.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use shop_base::db::Conn;
use shop_base::error::Error;
use shop_base::fields::Faults;
use uuid::Uuid;

use super::progress::progress;
use crate::sales::records::fulfillment::model::{LineQuantity, checked};
use crate::sales::records::fulfillment::rows::{Fulfillment, Packed};
use crate::sales::records::fulfillment::store;
use crate::sales::records::orders::rows::{Line, Order};
use crate::sales::records::orders::service as orders;
use crate::sales::status::PaymentStatus;

pub fn require_paid(order: &Order) -> Result<(), Error> {
    match order.payment_status {
        PaymentStatus::Paid | PaymentStatus::PartiallyRefunded => Ok(()),
        _ => Err(Error::conflict("not_paid", "This order isn’t paid, so it can’t be handed over or shipped.")),
    }
}

/// Stores what leaves, as far as it is open; answers with what it is, for the history.
pub async fn pack(
    conn: &mut Conn<'_>,
    order: &Order,
    fulfillment: &Fulfillment,
    choice: &[LineQuantity],
    mut faults: Faults,
) -> Result<Value, Error> {
    let open: BTreeMap<Uuid, i64> =
        progress(conn, order.id).await?.iter().map(|line| (line.line_id, line.open())).collect();
    if open.values().all(|open| *open == 0) {
        return Err(Error::conflict("nothing_open", "Everything in this order has already left."));
    }
    let chosen = match checked(choice, |id| open.get(&id).copied()) {
        Ok(chosen) => {
            faults.finish()?;
            chosen
        }
        Err(problem) => {
            faults.say("lines", problem.to_string());
            return Err(Error::Invalid { errors: faults.into_errors() });
        }
    };
    store::insert_fulfillment(conn, fulfillment).await?;
    for (line_id, quantity) in &chosen {
        let packed = Packed { fulfillment_id: fulfillment.id, line_id: *line_id, quantity: *quantity };
        store::insert_line(conn, &packed).await?;
    }
    Ok(describe_lines(&orders::list_lines(conn, order.id).await?, &chosen))
}

/// Lines and quantities as histories and the audit log keep them.
pub fn describe_lines(lines: &[Line], chosen: &BTreeMap<Uuid, i64>) -> Value {
    lines
        .iter()
        .filter_map(|line| Some(json!({ "sku": line.sku, "title": line.title, "quantity": chosen.get(&line.id)? })))
        .collect()
}
