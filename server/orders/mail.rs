//! What is written to an order's buyer.

use uuid::Uuid;

use super::model::{CancelReason, OrderNews};
use super::store::{self, Fulfillment};
use super::view::{OrderView, view};
use crate::app::App;
use crate::clock;
use crate::db::DbError;
use crate::mail::mailer::MailError;
use crate::mail::model::{
    CancelReason as Why, CanceledMail, Mail, MailAmount, MailLine, MailTotals, OrderMail, RefundedMail, ShippedMail,
};
use crate::mail::service::deliver;
use crate::money::Money;
use crate::payments;

/// Why a letter about an order could not be sent.
#[derive(Debug, thiserror::Error)]
pub enum OrderMailError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Mail(#[from] MailError),
}

/// Writes to an order's buyer, as things stand now. The same news is the same letter at every try.
pub async fn send(app: &App, order: Uuid, news: &OrderNews) -> Result<(), OrderMailError> {
    let mut reader = app.db.read().await?;
    let mut conn = reader.conn();
    let Some(order) = store::find_order(&mut conn, order).await? else { return Ok(()) };
    let (id, to) = (order.id, order.email.clone());
    let reason = order.cancel_reason.as_deref().and_then(|reason| reason.parse().ok());
    let shown = view(&mut conn, order).await?;
    let mail = match news {
        OrderNews::Placed => Mail::OrderConfirmation(confirmation(app, shown)),
        OrderNews::Canceled => Mail::OrderCanceled(canceled(shown, reason)),
        OrderNews::Shipped => {
            let Some(parcel) = store::find_fulfillment(&mut conn, id).await? else { return Ok(()) };
            Mail::OrderShipped(shipped(shown, parcel))
        }
        OrderNews::Refunded(refund) => {
            let Some(amount) = payments::refunds::find_amount(&mut conn, *refund).await? else { return Ok(()) };
            Mail::OrderRefunded(refunded(shown, amount))
        }
    };
    drop(reader);
    deliver(app, &to, &mail, &format!("{id}-{}", news.name())).await?;
    Ok(())
}

fn usd(amount: i64) -> Money {
    Money::usd(amount)
}

fn lines(order: &OrderView) -> Vec<MailLine> {
    let line = |line: &super::view::OrderLineView| MailLine {
        title: line.title.clone(),
        variant: line.variant.clone(),
        quantity: line.quantity,
        amount: usd(line.unit_price * line.quantity),
    };
    order.lines.iter().map(line).collect()
}

/// Lines of the delivery address, the name first.
fn address(order: &OrderView) -> Vec<String> {
    let Some(address) = &order.address else { return Vec::new() };
    let city = format!("{}, {} {}", address.city, address.state, address.postal_code);
    let name = format!("{} {}", address.first_name, address.last_name);
    [name, address.company.clone(), address.line1.clone(), address.line2.clone(), city]
        .into_iter()
        .filter(|line| !line.trim().is_empty())
        .collect()
}

fn shipped(order: OrderView, parcel: Fulfillment) -> ShippedMail {
    ShippedMail {
        lines: lines(&order),
        carrier: parcel.carrier,
        tracking_number: parcel.tracking_number,
        tracking_url: parcel.tracking_url,
        address: address(&order),
        adult_signature: parcel.adult_signature,
        order_path: order.href,
        number: order.number,
    }
}

fn confirmation(app: &App, order: OrderView) -> OrderMail {
    let zone = app.config.company.time_zone.clone();
    let placed_on = clock::timestamp(order.placed_at.unwrap_or_default()).to_zoned(zone).date().to_string();
    let named = |label: Option<String>, amount: i64| match label {
        Some(label) if amount != 0 => vec![MailAmount { label, amount: usd(amount) }],
        _ => Vec::new(),
    };
    let code = order.promo_code.as_ref().map(|code| format!("Promo code {code}"));
    OrderMail {
        placed_on,
        lines: lines(&order),
        address: address(&order),
        totals: MailTotals {
            subtotal: usd(order.subtotal),
            discounts: named(code, -order.discount),
            shipping: usd(order.shipping),
            taxes: named(order.tax_name.clone(), order.tax),
            total: usd(order.total),
        },
        shipping_method: order.shipping_name,
        payment: order.paid_with.unwrap_or_default(),
        adult_signature: order.adult_signature,
        order_path: order.href,
        number: order.number,
    }
}

fn canceled(order: OrderView, reason: Option<CancelReason>) -> CanceledMail {
    CanceledMail {
        reason: match reason {
            Some(CancelReason::StockLost) => Why::OutOfStock,
            Some(CancelReason::Abandoned | CancelReason::PaymentLost) => Why::Expired,
            Some(CancelReason::Shopper) => Why::Customer,
            Some(CancelReason::Staff) | None => Why::Shop,
        },
        lines: lines(&order),
        refund: (order.refunded > 0).then(|| usd(order.refunded)),
        order_path: order.href,
        number: order.number,
    }
}

fn refunded(order: OrderView, amount: i64) -> RefundedMail {
    RefundedMail {
        amount: usd(amount),
        lines: Vec::new(),
        payment: order.paid_with.unwrap_or_default(),
        reason: String::new(),
        order_path: order.href,
        number: order.number,
    }
}
