//! Collections: ordered sets of products chosen by staff.

use std::collections::{BTreeSet, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_base::fields::{Faults, visible};
use shop_base::ids::new_id;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change, Subject};
use utoipa::ToSchema;
use uuid::Uuid;

use super::order::ordered;
use super::rows::CollectionRow;
use super::store;
use super::versions::find;
use crate::catalog::editing::model::is_handle;
use crate::catalog::editing::service::lock_rows;
use crate::catalog::service::EDITED;

const MOST: usize = 500;

/// The input for a collection.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct CollectionForm {
    /// The version that the caller saw; 0 for a new one.
    pub version: i64,
    pub title: String,
    /// Identifies it for the pages that show it.
    pub handle: String,
    pub description: String,
    /// Where to put it among the collections, from 0; null leaves it where it is, and puts a new one last.
    pub place: Option<usize>,
    /// Its products in order; null leaves them as they are.
    pub products: Option<Vec<Uuid>>,
}

impl CollectionForm {
    /// What is stored, as a form that leaves it where it is.
    pub fn of(row: CollectionRow, products: Option<Vec<Uuid>>) -> Self {
        let CollectionRow { version, title, handle, description, .. } = row;
        Self { version, title, handle, description, place: None, products }
    }

    /// Without characters that show nothing, and without whitespace around its texts.
    fn tidied(&self) -> Self {
        let tidied = |text: &str| visible(text).trim().to_owned();
        Self { title: tidied(&self.title), description: tidied(&self.description), ..self.clone() }
    }
}

fn for_audit(row: &CollectionRow, products: Option<&[Uuid]>) -> Value {
    let mut data = json!({ "title": row.title, "handle": row.handle, "description": row.description,
        "position": row.position });
    if let Some(products) = products {
        data["products"] = json!(products);
    }
    data
}

/// Creates a collection, or updates the one with this id. Returns its id. The same, sent again because an answer was lost or saved without a
/// change, is the one that is there: its version stays, and so do kept pages.
pub async fn put(cx: &Context, actor: &Actor, id: Option<Uuid>, form: &CollectionForm) -> Result<Uuid, Error> {
    let form = &form.tidied();
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    // Who saves a product locks it before its collections. Products that join or leave from here on raise the version.
    if let Some(products) = &form.products {
        let known = match id {
            Some(id) => store::list_member_ids(&mut conn, id).await?,
            None => Vec::new(),
        };
        let touched: Vec<Uuid> = known.iter().chain(products.iter().take(MOST.max(known.len()))).copied().collect();
        lock_rows(&mut conn, &touched).await?;
    }
    let all = store::lock_collections(&mut conn).await?;
    let mut products = form.products.clone();
    if let Some(products) = &mut products {
        let mut seen = HashSet::new();
        products.retain(|product| seen.insert(*product));
    }
    if let Some(known) = find_same(&mut conn, &all, id, form, products.as_deref()).await? {
        return Ok(known);
    }
    let before = match id {
        Some(id) => Some(find(&all, id, form.version, |row| (row.id, row.version))?),
        None => None,
    };
    let had = match before.filter(|_| form.products.is_some()) {
        Some(before) => store::list_member_ids(&mut conn, before.id).await?,
        None => Vec::new(),
    };
    check(&all, before, had.len(), form)?;
    let id = before.map_or_else(|| new_id(clock), |before| before.id);
    let (order, place) = ordered(all.iter().map(|other| other.id), id, form.place);
    let row = CollectionRow {
        id,
        handle: form.handle.clone(),
        title: form.title.clone(),
        description: form.description.clone(),
        position: i64::try_from(place).unwrap_or(0),
        version: form.version + 1,
    };
    store::put_collection(&mut conn, &row).await?;
    for (other, position) in order.iter().zip(0_i64..) {
        store::set_collection_position(&mut conn, *other, position).await?;
    }
    if let Some(products) = products.as_ref().filter(|products| **products != had) {
        // An editor opened before would put a product back, or take it out again.
        let (had, has): (BTreeSet<Uuid>, BTreeSet<Uuid>) =
            (had.iter().copied().collect(), products.iter().copied().collect());
        let moved: Vec<Uuid> = had.symmetric_difference(&has).copied().collect();
        store::raise_product_versions(&mut conn, &moved).await?;
        store::replace_members(&mut conn, row.id, products).await?;
    }
    let subject = Subject::new("collection", row.id, &row.title);
    let after = for_audit(&row, products.as_deref());
    let change = match before {
        Some(before) => {
            let before = for_audit(before, products.is_some().then_some(&had[..]));
            Change::of("collection.update", subject, &before, &after)
        }
        None => Change::new("collection.create", subject, after),
    };
    audit::service::record(&mut conn, clock, actor, &change).await?;
    conn.after_commit(EDITED);
    tx.commit().await?;
    Ok(row.id)
}

/// The collection that is as the form has it, with these products. A new one may have been moved since it was made.
async fn find_same(
    conn: &mut Conn<'_>,
    all: &[CollectionRow],
    id: Option<Uuid>,
    form: &CollectionForm,
    products: Option<&[Uuid]>,
) -> Result<Option<Uuid>, DbError> {
    let Some(row) = all.iter().find(|row| id.is_none_or(|id| row.id == id) && is_made_of(row, form)) else {
        return Ok(None);
    };
    let order: Vec<Uuid> = all.iter().map(|other| other.id).collect();
    let is_there = id.is_none() || ordered(order.iter().copied(), row.id, form.place).0 == order;
    let has_products = match (id, products) {
        (Some(_), None) => true,
        (_, products) => store::list_member_ids(conn, row.id).await? == products.unwrap_or_default(),
    };
    Ok((is_there && has_products).then_some(row.id))
}

fn is_made_of(row: &CollectionRow, form: &CollectionForm) -> bool {
    (row.handle.as_str(), row.title.as_str(), row.description.as_str())
        == (form.handle.as_str(), form.title.as_str(), form.description.as_str())
}

/// `had` is the number of its products so far.
fn check(
    all: &[CollectionRow],
    before: Option<&CollectionRow>,
    had: usize,
    form: &CollectionForm,
) -> Result<(), Error> {
    let mut faults = Faults::default();
    if form.title.is_empty() || form.title.chars().count() > 80 || form.title.chars().any(char::is_control) {
        faults.say("title", "Enter 1 to 80 characters.");
    }
    if form.description.chars().count() > 500 {
        faults.say("description", "Use at most 500 characters.");
    }
    faults.lines("description", &form.description);
    if !is_handle(&form.handle) {
        faults.say("handle", "Use up to 100 lowercase letters, digits, and single hyphens, such as for-beginners.");
    } else if all.iter().any(|other| other.handle == form.handle && Some(other.id) != before.map(|row| row.id)) {
        faults.say("handle", "Another collection already has this handle.");
    }
    // Products join in their editor and by imports without a limit.
    if form.products.as_ref().is_some_and(|products| products.len() > MOST.max(had)) {
        faults.say("products", "A collection can have at most 500 products.");
    }
    faults.finish()
}

/// Deletes a collection; its products remain. One that is gone was deleted before: it was sent again because an answer was lost.
pub async fn delete(cx: &Context, actor: &Actor, id: Uuid, version: i64) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    // As in `put`, products are locked before their collections.
    let known = store::list_member_ids(&mut conn, id).await?;
    lock_rows(&mut conn, &known).await?;
    let all = store::lock_collections(&mut conn).await?;
    if all.iter().all(|row| row.id != id) {
        return Ok(());
    }
    let row = find(&all, id, version, |row| (row.id, row.version))?;
    let had = store::list_member_ids(&mut conn, id).await?;
    let before = for_audit(row, Some(&had));
    store::delete_collection(&mut conn, id).await?;
    // An editor opened before would name the collection.
    store::raise_product_versions(&mut conn, &had).await?;
    let subject = Subject::new("collection", id, &row.title);
    let change = Change { action: "collection.delete", subject, before, after: Value::Null };
    audit::service::record(&mut conn, clock, actor, &change).await?;
    conn.after_commit(EDITED);
    tx.commit().await?;
    Ok(())
}
