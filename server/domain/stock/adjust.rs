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
use super::store::{Adjustment, Level};
use super::{notification, queries, store};

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

/// Also of a low-stock threshold.
pub const MAX_ON_HAND: i64 = 1_000_000;
const MAX_NOTE: usize = 200;

/// A stock change requested by staff.
#[derive(Debug, Deserialize, ToSchema)]
pub struct StockChange {
    /// The stock on hand that the caller saw; a conflict if it has changed.
    pub seen: i64,
    /// The pieces to hand over that the caller saw; for a count a conflict if they have changed.
    #[serde(default)]
    pub seen_to_hand_over: i64,
    /// The difference to add.
    #[serde(default)]
    pub delta: Option<i64>,
    /// All pieces that were counted, including those reserved and those to hand over; the latter are subtracted. Either this or `delta` is
    /// given.
    #[serde(default)]
    pub counted: Option<i64>,
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
    /// Pieces that are sold and no longer on hand, but not yet shipped or handed over.
    pub to_hand_over: i64,
    pub low_stock_threshold: i64,
}

/// Changes a variant's stock or its threshold. Stock on hand never falls below the reserved quantity. A count includes what is sold and still
/// there, which stays sold.
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
        let message = format!(
            "There are now {} on hand. Some were just sold or counted, perhaps by an earlier try of yours whose answer was lost.",
            level.on_hand
        );
        return Err(Error::conflict("changed_meanwhile", &message));
    }
    // Read after locking, when all earlier sales are committed.
    let to_hand_over = queries::list_to_hand_over(conn, &[variant]).await?.get(&variant).copied().unwrap_or(0);
    if change.counted.is_some() && to_hand_over != change.seen_to_hand_over {
        let message = format!(
            "There are now {to_hand_over} sold but not yet shipped or picked up. Reload the page if it doesn’t show them, then count again."
        );
        return Err(Error::conflict("changed_meanwhile", &message));
    }
    let (field, pieces) = match (change.delta, change.counted) {
        (Some(delta), None) => ("delta", level.on_hand.saturating_add(delta)),
        (None, Some(counted)) => ("counted", counted),
        (None, None) if change.low_stock_threshold.is_some() => ("counted", level.on_hand),
        (None, None) => return Err(Error::invalid("counted", "Enter a change, a count, or a threshold.")),
        (Some(_), Some(_)) => return Err(Error::invalid("counted", "Enter a change or a count, not both.")),
    };
    if !(0..=MAX_ON_HAND).contains(&pieces) {
        return Err(Error::invalid(field, "Stock must stay between 0 and 1,000,000."));
    }
    let sold = if change.counted.is_some() { to_hand_over } else { 0 };
    let on_hand = pieces - sold;
    if on_hand < level.reserved {
        return Err(Error::invalid(field, &shortage(&level, pieces, sold)));
    }
    let threshold = change.low_stock_threshold.unwrap_or(level.low_stock_threshold);
    if !(0..=MAX_ON_HAND).contains(&threshold) {
        return Err(Error::invalid("low_stock_threshold", "Enter a number from 0 to 1,000,000."));
    }
    if change.note.chars().count() > MAX_NOTE || change.note.chars().any(char::is_control) {
        return Err(Error::invalid("note", "Use at most 200 characters on one line."));
    }
    let now = clock.now_ms();
    store::set_level(conn, variant, on_hand, threshold, now).await?;
    let quantity = on_hand - level.on_hand;
    if quantity != 0 || change.counted.is_some() {
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
    Ok(StockState { on_hand, reserved: level.reserved, to_hand_over, low_stock_threshold: threshold })
}

/// Why a number of pieces is too small for the orders.
fn shortage(level: &Level, pieces: i64, sold: i64) -> String {
    let reserved = level.reserved;
    if sold == 0 {
        return format!("Reserved for orders: {reserved}. Stock can’t go below that.");
    }
    let (needed, missing, on_sale) = (sold + reserved, sold + reserved - pieces, level.on_hand - reserved);
    let stop = match on_sale {
        0 => String::new(),
        _ => format!(" Until then, a change of -{on_sale} keeps more from being sold."),
    };
    format!(
        "Orders need {needed}: {sold} sold but not yet shipped or picked up, {reserved} reserved. Missing: {missing}. Find them, or cancel \
         what can’t be sent, then count again.{stop}"
    )
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
