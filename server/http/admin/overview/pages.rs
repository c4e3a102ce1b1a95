//! The overview.

use std::sync::Arc;

use axum::extract::State;
use jiff::tz::TimeZone;
use serde::Serialize;
use shop_base::clock::local_time;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_domain::analytics::figures::{Bucket, Figures, Part, Period, parts, total};
use shop_domain::analytics::read::list_days;
use shop_domain::analytics::service::{Freshness, refresh_for_reader};
use shop_domain::sales::status::{FulfillmentStatus, PaymentStatus};
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;

use super::queries;
use super::queries::Hand;
use crate::admin::admin_meta;
use crate::admin::rights::Permission;

/// Paid orders with goods that have yet to be shipped, unless all of the money goes back.
const UNSENT: &str = "/admin/orders?status=placed&payment=paid&payment=partially_refunded&fulfillment=unfulfilled\
    &fulfillment=partially_fulfilled&delivery=shipping&all_refunded=no";
/// Orders with goods that have yet to be picked up, paid for or not, unless all of the money goes back.
const TO_PICK_UP: &str = "/admin/orders?status=placed&fulfillment=unfulfilled&fulfillment=partially_fulfilled&delivery=pickup\
    &all_refunded=no";
const PATH: &str = "/admin/overview";
/// The periods that can be chosen, in days.
pub const PERIODS: [i64; 4] = [1, 7, 30, 90];
pub const DEFAULT: i64 = 7;
/// A chart of fewer days is not useful.
const SHORTEST_CHART: i64 = 7;

/// Times are in the shop's time zone, `2026-11-21T12:00:05`.
#[derive(Debug, Serialize, ToSchema)]
pub struct OverviewPage {
    /// How many days are shown, up to and including today.
    pub days: i64,
    /// The periods to choose from.
    pub periods: Vec<i64>,
    pub updated_at: String,
    pub now: Figures,
    /// The same number of days before these.
    pub before: Figures,
    /// By day; at least a week.
    pub chart: Vec<Part>,
    pub hands: Vec<Hands>,
    pub low_stock: LowStock,
    pub newest: Vec<NewOrder>,
}

impl PageProps for OverviewPage {
    const NAME: &'static str = "admin/overview";
}

/// Things of one kind that need attention.
#[derive(Debug, Serialize, ToSchema)]
pub struct Hands {
    /// `attention`, `unsent`, `to_pick_up`, `stuck_payments`, `paid_without_order`, `returns`, `dead_jobs`, `endpoints`.
    pub kind: &'static str,
    /// At most 1,000: then there may be more.
    pub total: i64,
    /// The newest of them.
    pub items: Vec<HandItem>,
    /// The address of the whole list.
    pub href: Option<&'static str>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct HandItem {
    pub label: String,
    pub why: String,
    pub href: Option<String>,
    pub at: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LowStock {
    pub total: i64,
    /// Those with the least stock.
    pub items: Vec<LowStockItem>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LowStockItem {
    pub title: String,
    pub variant: String,
    pub sku: String,
    pub href: String,
    /// Units that can still be sold.
    pub available: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct NewOrder {
    pub number: String,
    pub href: String,
    pub placed_at: String,
    /// Minor units.
    pub total: i64,
    pub payment_status: PaymentStatus,
    pub fulfillment_status: FulfillmentStatus,
}

/// `GET /admin/overview`
pub async fn overview(
    State(cx): State<Context>,
    State(last): State<Arc<Freshness>>,
    actor: Actor,
    asked: Asked,
) -> Result<Page, Error> {
    let days = days(&asked);
    let url = if days == DEFAULT { PATH.to_owned() } else { format!("{PATH}?days={days}") };
    Page::new(url, &read(&cx, &last, &actor, days).await?, admin_meta("Overview"))
}

/// The selected period; a week if it is not one of the choices.
fn days(asked: &Asked) -> i64 {
    let wanted = asked.parameter("days").and_then(|days| days.parse().ok());
    wanted.filter(|days| PERIODS.contains(days)).unwrap_or(DEFAULT)
}

pub async fn read(cx: &Context, last: &Arc<Freshness>, actor: &Actor, days: i64) -> Result<OverviewPage, Error> {
    refresh_for_reader(cx, last).await?;
    let (now, zone) = (cx.clock.now_ms(), cx.zone());
    let today = cx.today();
    let period = Period::ending(today, days);
    let charted = Period::ending(today, days.max(SHORTEST_CHART));
    let known = list_days(cx, charted).await?;
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let hands = hands(&mut conn, actor, now, zone).await?;
    let low_stock = low_stock(&mut conn).await?;
    let newest = queries::list_newest(&mut conn).await?;
    let newest = newest.into_iter().map(|order| NewOrder {
        href: order_href(&order.number),
        number: order.number,
        placed_at: local_time(order.placed_at, zone),
        total: order.total,
        payment_status: order.payment_status,
        fulfillment_status: order.fulfillment_status,
    });
    Ok(OverviewPage {
        days,
        periods: PERIODS.to_vec(),
        updated_at: local_time(now, zone),
        now: total(period, &known, today),
        before: total(period.before(), &known, today),
        chart: parts(charted, Bucket::Day, &known, today),
        hands,
        low_stock,
        newest: newest.collect(),
    })
}

/// What needs attention, with a link for users who have access.
async fn hands(conn: &mut Conn<'_>, actor: &Actor, now: i64, zone: &TimeZone) -> Result<Vec<Hands>, DbError> {
    let may_mend = Permission::EditSettings.is_held_by(Some(actor.role));
    let mut hands = Vec::new();
    for (kind, list) in queries::list_hands(conn, now).await? {
        let item = |hand: Hand| HandItem {
            label: hand.label,
            why: hand.why,
            href: match kind {
                "endpoints" => may_mend.then(|| "/admin/settings/webhooks".to_owned()),
                _ => hand.order.map(|number| order_href(&number)),
            },
            at: local_time(hand.at, zone),
        };
        let may_operate = Permission::Operate.is_held_by(Some(actor.role));
        let href = match kind {
            "attention" => Some("/admin/orders?attention=yes"),
            "unsent" => Some(UNSENT),
            "to_pick_up" => Some(TO_PICK_UP),
            "dead_jobs" => may_operate.then_some("/admin/debug"),
            "endpoints" => may_mend.then_some("/admin/settings/webhooks"),
            _ => None,
        };
        hands.push(Hands { kind, total: list.total, items: list.rows.into_iter().map(item).collect(), href });
    }
    Ok(hands)
}

async fn low_stock(conn: &mut Conn<'_>) -> Result<LowStock, DbError> {
    let low = queries::list_low_stock(conn).await?;
    Ok(LowStock {
        total: low.total,
        items: low
            .rows
            .into_iter()
            .map(|row| LowStockItem {
                title: row.title,
                variant: row.variant,
                sku: row.sku,
                href: format!("/admin/products/{}", row.product_id),
                available: row.available,
            })
            .collect(),
    })
}

fn order_href(number: &str) -> String {
    format!("/admin/orders/{number}")
}
