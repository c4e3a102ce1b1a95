//! What was paid for an order's goods and its shipping, and what of that can still be refunded.

use std::collections::BTreeMap;

use shop_base::db::{Conn, DbError};
use uuid::Uuid;

use super::add_refund::Parts;
use crate::sales::records::fulfillment;
use crate::sales::records::fulfillment::rows::{Fulfillment, Packed};
use crate::sales::records::orders::rows::{Adjustment, Line, Order, TaxLine};
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
    let given = refunds::list(conn, order.id).await?;
    let lines = orders::list_lines(conn, order.id).await?;
    let taxes = orders::list_tax_lines(conn, order.id).await?;
    let adjustments = orders::list_adjustments(conn, order.id).await?;
    Ok(refundable_of(order, &lines, &given, &taxes, &adjustments))
}

/// The same, by the order's lines, refunds, tax lines and adjustments.
pub fn refundable_of(
    order: &Order,
    lines: &[Line],
    refunds: &[RefundWithLines],
    taxes: &[TaxLine],
    adjustments: &[Adjustment],
) -> Refundable {
    let mut shares: BTreeMap<Uuid, Share> = BTreeMap::new();
    for line in not_failed(refunds).flat_map(|given| &given.lines) {
        let share = shares.entry(line.line_id).or_default();
        share.quantity += line.quantity;
        share.amount += line.amount;
        share.tax += line.tax;
    }
    let lines = lines.iter().map(|line| {
        let given = shares.get(&line.id).copied().unwrap_or_default();
        (line.id, LineMoney { quantity: line.quantity, total: line.total, tax: line.tax, given })
    });
    let lines = lines.collect();
    let (gross, tax) = orders::shipping_price_of(order, taxes, adjustments);
    let given = not_failed(refunds).map(|given| given.shipping).sum();
    Refundable { lines, shipping: Shipping { gross, tax, given } }
}

/// The shipped pieces of a line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shipped {
    pub quantity: i64,
    /// How many refunded pieces count as some of them: at most as many as had been shipped when they were refunded. The others were refunded
    /// instead of being shipped, whatever was shipped later.
    pub refunded: i64,
}

impl Shipped {
    /// How many of these pieces, which are refunded now, count as shipped ones.
    pub fn count(&self, refunded: i64) -> i64 {
        refunded.min(self.quantity - self.refunded)
    }
}

/// How many refunded pieces of a line have neither left nor been canceled. `shipped` are the line's, if any.
pub fn refunded_unsent(refunded: i64, canceled: i64, shipped: Option<&Shipped>) -> i64 {
    (refunded - canceled - shipped.map_or(0, |line| line.refunded)).max(0)
}

/// The shipped pieces of each line. A shipment may have been undone and recorded again since they were refunded.
pub async fn shipped_pieces(conn: &mut Conn<'_>, order: Uuid) -> Result<BTreeMap<Uuid, Shipped>, DbError> {
    let parcels = fulfillment::service::list(conn, order).await?;
    Ok(shipped_of(&parcels, &refunds::list(conn, order).await?))
}

/// The same, by the order's parcels and refunds.
pub fn shipped_of(parcels: &[(Fulfillment, Vec<Packed>)], refunds: &[RefundWithLines]) -> BTreeMap<Uuid, Shipped> {
    let shipped_before = |line: Uuid, time: i64| -> i64 {
        let before = parcels.iter().filter(|(parcel, _)| parcel.shipped_at < time);
        before.flat_map(|(_, packed)| packed).filter(|p| p.line_id == line).map(|p| p.quantity).sum()
    };
    let mut pieces: BTreeMap<Uuid, Shipped> = BTreeMap::new();
    for packed in parcels.iter().flat_map(|(_, packed)| packed) {
        pieces.entry(packed.line_id).or_default().quantity += packed.quantity;
    }
    for given in not_failed(refunds) {
        for line in &given.lines {
            let shipped = pieces.entry(line.line_id).or_default();
            shipped.refunded += line.of_shipped.unwrap_or_else(|| {
                // A former release has not stored it.
                let left = shipped_before(line.line_id, given.created_at) - shipped.refunded;
                line.quantity.min(left).max(0)
            });
        }
    }
    for shipped in pieces.values_mut() {
        shipped.refunded = shipped.refunded.min(shipped.quantity);
    }
    pieces
}

fn not_failed(refunds: &[RefundWithLines]) -> impl Iterator<Item = &RefundWithLines> {
    refunds.iter().filter(|given| given.status != RefundStatus::Failed)
}
