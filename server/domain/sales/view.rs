//! An order as its buyer sees it.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;
use shop_base::address::Address;
use shop_base::clock::local_day;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError, decoded};
use shop_platform::web::page::Picture;
use utoipa::ToSchema;
use uuid::Uuid;

use super::flows::make_ready::ready_at;
use super::order_links;
use super::records::fulfillment;
use super::records::fulfillment::model::FulfillmentKind;
use super::records::fulfillment::rows::Fulfillment;
use super::records::orders::history::EventKind;
use super::records::orders::rows::{HistoryEntry, Line, Order, TaxLine};
use super::records::orders::{service, store};
use super::records::payments::summary::Summary;
use super::records::payments::{refunds, summary};
use super::status::{FulfillmentStatus, OrderStatus, PaymentStatus};
use crate::tax::model::{TaxAmount, by_name};

/// Amounts are minor units, times UTC milliseconds, days those of the shop's time zone.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OrderView {
    pub number: String,
    pub href: String,
    pub status: OrderStatus,
    pub payment_status: PaymentStatus,
    pub fulfillment_status: FulfillmentStatus,
    pub placed_at: Option<i64>,
    /// `YYYY-MM-DD`.
    pub placed_on: Option<String>,
    /// Empty on the order's page while email is off, and once the account was deleted.
    pub email: String,
    pub lines: Vec<OrderLineView>,
    pub subtotal: i64,
    pub discount: i64,
    pub promo_code: Option<String>,
    pub shipping: i64,
    pub shipping_name: String,
    pub tax: i64,
    /// Components of the tax: sales tax and excises.
    pub taxes: Vec<TaxAmount>,
    pub total: i64,
    /// The amount taken; `refunded` is the part of it that was given back.
    pub paid: i64,
    pub refunded: i64,
    /// What the buyer's bank has taken back of a canceled order, by disputes that are open or that the shop has lost; otherwise 0.
    pub reclaimed: i64,
    /// None for a pickup order.
    pub address: Option<Address>,
    pub picked_up: bool,
    pub adult_signature: bool,
    /// Such as `Visa ending in 1111`, or how it will be paid.
    pub paid_with: Option<String>,
    /// Whether it is paid, and refunded, in the store.
    pub paid_in_store: bool,
    pub parcels: Vec<OrderParcel>,
    /// When it was marked as ready for pickup, unless that was undone.
    pub ready_at: Option<i64>,
    pub timeline: Vec<TimelineEntry>,
}

/// An order in the list of its buyer's account. Amounts are minor units, times UTC milliseconds, days those of the shop's time zone.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AccountOrder {
    pub number: String,
    pub href: String,
    /// `YYYY-MM-DD`.
    pub placed_on: Option<String>,
    pub lines: Vec<OrderLineView>,
    pub total: i64,
    pub timeline: Vec<TimelineEntry>,
}

/// A parcel handed to a carrier.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OrderParcel {
    pub carrier: String,
    pub tracking_number: String,
    /// The carrier's tracking page, https.
    pub tracking_url: Option<String>,
    /// `YYYY-MM-DD`.
    pub shipped_on: String,
    /// `YYYY-MM-DD`.
    pub delivered_on: Option<String>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OrderLineView {
    pub id: Uuid,
    /// The variant, if the shop still has it.
    pub variant_id: Option<Uuid>,
    pub title: String,
    pub variant: String,
    pub sku: String,
    pub href: String,
    pub picture: Picture,
    pub quantity: i64,
    /// How many of them were canceled.
    pub canceled: i64,
    pub unit_price: i64,
    pub discount: i64,
}

/// An event as shown to the buyer.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TimelineEntry {
    pub at: i64,
    /// `YYYY-MM-DD`.
    pub on: String,
    pub text: String,
}

/// Loads the view of an order.
pub async fn view(conn: &mut Conn<'_>, cx: &Context, order: Order) -> Result<OrderView, DbError> {
    only(views(conn, cx, vec![order]).await?)
}

/// The view of the one order that views were made of.
fn only(mut views: Vec<OrderView>) -> Result<OrderView, DbError> {
    views.pop().ok_or(DbError::Inconsistent("an order has no view"))
}

fn ids_of(orders: &[Order]) -> Vec<Uuid> {
    orders.iter().map(|order| order.id).collect()
}

/// Loads the views of many orders, in their order, with one statement per kind of row.
pub async fn views(conn: &mut Conn<'_>, cx: &Context, orders: Vec<Order>) -> Result<Vec<OrderView>, DbError> {
    if orders.is_empty() {
        return Ok(Vec::new());
    }
    let history = store::list_public_history_of_all(conn, &ids_of(&orders)).await?;
    views_with(conn, cx, orders, history).await
}

/// The same with the orders' histories, of which only the public entries are shown.
async fn views_with(
    conn: &mut Conn<'_>,
    cx: &Context,
    orders: Vec<Order>,
    mut history: HashMap<Uuid, Vec<HistoryEntry>>,
) -> Result<Vec<OrderView>, DbError> {
    let ids = ids_of(&orders);
    let mut lines = store::list_lines_of_all(conn, &ids).await?;
    let mut taxes = store::list_tax_lines_of_all(conn, &ids).await?;
    let mut parcels = fulfillment::service::list_of_all(conn, &ids).await?;
    let placed_by: Vec<(Uuid, Option<Uuid>)> = orders.iter().map(|order| (order.id, order.attempt_id)).collect();
    let mut paid = summary::summaries(conn, &placed_by).await?;
    let canceled: Vec<Uuid> =
        orders.iter().filter(|order| order.status == OrderStatus::Canceled).map(|order| order.id).collect();
    let reclaimed = refunds::reclaimed_of_all(conn, &canceled).await?;
    let all = orders.into_iter().map(|order| {
        let id = order.id;
        let of = Parts {
            lines: lines.remove(&id).unwrap_or_default(),
            taxes: taxes.remove(&id).unwrap_or_default(),
            history: history.remove(&id).unwrap_or_default(),
            parcels: parcels.remove(&id).unwrap_or_default(),
            paid: paid.remove(&id).unwrap_or_default(),
            reclaimed: reclaimed.get(&id).copied().unwrap_or_default(),
        };
        put_together(cx, order, of)
    });
    all.collect()
}

/// The rows that belong to an order.
struct Parts {
    lines: Vec<Line>,
    taxes: Vec<TaxLine>,
    history: Vec<HistoryEntry>,
    parcels: Vec<Fulfillment>,
    paid: Summary,
    reclaimed: i64,
}

fn put_together(cx: &Context, order: Order, of: Parts) -> Result<OrderView, DbError> {
    let Parts { lines, taxes, history, parcels, paid, reclaimed } = of;
    let is_signed_for = parcels.iter().any(|parcel| parcel.adult_signature);
    let day = |ms: i64| local_day(ms, cx.zone());
    Ok(OrderView {
        href: order.href(&cx.config),
        lines: shown_lines(lines, order.status)?,
        taxes: by_name(taxes.iter().map(|tax| (tax.name.as_str(), tax.amount))),
        timeline: timeline(&history, day),
        ready_at: ready_at(&history),
        parcels: parcels
            .into_iter()
            .filter(|each| each.kind == FulfillmentKind::Parcel)
            .map(|each| parcel(each, day))
            .collect(),
        paid: paid.taken,
        refunded: paid.refunded,
        reclaimed,
        paid_with: paid.with,
        paid_in_store: paid.in_store,
        address: match order.picked_up {
            true => None,
            false => Some(order.address()?),
        },
        // A newer rule may have demanded it, of which the email about the parcel tells, too.
        adult_signature: order.needs_signature() || is_signed_for,
        number: order.number,
        status: order.status,
        payment_status: order.payment_status,
        fulfillment_status: order.fulfillment_status,
        placed_at: order.placed_at,
        placed_on: order.placed_at.map(day),
        email: order.email,
        subtotal: order.subtotal,
        discount: order.discount_total,
        promo_code: order.promo_code,
        shipping: order.shipping_total,
        shipping_name: order.shipping_name,
        tax: order.tax_total,
        total: order.total,
        picked_up: order.picked_up,
    })
}

fn parcel(parcel: Fulfillment, day: impl Fn(i64) -> String) -> OrderParcel {
    OrderParcel {
        tracking_url: parcel.tracking_link().filter(|link| link.starts_with("https://")),
        carrier: parcel.carrier,
        tracking_number: parcel.tracking_number,
        shipped_on: day(parcel.shipped_at),
        delivered_on: parcel.delivered_at.map(day),
    }
}

fn shown_lines(lines: Vec<Line>, order: OrderStatus) -> Result<Vec<OrderLineView>, DbError> {
    lines.into_iter().map(|each| line(each, order)).collect()
}

fn line(line: Line, order: OrderStatus) -> Result<OrderLineView, DbError> {
    Ok(OrderLineView {
        id: line.id,
        canceled: line.canceled_in(order),
        picture: decoded("picture", serde_json::from_str(&line.picture))?,
        variant_id: line.variant_id,
        title: line.title,
        variant: line.variant_title,
        sku: line.sku,
        href: line.href,
        quantity: line.quantity,
        unit_price: line.unit_price,
        discount: line.discount,
    })
}

fn timeline(history: &[HistoryEntry], day: impl Fn(i64) -> String) -> Vec<TimelineEntry> {
    let public = history.iter().filter(|entry| entry.is_public);
    public.filter_map(|entry| timeline_entry(entry, day(entry.at))).collect()
}

fn timeline_entry(entry: &HistoryEntry, on: String) -> Option<TimelineEntry> {
    let data: Value = serde_json::from_str(&entry.data).unwrap_or_default();
    let text_of = |name: &str| data[name].as_str().unwrap_or_default();
    let dollars = || shop_base::money::Money::usd(data["amount"].as_i64().unwrap_or_default()).dollars();
    let text = match entry.kind()? {
        EventKind::Placed => "We’ve received your order.".to_owned(),
        EventKind::Canceled => match data["reason"].as_str() {
            Some("stock_lost") => "Canceled: the items sold out before your payment went through.".to_owned(),
            Some("payment_lost") => "Canceled: the payment didn’t go through.".to_owned(),
            Some("not_picked_up") => "Canceled: it wasn’t picked up.".to_owned(),
            _ => "Canceled.".to_owned(),
        },
        EventKind::Shipped => {
            format!("Shipped with {}, tracking number {}.", text_of("carrier"), text_of("tracking_number"))
        }
        EventKind::ShipmentUndone => {
            let (carrier, number) = (text_of("carrier"), text_of("tracking_number"));
            format!("Correction: the package with {carrier}, tracking number {number}, hasn’t shipped yet.")
        }
        EventKind::HandoverUndone => "Correction: it hasn’t been picked up yet.".to_owned(),
        EventKind::DeliveryUndone => "Correction: the package hasn’t been delivered yet.".to_owned(),
        EventKind::PaymentUndone => "Correction: it hasn’t been paid in our store yet.".to_owned(),
        EventKind::HandedOver => "Picked up at our store.".to_owned(),
        EventKind::PickupReady => "Ready for pickup at our store.".to_owned(),
        EventKind::PickupReadyUndone => "Correction: it isn’t ready for pickup yet.".to_owned(),
        EventKind::PickupReminded => "We reminded you that your order is ready at our store.".to_owned(),
        EventKind::Delivered => "A package was delivered.".to_owned(),
        EventKind::PaidInStore => format!("{} was paid in our store.", dollars()),
        EventKind::GoodsCanceled => "Part of your order was canceled.".to_owned(),
        EventKind::ReturnApproved => "Your return was approved.".to_owned(),
        EventKind::ReturnReceived => "We received your return.".to_owned(),
        EventKind::RefundStarted => format!("A refund of {} is on its way.", dollars()),
        EventKind::RefundFailed => format!("The refund of {} didn’t go through. We’ll contact you.", dollars()),
        EventKind::Refunded | EventKind::RefundedElsewhere => format!("{} was refunded.", dollars()),
        EventKind::MadeByStaff
        | EventKind::FromDraft
        | EventKind::Payment
        | EventKind::Dispute
        | EventKind::ReturnRequested
        | EventKind::ReturnRejected
        | EventKind::ReturnRefunded
        | EventKind::ReturnClosed
        | EventKind::AddressChanged
        | EventKind::RulesConfirmed
        | EventKind::Attention
        | EventKind::AttentionCleared
        | EventKind::WrittenAgain
        | EventKind::EmailDropped
        | EventKind::Note
        | EventKind::Archived => return None,
    };
    Some(TimelineEntry { at: entry.at, on, text })
}

/// The view of a placed order, by the secret in its address.
pub async fn find_placed_by_token(cx: &Context, token: &str) -> Result<Option<Linked>, DbError> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let order = match order_links::order(&cx.config, token) {
        Some(order) => store::find_order(&mut conn, order).await?,
        None => find_by_unsigned(&mut conn, token).await?,
    };
    let Some(order) = order.filter(|order| order.placed_at.is_some()) else { return Ok(None) };
    let (id, user_id) = (order.id, order.user_id);
    let history = store::list_history(&mut conn, id).await?;
    let last = last_news_at(&history).max(order.placed_at).unwrap_or_default();
    let mut order = only(views_with(&mut conn, cx, vec![order], HashMap::from([(id, history)])).await?)?;
    if cx.config.mail.is_none() {
        // Its page announces emails to this address.
        order.email.clear();
    }
    Ok(Some(Linked { order, user_id, expires_at: last + LINK_MS }))
}

/// When the buyer was last told something: by an entry that they may read, or by an email, as each has the link.
fn last_news_at(history: &[HistoryEntry]) -> Option<i64> {
    let is_news = |entry: &&HistoryEntry| match entry.kind() {
        Some(EventKind::WrittenAgain) => true,
        Some(EventKind::ReturnRejected) => {
            serde_json::from_str::<Value>(&entry.data).is_ok_and(|data| data["emailed"] == true)
        }
        _ => entry.is_public,
    };
    history.iter().filter(is_news).map(|entry| entry.at).max()
}

/// Random tokens of old orders, and those that a secret signed which has been replaced.
async fn find_by_unsigned(conn: &mut Conn<'_>, token: &str) -> Result<Option<Order>, DbError> {
    for stored in order_links::stored(token) {
        if let Some(order) = store::find_by_token(conn, &stored).await? {
            return Ok(Some(order));
        }
    }
    Ok(None)
}

/// An order's link shows it for this long after the last news about it, and to its signed-in buyer forever: whoever finds the link in an
/// old mailbox learns nothing about anybody.
const LINK_MS: i64 = 90 * 24 * 60 * 60 * 1000;

/// An order as its link shows it.
#[derive(Debug)]
pub struct Linked {
    pub order: OrderView,
    pub user_id: Option<Uuid>,
    /// UTC milliseconds.
    pub expires_at: i64,
}

/// Some of a user's placed orders, the newest first.
#[derive(Debug)]
pub struct UserOrders {
    pub orders: Vec<AccountOrder>,
    /// The number of the first one, if they do not begin with the newest.
    pub from: Option<String>,
    /// The number of the one that comes after the last.
    pub next: Option<String>,
}

/// A user's placed orders, beginning with the number `from`, or with the newest if it is none of theirs.
pub async fn list_by_user(
    cx: &Context,
    conn: &mut Conn<'_>,
    user: Uuid,
    from: Option<&str>,
) -> Result<UserOrders, DbError> {
    const MOST: u8 = 20;
    let first = match from {
        Some(number) => service::find_by_number(conn, number).await?.filter(|order| order.user_id == Some(user)),
        None => None,
    };
    let place = first.as_ref().and_then(|order| Some((order.placed_at?, order.id)));
    let newest = (i64::MAX, Uuid::max());
    let mut orders = store::list_by_user(conn, user, place.unwrap_or(newest), i64::from(MOST) + 1).await?;
    let next = orders.get(usize::from(MOST)).map(|order| order.number.clone());
    orders.truncate(usize::from(MOST));
    let from = first.filter(|_| place.is_some()).map(|order| order.number);
    Ok(UserOrders { orders: list_in_account(conn, cx, orders).await?, from, next })
}

async fn list_in_account(conn: &mut Conn<'_>, cx: &Context, orders: Vec<Order>) -> Result<Vec<AccountOrder>, DbError> {
    if orders.is_empty() {
        return Ok(Vec::new());
    }
    let ids = ids_of(&orders);
    let mut lines = store::list_lines_of_all(conn, &ids).await?;
    let mut history = store::list_public_history_of_all(conn, &ids).await?;
    let all = orders.into_iter().map(|order| {
        let id = order.id;
        in_account(cx, order, lines.remove(&id).unwrap_or_default(), &history.remove(&id).unwrap_or_default())
    });
    all.collect()
}

fn in_account(cx: &Context, order: Order, lines: Vec<Line>, history: &[HistoryEntry]) -> Result<AccountOrder, DbError> {
    let day = |ms: i64| local_day(ms, cx.zone());
    Ok(AccountOrder {
        href: order.href(&cx.config),
        lines: shown_lines(lines, order.status)?,
        timeline: timeline(history, day),
        placed_on: order.placed_at.map(day),
        number: order.number,
        total: order.total,
    })
}
