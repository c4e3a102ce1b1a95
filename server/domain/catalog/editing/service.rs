//! Use cases of product management.

use serde_json::json;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError, Tx};
use shop_base::error::Error;
use shop_base::fields::{Faults, FieldErrors};
use shop_platform::audit::model::{Actor, Change, Subject};
use shop_platform::staff_search::model::Kind;
use shop_platform::webhooks::model::NotificationKind;
use shop_platform::{audit, staff_search};
use uuid::Uuid;

use super::model::{ProductContent, ProductStatus, StoredProduct, Surroundings};
pub use super::write::{Pen, Positions, Revised, Revision, restore_path, retire_path};
use super::{notification, store, write};
use crate::catalog::service::PRODUCTS_EDITED;
pub use crate::catalog::store::find_retired_path;
use crate::identity;
use crate::stock::adjust::StockReason;
use crate::stock::counts;
use crate::stock::counts::Count;

/// The result of writing a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    pub id: Uuid,
    pub version: i64,
}

/// Creates a product, perhaps with an id that its caller has chosen. Sending the same id again returns the product that was created first,
/// whatever the content: the caller updates it to what it has by then.
pub async fn create(
    cx: &Context,
    actor: &Actor,
    id: Option<Uuid>,
    mut content: ProductContent,
) -> Result<Written, Error> {
    content.tidy();
    let tx = cx.db.begin().await?;
    let new = Revision { id, before: None, content: &content, places: None };
    create_once(cx, tx, actor, "product.create", new).await
}

async fn create_once(
    cx: &Context,
    mut tx: Tx,
    actor: &Actor,
    action: &'static str,
    new: Revision<'_>,
) -> Result<Written, Error> {
    let chosen = new.id;
    match write_one(cx, &mut tx.conn(), actor, action, new).await {
        Ok(id) => {
            tx.commit().await?;
            Ok(Written { id, version: 1 })
        }
        Err(refusal) => {
            drop(tx);
            let Some(id) = chosen else { return Err(refusal) };
            // Its handle and SKUs are taken, too, if it was created before and the answer was lost.
            let known = find(cx, id).await?.ok_or(refusal)?;
            Ok(Written { id, version: known.version })
        }
    }
}

/// Updates a product, if it still has the version that the caller saw.
pub async fn update(
    cx: &Context,
    actor: &Actor,
    id: Uuid,
    version: i64,
    mut content: ProductContent,
) -> Result<Written, Error> {
    content.tidy();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let before = lock(&mut conn, id, version).await?;
    if before.content == content {
        return Ok(Written { id, version });
    }
    let action = action(&before.content, &content);
    let revision = Revision { id: None, before: Some(&before), content: &content, places: None };
    write_one(cx, &mut conn, actor, action, revision).await?;
    tx.commit().await?;
    Ok(Written { id, version: version + 1 })
}

/// The action's name in the audit log.
fn action(before: &ProductContent, after: &ProductContent) -> &'static str {
    match (before.status, after.status) {
        (ProductStatus::Active, ProductStatus::Draft) => "product.unpublish",
        (from, ProductStatus::Active) if from != ProductStatus::Active => "product.publish",
        (from, ProductStatus::Archived) if from != ProductStatus::Archived => "product.archive",
        _ => "product.update",
    }
}

/// Creates a draft as a copy of a product, without stock and with a new handle and new skus; perhaps with an id that its caller has chosen, as
/// [`create`] does.
pub async fn duplicate(cx: &Context, actor: &Actor, id: Uuid, chosen: Option<Uuid>) -> Result<Written, Error> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let Some(original) = find_in(&mut conn, id).await? else { return Err(Error::NotFound) };
    let mut content = original.content;
    content.title = format!("Copy of {}", content.title).chars().take(150).collect();
    content.status = ProductStatus::Draft;
    content.publish_at = None;
    content.collections.clear();
    content.variants.iter_mut().for_each(|variant| variant.id = None);
    let content = named_as_copy(&mut conn, &content).await?;
    let new = Revision { id: chosen, before: None, content: &content, places: None };
    create_once(cx, tx, actor, "product.duplicate", new).await
}

const MOST_NUMBERS_TRIED: usize = 50;

/// The content with the first number of a copy whose handle and skus are all free.
async fn named_as_copy(conn: &mut Conn<'_>, original: &ProductContent) -> Result<ProductContent, DbError> {
    let start: String = original.handle.chars().take(80).collect();
    let start = format!("{}-copy", start.trim_end_matches('-'));
    let taken = store::list_handles_like(conn, &start).await?;
    let mut around = store::find_surroundings(conn).await?;
    let mut copy = original.clone();
    let suffix =
        |number: i32, separator: &str| if number == 1 { String::new() } else { format!("{separator}{number}") };
    let named = (1..).map(|number| (number, format!("{start}{}", suffix(number, "-"))));
    // Names that clash for another reason than the number are told as problems of the copy.
    for (number, handle) in named.filter(|(_, handle)| !taken.contains(handle)).take(MOST_NUMBERS_TRIED) {
        copy.handle = handle;
        for ((copied, variant), position) in copy.variants.iter_mut().zip(&original.variants).zip(1..) {
            copied.sku = format!("{}-COPY{}", shortened(&variant.sku, position), suffix(number, ""));
        }
        store::look_around(conn, &mut around, &[&copy]).await?;
        let problems = around.problems(None, &copy);
        if !problems.keys().any(|field| field == "handle" || field.ends_with(".sku")) {
            break;
        }
    }
    Ok(copy)
}

/// A sku with space for a suffix; still a different one for each variant.
fn shortened(sku: &str, position: usize) -> String {
    if sku.len() <= 45 {
        return sku.to_owned();
    }
    let start: String = sku.chars().take(40).collect();
    format!("{start}-{position}")
}

/// The current state of a product.
pub async fn find(cx: &Context, id: Uuid) -> Result<Option<StoredProduct>, DbError> {
    find_in(&mut cx.db.read().await?.conn(), id).await
}

async fn find_in(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<StoredProduct>, DbError> {
    Ok(store::list_products(conn, &[id]).await?.into_iter().next())
}

/// The products with these ids, ordered by id; at most a few hundred at once.
pub async fn list(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<Vec<StoredProduct>, DbError> {
    store::list_products(conn, ids).await
}

/// The ids of the products with these handles.
pub async fn list_ids(conn: &mut Conn<'_>, handles: &[String]) -> Result<Vec<Uuid>, DbError> {
    Ok(store::find_handles(conn, handles).await?.into_values().collect())
}

/// Locks the products with these ids until the transaction ends.
pub async fn lock_rows(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<(), DbError> {
    store::lock_all(conn, ids).await
}

/// The products with these ids, locked until the transaction ends, ordered by id.
pub async fn lock_all(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<Vec<StoredProduct>, DbError> {
    store::lock_all(conn, ids).await?;
    store::list_products(conn, ids).await
}

/// The product, locked until the transaction ends, if it still has this version.
pub async fn lock(conn: &mut Conn<'_>, id: Uuid, version: i64) -> Result<StoredProduct, Error> {
    let now = store::lock(conn, id).await?.ok_or(Error::NotFound)?;
    if now != version {
        return Err(Error::changed_meanwhile("this"));
    }
    find_in(conn, id).await?.ok_or(Error::NotFound)
}

/// The shop data that any product may refer to.
pub async fn find_surroundings(conn: &mut Conn<'_>) -> Result<Surroundings, DbError> {
    store::find_surroundings(conn).await
}

/// The existing pictures among these keys, with their sizes.
pub async fn find_pictures(
    conn: &mut Conn<'_>,
    keys: &[String],
) -> Result<std::collections::BTreeMap<String, (i64, i64)>, DbError> {
    store::find_pictures(conn, keys).await
}

/// The shop data that any product may refer to, plus what these products refer to.
pub async fn surroundings(conn: &mut Conn<'_>, contents: &[&ProductContent]) -> Result<Surroundings, DbError> {
    let mut around = store::find_surroundings(conn).await?;
    store::look_around(conn, &mut around, contents).await?;
    Ok(around)
}

/// The same for a transaction that writes these products: what they refer to is not deleted until it ends.
pub async fn held_surroundings(conn: &mut Conn<'_>, contents: &[&ProductContent]) -> Result<Surroundings, DbError> {
    let categories: Vec<Uuid> = contents.iter().map(|content| content.category_id).collect();
    store::hold_categories(conn, &categories).await?;
    surroundings(conn, contents).await
}

/// Adds what other products refer to.
pub async fn look_around(
    conn: &mut Conn<'_>,
    around: &mut Surroundings,
    contents: &[&ProductContent],
) -> Result<(), DbError> {
    store::look_around(conn, around, contents).await
}

/// All validation errors of a product, by itself and in relation to the shop.
pub fn problems(around: &Surroundings, before: Option<&StoredProduct>, content: &ProductContent) -> FieldErrors {
    let mut problems = content.problems();
    for (field, messages) in around.problems(before, content) {
        problems.entry(field).or_default().extend(messages);
    }
    problems
}

/// How far ahead a publication may be, so that a mistyped year is noticed: ten years.
const MOST_AHEAD_MS: i64 = 10 * 365 * 24 * 60 * 60 * 1_000;

/// The error of a new time of publication that has passed, or is too far ahead.
pub fn schedule_problem(before: Option<&StoredProduct>, content: &ProductContent, now: i64) -> Option<&'static str> {
    let is_new = before.is_none_or(|before| before.content.publish_at != content.publish_at);
    match content.publish_at.filter(|_| is_new)? {
        at if at <= now => Some("Choose a time in the future."),
        at if at > now + MOST_AHEAD_MS => Some("Choose a time within the next ten years."),
        _ => None,
    }
}

async fn write_one(
    cx: &Context,
    conn: &mut Conn<'_>,
    actor: &Actor,
    action: &'static str,
    revision: Revision<'_>,
) -> Result<Uuid, Error> {
    let Revision { before, content, .. } = revision;
    let around = held_surroundings(conn, &[content]).await?;
    let mut faults = Faults::from(problems(&around, before, content));
    if let Some(problem) = schedule_problem(before, content, cx.clock.now_ms()) {
        faults.say("publish_at", problem);
    }
    let recounts = around.recounts(before, content);
    let ids: Vec<Uuid> = recounts.iter().map(|recount| recount.variant_id).collect();
    let held = counts::hold_levels(conn, &ids).await?;
    let wanted = recounts.iter().map(|recount| held.count(recount.variant_id, recount.wanted));
    let wanted = wanted.collect::<Result<Vec<Count>, DbError>>()?;
    for (recount, count) in recounts.iter().zip(&wanted) {
        if let Some(why) = held.refusal(count) {
            faults.say(format!("variants[{}].on_hand", recount.at), why);
        }
    }
    faults.finish()?;
    let clock = cx.clock.as_ref();
    let pen = Pen { clock, actor, around: &around };
    let written = pen.write(conn, action, &[revision]).await;
    let written = written.map_err(|error| match error {
        // Another product with this handle or SKU was created concurrently.
        error if error.is_unique_violation() => {
            Error::conflict("taken_meanwhile", "This handle or SKU was just taken. Choose another.")
        }
        error => error.into(),
    })?;
    let written = written.into_iter().next();
    let Revised { id, change, .. } = written.ok_or(DbError::Inconsistent("a product was not written"))?;
    let mut changes = vec![change];
    changes.extend(counts::apply(conn, clock, actor, StockReason::Counted, &held, &wanted).await?);
    audit::service::record_all(conn, clock, actor, &changes).await?;
    conn.after_commit_about(PRODUCTS_EDITED, [id]);
    Ok(id)
}

/// Drafts that are published in one transaction, with the events that tell of them.
const PUBLISHED_AT_ONCE: i64 = 100;

/// Publishes drafts that are due. Between some and the next, other writers get their turn.
pub async fn publish_due(cx: &Context) -> Result<(), DbError> {
    while publish_some(cx).await? {}
    Ok(())
}

/// False if none is due any more.
async fn publish_some(cx: &Context) -> Result<bool, DbError> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let clock = cx.clock.as_ref();
    let published = write::publish_due(&mut conn, clock.now_ms(), PUBLISHED_AT_ONCE).await?;
    if published.is_empty() {
        return Ok(false);
    }
    let ids: Vec<Uuid> = published.iter().map(|(id, _)| *id).collect();
    notification::announce(&mut conn, clock, NotificationKind::ProductUpdated, &ids).await?;
    let actor = identity::service::schedule(&mut conn, clock).await?;
    let status = |status: ProductStatus| json!({ "status": status });
    let (before, after) = (status(ProductStatus::Draft), status(ProductStatus::Active));
    let change = |(id, title): &(Uuid, String)| {
        Change::of("product.publish", Subject::new("product", id, title), &before, &after)
    };
    let changes: Vec<Change> = published.iter().map(change).collect();
    audit::service::record_all(&mut conn, clock, &actor, &changes).await?;
    conn.after_commit_about(PRODUCTS_EDITED, ids);
    tx.commit().await?;
    tracing::info!(published = published.len(), "products were published as scheduled");
    Ok(true)
}

/// Updates the search index entry of a product.
pub async fn index(conn: &mut Conn<'_>, product: Uuid) -> Result<(), DbError> {
    // Otherwise a change that is just being saved would add the same terms, or be followed by those from before it.
    for product in lock_all(conn, &[product]).await? {
        staff_search::service::put(conn, Kind::Product, product.id, &product.content.searched()).await?;
    }
    Ok(())
}
