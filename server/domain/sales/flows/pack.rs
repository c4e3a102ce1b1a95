//! Stores goods that leave the store, in a parcel or by handover.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use shop_base::db::Conn;
use shop_base::error::Error;
use shop_base::fields::Faults;
use uuid::Uuid;

use crate::sales::records::fulfillment::model::{LineProgress, LineQuantity, checked};
use crate::sales::records::fulfillment::rows::{Fulfillment, Packed};
use crate::sales::records::fulfillment::store;
use crate::sales::records::orders::rows::Line;
use crate::sales::records::orders::service as orders;

/// Stores a fulfillment, limited to what is open in `progress`. Returns its description for the history.
pub async fn pack(
    conn: &mut Conn<'_>,
    progress: &[LineProgress],
    fulfillment: &Fulfillment,
    choice: &[LineQuantity],
    mut faults: Faults,
) -> Result<Value, Error> {
    let open: BTreeMap<Uuid, i64> = progress.iter().map(|line| (line.line_id, line.open())).collect();
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
    Ok(describe_lines(&orders::list_lines(conn, fulfillment.order_id).await?, &chosen))
}

/// Lines and quantities in the format of history and audit log.
pub fn describe_lines(lines: &[Line], chosen: &BTreeMap<Uuid, i64>) -> Value {
    lines
        .iter()
        .filter_map(|line| Some(json!({ "sku": line.sku, "title": line.title, "quantity": chosen.get(&line.id)? })))
        .collect()
}
