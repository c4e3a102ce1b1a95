//! Applies or undoes an import in small commits, so that concurrent sales wait only briefly.
//!
//! The items of an import are its work list, and a commit updates some of them together with their products. So the work can stop anywhere
//! and be resumed on any node. Two workers never write the same product, because the import's progress is locked first.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use fail::fail_point;
use serde_json::json;
use shop_base::context::Context;
use shop_base::db::{DbError, decoded};
use shop_base::ids::new_id;
use shop_platform::audit::model::{Actor, Change, Subject};
use shop_platform::{audit, jobs};
use uuid::Uuid;

use super::import::{ImportState, ProductCounts};
use super::store;
use super::store::{Item, ItemState, Progress};
use crate::catalog::editing::model::{MAX_VARIANTS, ProductContent, ProductStatus, StoredProduct, Surroundings};
use crate::catalog::editing::service;
use crate::catalog::editing::service::{Pen, Positions, Revised, Revision};
use crate::catalog::jobs::ImportProducts;
use crate::catalog::service::{CHANGED, EDITED};
use crate::stock::adjust::StockReason;
use crate::stock::counts;
use crate::stock::counts::{Count, Held};

/// The target duration of a commit on SQLite, which has one writer that payments also need.
const COMMIT: Duration = Duration::from_millis(40);
/// Products per commit. Fewer would hardly be faster; more would exceed the parameters of a statement.
const LEAST: u32 = 25;
const MOST: u32 = 100;
/// Variants per commit, which take most of its time. On PostgreSQL, where they block hardly anybody, this bounds its memory.
const VARIANTS: usize = MAX_VARIANTS;
const VARIANTS_ON_POSTGRES: usize = 5_000;
/// How long a job works; the rest is done by another job.
const STEP: Duration = Duration::from_secs(1);
/// Retries of a commit that conflicted with another writer.
const TRIES: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Apply,
    Undo,
}

impl Direction {
    fn of(progress: &Progress) -> Result<Option<Self>, DbError> {
        Ok(match decoded("state", progress.state.parse())? {
            ImportState::Applying => Some(Self::Apply),
            ImportState::Undoing => Some(Self::Undo),
            _ => None,
        })
    }

    /// The state that it processes, the state after success, and the state of items that cannot be written.
    fn states(self) -> [ItemState; 3] {
        match self {
            Self::Apply => [ItemState::Waiting, ItemState::Applied, ItemState::Skipped],
            Self::Undo => [ItemState::Applied, ItemState::Undone, ItemState::Kept],
        }
    }

    /// The actions in the audit log: for a product, and for the whole import.
    fn actions(self) -> [&'static str; 2] {
        match self {
            Self::Apply => ["product.import", "products.import"],
            Self::Undo => ["product.import_undo", "products.import_undo"],
        }
    }

    fn end(self) -> ImportState {
        match self {
            Self::Apply => ImportState::Applied,
            Self::Undo => ImportState::Undone,
        }
    }
}

/// Works on an import for a limited time, and leaves the rest to another job.
pub async fn run(cx: &Context, import: Uuid) -> Result<(), DbError> {
    let begun = Instant::now();
    // On PostgreSQL a commit locks only the rows of its own products, so large commits block hardly anybody.
    let least = if cx.db.has_many_writers() { MOST } else { LEAST };
    let mut size = least;
    while begun.elapsed() < STEP {
        match write_some(cx, import, size).await? {
            Written::Some { held } => size = next_size(size, held).max(least),
            Written::All(direction) => return finish(cx, import, direction).await,
            Written::Nothing => return Ok(()),
        }
        fail_point!("import::committed");
    }
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    jobs::service::add(&mut tx.conn(), clock, &ImportProducts { import, step: new_id(clock) }).await?;
    tx.commit().await?;
    Ok(())
}

/// The size of the next commit, given the duration of the last one. Few different sizes mean few different statements, which the database
/// has prepared already.
fn next_size(size: u32, held: Duration) -> u32 {
    if held > COMMIT {
        (size / 2).max(LEAST)
    } else if held < COMMIT / 3 {
        (size * 2).min(MOST)
    } else {
        size
    }
}

/// The result of a commit.
enum Written {
    Some {
        /// How long the locks were held.
        held: Duration,
    },
    /// There was nothing left.
    All(Direction),
    /// The import is not in a state to be worked on.
    Nothing,
}

async fn write_some(cx: &Context, import: Uuid, size: u32) -> Result<Written, DbError> {
    let mut tries = 0;
    loop {
        tries += 1;
        match write_once(cx, import, size).await {
            // The same product was created concurrently; a retry will see it.
            Err(error) if error.is_unique_violation() && tries < TRIES => {}
            written => return written,
        }
    }
}

async fn write_once(cx: &Context, import: Uuid, size: u32) -> Result<Written, DbError> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let begun = Instant::now();
    let mut conn = tx.conn();
    let Some(progress) = store::lock_progress(&mut conn, import).await? else { return Ok(Written::Nothing) };
    let Some(direction) = Direction::of(&progress)? else { return Ok(Written::Nothing) };
    let [from, _, _] = direction.states();
    let most_variants = if cx.db.has_many_writers() { VARIANTS_ON_POSTGRES } else { VARIANTS };
    let items = store::list_next(&mut conn, import, from, i64::from(size), most_variants).await?;
    if items.is_empty() {
        return Ok(Written::All(direction));
    }
    let actor: Actor = decoded("applied_by", serde_json::from_str(&progress.applied_by))?;
    let ids: Vec<Uuid> = items.iter().filter_map(|item| item.product_id).collect();
    let mut stored: HashMap<Uuid, StoredProduct> =
        service::lock_all(&mut conn, &ids).await?.into_iter().map(|product| (product.id, product)).collect();
    let plans: Vec<Plan> = items
        .into_iter()
        .map(|item| {
            let before = item.product_id.and_then(|id| stored.remove(&id));
            let content = item.content.clone().or_else(|| before.as_ref().map(archived));
            Plan { item, before, content }
        })
        .collect();
    let all_counts: Vec<Count> = plans.iter().flat_map(|plan| plan.item.counts.clone()).collect();
    let held = counts::hold(&mut conn, &all_counts).await?;
    let contents: Vec<&ProductContent> = plans.iter().filter_map(|plan| plan.content.as_ref()).collect();
    let around = service::held_surroundings(&mut conn, &contents).await?;

    let (mut ends, mut revisions, mut applied) = (Vec::new(), Vec::new(), Vec::new());
    for plan in &plans {
        let refusal = plan.refusal(&around, &held);
        if refusal.is_none() {
            revisions.extend(plan.revision());
            applied.extend(plan.item.counts.iter().copied());
        }
        ends.push((plan, refusal));
    }
    let [action, _] = direction.actions();
    let pen = Pen { clock, actor: &actor, around: &around };
    let written = pen.write(&mut conn, action, &revisions).await?.into_iter();
    let (written, mut changes): (Vec<(Uuid, Positions)>, Vec<Change>) =
        written.map(|Revised { id, change, left }| ((id, left), change)).unzip();
    changes.extend(counts::apply(&mut conn, clock, &actor, StockReason::Imported, &held, &applied).await?);
    let mut written = written.into_iter();
    let mut next = |plan: &Plan| plan.revision().and_then(|_| written.next());
    let items: Vec<Item> = ends
        .into_iter()
        .map(|(plan, refusal)| match refusal {
            Some(why) => plan.left(direction, why),
            None => plan.written(direction, next(plan)),
        })
        .collect();
    store::put_items(&mut conn, import, &items).await?;
    store::set_progress(&mut conn, import, &progress.state, &progress.applied_by, clock.now_ms()).await?;
    audit::service::record_all(&mut conn, clock, &actor, &changes).await?;
    conn.after_commit_about(CHANGED, items.iter().filter_map(|item| item.product_id));
    fail_point!("import::before_commit");
    tx.commit().await?;
    Ok(Written::Some { held: begun.elapsed() })
}

fn archived(product: &StoredProduct) -> ProductContent {
    ProductContent { status: ProductStatus::Archived, publish_at: None, ..product.content.clone() }
}

/// An item with its product.
struct Plan {
    item: Item,
    before: Option<StoredProduct>,
    /// The product's new content.
    content: Option<ProductContent>,
}

impl Plan {
    /// Why it cannot be written now, as shown to staff.
    fn refusal(&self, around: &Surroundings, held: &Held) -> Option<String> {
        let (Some(content), Some(before)) = (&self.content, self.item.product_id.map(|_| &self.before)) else {
            return self.content.as_ref().and_then(|content| problem(around, None, content));
        };
        let Some(before) = before else { return Some("It no longer exists.".to_owned()) };
        if before.version != self.item.version {
            return Some("Someone else has changed it.".to_owned());
        }
        let refused = self.item.counts.iter().find_map(|count| held.refusal(count));
        refused.or_else(|| problem(around, Some(before), content))
    }

    /// None if only its stock changes.
    fn revision(&self) -> Option<Revision<'_>> {
        let (before, content) = (self.before.as_ref(), self.content.as_ref()?);
        let is_other = before.is_none_or(|before| {
            let mut old = before.content.clone();
            old.tidy();
            old != *content && before.content != *content
        });
        is_other.then_some(Revision { id: None, before, content, places: Some(&self.item.places) })
    }

    /// The item after writing, with the content for the next step. None was written if only its stock changes.
    fn written(&self, direction: Direction, written: Option<(Uuid, Positions)>) -> Item {
        let [_, state, _] = direction.states();
        let (id, places) = written.unzip();
        Item {
            product_id: id.or(self.item.product_id),
            version: self.item.version + i64::from(id.is_some()),
            content: self.before.as_ref().map(|before| before.content.clone()),
            places: places.unwrap_or_default(),
            counts: self.item.counts.iter().map(|count| count.reversed()).collect(),
            state,
            ..self.item.clone()
        }
    }

    fn left(&self, direction: Direction, why: String) -> Item {
        let [_, _, state] = direction.states();
        Item { state, why, ..self.item.clone() }
    }
}

fn problem(around: &Surroundings, before: Option<&StoredProduct>, content: &ProductContent) -> Option<String> {
    let problems = service::problems(around, before, content);
    (!problems.is_empty()).then(|| problems.into_values().flatten().collect::<Vec<_>>().join(" "))
}

/// Records the end of the import, after which all lists are loaded again.
async fn finish(cx: &Context, import: Uuid, direction: Direction) -> Result<(), DbError> {
    store::analyze(&mut cx.db.read().await?.conn()).await?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let Some(progress) = store::lock_progress(&mut conn, import).await? else { return Ok(()) };
    if Direction::of(&progress)? != Some(direction) {
        return Ok(());
    }
    let actor: Actor = decoded("applied_by", serde_json::from_str(&progress.applied_by))?;
    let file = store::find_file_name(&mut conn, import).await?.unwrap_or_default();
    let counts = ProductCounts::find(&mut conn, import).await?;
    let after = match direction {
        Direction::Apply => json!({ "file": file, "applied": counts.applied, "skipped": counts.skipped }),
        Direction::Undo => json!({ "file": file, "undone": counts.undone, "kept": counts.kept }),
    };
    let state = direction.end().text();
    store::set_progress(&mut conn, import, state, &progress.applied_by, clock.now_ms()).await?;
    let [_, action] = direction.actions();
    let change = Change::new(action, Subject::new("import", import, &file), after);
    audit::service::record(&mut conn, clock, &actor, &change).await?;
    conn.after_commit(EDITED);
    tx.commit().await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{LEAST, MOST, next_size};

    #[test]
    fn commits_grow_and_shrink_to_fit_their_time() {
        let after = |size, ms| next_size(size, Duration::from_millis(ms));
        assert_eq!((after(25, 5), after(50, 5), after(100, 5)), (50, MOST, MOST));
        assert_eq!((after(50, 20), after(50, 41), after(25, 4_000)), (50, LEAST, LEAST));
    }
}
