//! Manual stock changes by staff: goods received, a count, damage. Each change has a reason, an actor and a movement.

use serde::{Deserialize, Serialize};
use serde_json::json;
use shop_base::clock::Clock;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError, stored};
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_base::transaction;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change, Subject};
use utoipa::ToSchema;
use uuid::Uuid;

use super::service::MOVED;
use super::store::Adjustment;
use super::{notification, store};

stored! {
    /// The reason for a manual stock change.
    StockReason {
        Received = "received",
        Counted = "counted",
        Damaged = "damaged",
        Lost = "lost",
        Found = "found",
        SentBack = "sent_back",
        Imported = "imported",
        Other = "other",
    }
}

/// The low-stock threshold of a new variant.
const LOW_STOCK_THRESHOLD: i64 = 5;

const MOST: i64 = 1_000_000;
const MAX_NOTE: usize = 200;

/// A stock change requested by staff.
#[derive(Debug, Deserialize, ToSchema)]
pub struct StockChange {
    /// The stock on hand that the caller saw; a conflict if it has changed.
    pub seen: i64,
    /// The difference to add.
    #[serde(default)]
    pub delta: Option<i64>,
    /// The counted stock on hand, including reserved units. Either this or `delta` is given.
    #[serde(default)]
    pub count: Option<i64>,
    pub reason: StockReason,
    #[serde(default)]
    pub note: String,
    /// At or below this number of available units, the shop shows low stock.
    #[serde(default)]
    pub low_stock_threshold: Option<i64>,
}

/// A variant's stock after the change.
#[derive(Debug, Serialize, ToSchema)]
pub struct StockState {
    pub on_hand: i64,
    pub reserved: i64,
    pub low_stock_threshold: i64,
}

/// Changes a variant's stock or its threshold. Stock on hand never falls below the reserved quantity.
pub async fn change(cx: &Context, actor: &Actor, variant: Uuid, change: &StockChange) -> Result<StockState, Error> {
    transaction!(cx.db, conn => change_in(conn, cx, actor, variant, change).await)
}

async fn change_in(
    conn: &mut Conn<'_>,
    cx: &Context,
    actor: &Actor,
    variant: Uuid,
    change: &StockChange,
) -> Result<StockState, Error> {
    let clock = cx.clock.as_ref();
    let Some(level) = store::lock_level(conn, variant).await? else {
        return Err(Error::NotFound);
    };
    if level.on_hand != change.seen {
        let message = format!("There are now {} on hand. Some were just sold or counted.", level.on_hand);
        return Err(Error::conflict("changed_meanwhile", &message));
    }
    let (field, on_hand) = match (change.delta, change.count) {
        (Some(delta), None) => ("delta", level.on_hand.saturating_add(delta)),
        (None, Some(count)) => ("count", count),
        (None, None) => ("count", level.on_hand),
        (Some(_), Some(_)) => return Err(Error::invalid("count", "Enter a change or a count, not both.")),
    };
    if !(0..=MOST).contains(&on_hand) {
        return Err(Error::invalid(field, "Stock must stay between 0 and 1,000,000."));
    }
    if on_hand < level.reserved {
        let message = format!("{} are reserved for orders. Stock can’t go below that.", level.reserved);
        return Err(Error::invalid(field, &message));
    }
    let threshold = change.low_stock_threshold.unwrap_or(level.low_stock_threshold);
    if !(0..=MOST).contains(&threshold) {
        return Err(Error::invalid("low_stock_threshold", "Enter a number from 0 to 1,000,000."));
    }
    if change.note.chars().count() > MAX_NOTE || change.note.chars().any(char::is_control) {
        return Err(Error::invalid("note", "Use at most 200 characters on one line."));
    }
    let now = clock.now_ms();
    store::set_level(conn, variant, on_hand, threshold, now).await?;
    let quantity = on_hand - level.on_hand;
    if quantity != 0 || change.count.is_some() {
        let (reason, note) = (change.reason.text(), change.note.trim());
        let row = Adjustment {
            id: new_id(clock),
            variant_id: variant,
            quantity,
            at: now,
            reason,
            note,
            actor_id: actor.user_id,
        };
        store::insert_adjustments(conn, &[row]).await?;
    }
    notification::announce_low(conn, clock, &[(variant, -quantity)], Some(level.low_stock_threshold)).await?;
    let before = json!({ "on_hand": level.on_hand, "low_stock_threshold": level.low_stock_threshold, "reason": "" });
    let after = json!({ "on_hand": on_hand, "low_stock_threshold": threshold, "reason": change.reason });
    let entry = Change::of("stock.adjust", Subject::new("variant", variant, level.sku), &before, &after);
    audit::service::record(conn, clock, actor, &entry).await?;
    conn.after_commit_about(MOVED, [variant]);
    Ok(StockState { on_hand, reserved: level.reserved, low_stock_threshold: threshold })
}

/// Creates the stock levels of new variants, within the transaction that creates them, whose audit entry includes the stock.
pub async fn open(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    actor: &Actor,
    counts: &[(Uuid, i64)],
) -> Result<(), DbError> {
    let now = clock.now_ms();
    store::insert_levels(conn, counts, LOW_STOCK_THRESHOLD, now).await?;
    let rows: Vec<_> = counts
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(variant, count)| Adjustment {
            id: new_id(clock),
            variant_id: *variant,
            quantity: *count,
            at: now,
            reason: StockReason::Received.text(),
            note: "",
            actor_id: actor.user_id,
        })
        .collect();
    store::insert_adjustments(conn, &rows).await
}
