//! Stock counts from imported files, and of variants that are added again. A count was compared with the stock at one point in time, and
//! sales continue until it is applied. So the difference to the compared stock is applied, unless staff have changed the stock since: their
//! change takes precedence.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;
use shop_base::clock::Clock;
use shop_base::db::{Conn, DbError};
use shop_base::ids::new_id;
use shop_platform::audit::model::{Actor, Change, Subject};
use uuid::Uuid;

use super::adjust::StockReason;
use super::store::{Adjustment, Level};
use super::{notification, store};

/// A variant's stock on hand according to a file, and the stock with which it was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    pub variant_id: Uuid,
    pub seen: i64,
    pub wanted: i64,
    /// The number of manual changes of the stock at that time.
    pub adjustments: i64,
}

impl Count {
    /// The count that undoes this one after it was applied.
    pub fn reversed(self) -> Self {
        let Self { variant_id, seen, wanted, adjustments } = self;
        Self { variant_id, seen: wanted, wanted: seen, adjustments: adjustments + 1 }
    }

    fn difference(&self) -> i64 {
        self.wanted - self.seen
    }
}

/// The number of manual stock changes of each variant of these products; variants without any are missing. Outside of a lock this is read
/// before the levels: then a change in between makes the number differ, and is not overwritten.
pub async fn list_adjustments(conn: &mut Conn<'_>, products: &[Uuid]) -> Result<BTreeMap<Uuid, i64>, DbError> {
    store::count_adjustments_of(conn, products).await
}

/// Stock levels locked until the transaction ends.
pub struct Held {
    levels: BTreeMap<Uuid, Level>,
    adjustments: BTreeMap<Uuid, i64>,
}

/// Locks the levels of these counts, in the global order of stock locks.
pub async fn hold(conn: &mut Conn<'_>, counts: &[Count]) -> Result<Held, DbError> {
    let variants: Vec<Uuid> = counts.iter().map(|count| count.variant_id).collect();
    hold_levels(conn, &variants).await
}

/// The same for counts that are still to be made.
pub async fn hold_levels(conn: &mut Conn<'_>, variants: &[Uuid]) -> Result<Held, DbError> {
    let levels = store::lock_levels(conn, variants).await?;
    // Read after locking, when all earlier changes of the levels are committed.
    let adjustments = store::count_adjustments(conn, variants).await?;
    Ok(Held { levels, adjustments })
}

impl Held {
    /// A count that is compared with the stock as it is now.
    pub fn count(&self, variant_id: Uuid, wanted: i64) -> Result<Count, DbError> {
        let seen = self.level(variant_id)?.on_hand;
        let adjustments = self.adjustments.get(&variant_id).copied().unwrap_or(0);
        Ok(Count { variant_id, seen, wanted, adjustments })
    }

    fn level(&self, variant: Uuid) -> Result<&Level, DbError> {
        self.levels.get(&variant).ok_or(DbError::Inconsistent("a counted level is not held"))
    }

    /// Why a count cannot be applied, as shown to staff.
    pub fn refusal(&self, count: &Count) -> Option<String> {
        let Some(level) = self.levels.get(&count.variant_id) else {
            return Some("A variant no longer exists.".to_owned());
        };
        let adjustments = self.adjustments.get(&count.variant_id).copied().unwrap_or(0);
        if adjustments != count.adjustments {
            return Some(format!("Someone else has changed the stock of {}.", level.sku));
        }
        if level.on_hand + count.difference() < level.reserved {
            return Some(format!("Stock of {} would be less than what’s sold and reserved.", level.sku));
        }
        None
    }
}

/// Applies counts that were not refused. Returns the changes for the audit log.
pub async fn apply(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    actor: &Actor,
    reason: StockReason,
    held: &Held,
    counts: &[Count],
) -> Result<Vec<Change>, DbError> {
    let (now, reason) = (clock.now_ms(), reason.text());
    let (mut levels, mut rows, mut taken, mut changes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for count in counts {
        let level = held.level(count.variant_id)?;
        let (variant_id, quantity) = (count.variant_id, count.difference());
        let on_hand = level.on_hand + quantity;
        levels.push((variant_id, on_hand));
        taken.push((variant_id, -quantity));
        let (id, actor_id) = (new_id(clock), actor.user_id);
        rows.push(Adjustment { id, variant_id, quantity, at: now, reason, note: "", actor_id });
        let before = json!({ "on_hand": level.on_hand, "reason": "" });
        let after = json!({ "on_hand": on_hand, "reason": reason });
        let subject = Subject::new("variant", variant_id, level.sku.clone());
        changes.push(Change::of("stock.adjust", subject, &before, &after));
    }
    store::set_levels(conn, &levels, now).await?;
    store::insert_adjustments(conn, &rows).await?;
    notification::announce_low(conn, clock, &taken, None).await?;
    Ok(changes)
}
