//! What was paid for an order's goods and its shipping, and what of that can still be refunded.

use std::collections::BTreeMap;

use shop_base::db::{Conn, DbError};
use uuid::Uuid;

use super::add_refund::Parts;
use crate::sales::records::fulfillment;
use crate::sales::records::orders::rows::Order;
use crate::sales::records::orders::service as orders;
use crate::sales::records::payments::model::RefundStatus;
use crate::sales::records::payments::proration::{LineMoney, Share, tax_within};
use crate::sales::records::payments::refunds;
use crate::sales::records::payments::refunds::RefundWithLines;

/// The amounts of an order's parts, and how much of them was refunded or is being refunded.
#[derive(Debug)]
pub struct Refundable {
    pub lines: BTreeMap<Uuid, LineMoney>,
    pub shipping: Shipping,
}

#[derive(Clone, Copy, Debug)]
pub struct Shipping {
    /// What the buyer paid for shipping, tax included.
    pub gross: i64,
    pub tax: i64,
    pub given: i64,
}

impl Shipping {
    /// What has not been refunded.
    pub fn remaining(&self) -> i64 {
        self.gross - self.given
    }

    /// The tax within the next refund of shipping.
    pub fn tax_of(&self, amount: i64) -> i64 {
        tax_within(amount, self.given, self.gross, self.tax)
    }
}

impl Refundable {
    /// All that has not been refunded.
    pub fn rest(&self) -> Parts {
        let lines = self.lines.iter().map(|(id, line)| (*id, line.share(line.remaining())));
        let lines: Vec<_> = lines.filter(|(_, share)| share.quantity > 0).collect();
        let shipping = self.shipping.remaining();
        let tax = lines.iter().map(|(_, share)| share.tax).sum::<i64>() + self.shipping.tax_of(shipping);
        Parts { lines, shipping, tax, ..Parts::default() }
    }
}

pub async fn refundable(conn: &mut Conn<'_>, order: &Order) -> Result<Refundable, DbError> {
    let given = list_given(conn, order.id).await?;
    let mut shares: BTreeMap<Uuid, Share> = BTreeMap::new();
    for line in given.iter().flat_map(|given| &given.lines) {
        let share = shares.entry(line.line_id).or_default();
        share.quantity += line.quantity;
        share.amount += line.amount;
        share.tax += line.tax;
    }
    let lines = orders::list_lines(conn, order.id).await?.into_iter().map(|line| {
        let given = shares.get(&line.id).copied().unwrap_or_default();
        (line.id, LineMoney { quantity: line.quantity, total: line.total, tax: line.tax, given })
    });
    let lines = lines.collect();
    let (gross, tax) = orders::shipping_price(conn, order).await?;
    let given = given.iter().map(|given| given.shipping).sum();
    Ok(Refundable { lines, shipping: Shipping { gross, tax, given } })
}

/// How many refunded pieces of each line count as shipped ones: at most as many as had been shipped when they were refunded. The others were
/// refunded instead of being shipped, whatever was shipped later.
pub async fn refunded_after_shipping(conn: &mut Conn<'_>, order: Uuid) -> Result<BTreeMap<Uuid, i64>, DbError> {
    let parcels = fulfillment::service::list(conn, order).await?;
    let mut refunded: BTreeMap<Uuid, i64> = BTreeMap::new();
    for given in list_given(conn, order).await? {
        for line in &given.lines {
            let before = parcels.iter().filter(|(parcel, _)| parcel.shipped_at < given.created_at);
            let shipped: i64 =
                before.flat_map(|(_, packed)| packed).filter(|p| p.line_id == line.line_id).map(|p| p.quantity).sum();
            let of_shipped = refunded.entry(line.line_id).or_default();
            *of_shipped = (*of_shipped + line.quantity).min(shipped);
        }
    }
    Ok(refunded)
}

/// An order's refunds that have not failed, the oldest first.
async fn list_given(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<RefundWithLines>, DbError> {
    let mut given = refunds::list(conn, order).await?;
    given.retain(|given| given.status != RefundStatus::Failed);
    Ok(given)
}
