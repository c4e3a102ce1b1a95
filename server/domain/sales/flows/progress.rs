//! Fulfillment progress of an order's lines, and the resulting fulfillment status.

use std::collections::BTreeMap;

use shop_base::clock::Clock;
use shop_base::db::{Conn, DbError};
use uuid::Uuid;

use crate::sales::records::fulfillment::model::{LineProgress, fulfillment_status};
use crate::sales::records::fulfillment::rows::Packed;
use crate::sales::records::fulfillment::store;
use crate::sales::records::orders::rows::Line;
use crate::sales::records::orders::service as orders;
use crate::sales::status::{FulfillmentStatus, OrderStatus};

/// Derives the fulfillment status from what has left and stores it. A canceled order keeps its status.
pub async fn derive_status(conn: &mut Conn<'_>, clock: &dyn Clock, order: Uuid) -> Result<(), DbError> {
    let order = orders::find(conn, order).await?.ok_or(DbError::Inconsistent("the order of a package is gone"))?;
    if order.status == OrderStatus::Canceled {
        return Ok(());
    }
    let parcels = store::list_fulfillments(conn, order.id).await?;
    let all_delivered = parcels.iter().all(|parcel| parcel.delivered_at.is_some());
    let status: FulfillmentStatus = fulfillment_status(&progress(conn, order.id).await?, all_delivered);
    if status == order.fulfillment_status {
        return Ok(());
    }
    orders::set_fulfillment_status(conn, clock, order.id, status).await
}

/// Progress of each line of an order, in line order.
pub async fn progress(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<LineProgress>, DbError> {
    let packed = store::list_lines(conn, order).await?;
    Ok(progress_of(&orders::list_lines(conn, order).await?, &packed))
}

/// The same, by the order's lines and what all its parcels contain.
pub fn progress_of<'a>(lines: &[Line], packed: impl IntoIterator<Item = &'a Packed>) -> Vec<LineProgress> {
    let mut shipped: BTreeMap<Uuid, i64> = BTreeMap::new();
    for packed in packed {
        *shipped.entry(packed.line_id).or_default() += packed.quantity;
    }
    lines
        .iter()
        .map(|line| LineProgress {
            line_id: line.id,
            ordered: line.quantity,
            canceled: line.canceled,
            shipped: shipped.get(&line.id).copied().unwrap_or(0),
        })
        .collect()
}
