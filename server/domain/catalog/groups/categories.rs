//! The tree of categories.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shop_base::context::Context;
use shop_base::db::Conn;
use shop_base::error::Error;
use shop_base::fields::{Faults, visible};
use shop_base::ids::new_id;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change, Subject};
use utoipa::ToSchema;
use uuid::Uuid;

use super::order::ordered;
use super::rows::CategoryRow;
use super::versions::find;
use super::{queries, store};
use crate::catalog::editing::model::is_handle;
use crate::catalog::editing::service::{find_retired_path, restore_path, retire_path};
use crate::catalog::model::RetiredPath;
use crate::catalog::service::EDITED;

/// The input for a category.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct CategoryForm {
    /// The version that the caller saw; 0 for a new one.
    pub version: i64,
    pub name: String,
    /// The last part of its address.
    pub slug: String,
    pub description: String,
    pub parent_id: Option<Uuid>,
    /// Where to put it among its siblings, from 0; null leaves it where it is, and puts a new or moved one last.
    pub place: Option<usize>,
}

impl CategoryForm {
    /// Without characters that show nothing, and without whitespace around its texts.
    fn tidied(&self) -> Self {
        let tidied = |text: &str| visible(text).trim().to_owned();
        Self { name: tidied(&self.name), description: tidied(&self.description), ..self.clone() }
    }
}

fn path(slug: &str) -> String {
    format!("/category/{slug}")
}

fn for_audit(row: &CategoryRow) -> Value {
    json!({ "name": row.name, "slug": row.slug, "description": row.description, "parent_id": row.parent_id,
        "position": row.position })
}

/// Creates a category, or updates the one with this id. Returns its id. The same, sent again because an answer was lost or saved without a change,
/// is the one that is there: its version stays, and so do kept pages.
pub async fn put(cx: &Context, actor: &Actor, id: Option<Uuid>, form: &CategoryForm) -> Result<Uuid, Error> {
    let form = &form.tidied();
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let all = store::lock_categories(&mut conn).await?;
    let siblings: Vec<Uuid> =
        all.iter().filter(|other| other.parent_id == form.parent_id).map(|other| other.id).collect();
    let is_there = |row: &CategoryRow| match id {
        Some(id) => row.id == id && ordered(siblings.iter().copied(), id, form.place).0 == siblings,
        None => true,
    };
    if let Some(known) = all.iter().find(|row| is_made_of(row, form) && is_there(row)) {
        return Ok(known.id);
    }
    let before = match id {
        Some(id) => Some(find(&all, id, form.version, |row| (row.id, row.version))?),
        None => None,
    };
    check(&mut conn, &all, before, form).await?;
    let id = before.map_or_else(|| new_id(clock), |before| before.id);
    let (order, place) = ordered(siblings.iter().copied(), id, form.place);
    let row = CategoryRow {
        id,
        parent_id: form.parent_id,
        slug: form.slug.clone(),
        name: form.name.clone(),
        description: form.description.clone(),
        position: i64::try_from(place).unwrap_or(0),
        version: form.version + 1,
    };
    store::put_category(&mut conn, &row, clock.now_ms()).await?;
    for (sibling, position) in order.iter().zip(0_i64..) {
        store::set_category_position(&mut conn, *sibling, position).await?;
    }
    restore_path(&mut conn, &path(&row.slug)).await?;
    if let Some(before) = before.filter(|before| before.slug != row.slug) {
        retire_path(&mut conn, &path(&before.slug), Some(&path(&row.slug))).await?;
    }
    let subject = Subject::new("category", row.id, &row.name);
    let change = match before {
        Some(before) => Change::of("category.update", subject, &for_audit(before), &for_audit(&row)),
        None => Change::new("category.create", subject, for_audit(&row)),
    };
    audit::service::record(&mut conn, clock, actor, &change).await?;
    conn.after_commit(EDITED);
    tx.commit().await?;
    Ok(row.id)
}

fn is_made_of(row: &CategoryRow, form: &CategoryForm) -> bool {
    (row.slug.as_str(), row.name.as_str(), row.description.as_str(), row.parent_id)
        == (form.slug.as_str(), form.name.as_str(), form.description.as_str(), form.parent_id)
}

async fn check(
    conn: &mut Conn<'_>,
    all: &[CategoryRow],
    before: Option<&CategoryRow>,
    form: &CategoryForm,
) -> Result<(), Error> {
    let mut faults = Faults::default();
    if form.name.is_empty() || form.name.chars().count() > 80 || form.name.chars().any(char::is_control) {
        faults.say("name", "Enter 1 to 80 characters.");
    }
    if form.description.chars().count() > 500 {
        faults.say("description", "Use at most 500 characters.");
    }
    faults.lines("description", &form.description);
    let own = before.map(|before| before.id);
    if !is_handle(&form.slug) {
        faults.say("slug", "Use up to 100 lowercase letters, digits, and single hyphens, such as pipe-racks.");
    } else if all.iter().any(|other| other.slug == form.slug && Some(other.id) != own) {
        faults.say("slug", "Another category already has this address.");
    } else if let Some(RetiredPath::Moved(target)) = find_retired_path(conn, &path(&form.slug)).await?
        && let Some(other) = all.iter().find(|other| path(&other.slug) == target && Some(other.id) != own)
        // Links that lead to the parent since a subcategory was deleted may lead to one below it again, but not those to the parent itself.
        && (Some(other.id) != form.parent_id || queries::had_slug(conn, other.id, &form.slug).await?)
    {
        faults.say("slug", "Links to this address lead to another category.");
    }
    let mut above = form.parent_id;
    while let Some(parent) = above {
        let Some(row) = all.iter().find(|row| row.id == parent) else {
            faults.say("parent_id", "This category no longer exists.");
            break;
        };
        if Some(row.id) == own {
            faults.say("parent_id", "A category can’t be inside itself.");
            break;
        }
        above = row.parent_id;
    }
    faults.finish()
}

/// Deletes an empty category. Its address redirects to its parent. One that is gone was deleted before: it was sent again because an answer was
/// lost.
pub async fn delete(cx: &Context, actor: &Actor, id: Uuid, version: i64) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let all = store::lock_categories(&mut conn).await?;
    if all.iter().all(|row| row.id != id) {
        return Ok(());
    }
    let row = find(&all, id, version, |row| (row.id, row.version))?;
    store::lock_category(&mut conn, id).await?;
    let products = queries::count_products(&mut conn).await?;
    if all.iter().any(|other| other.parent_id == Some(id)) || products.iter().any(|(category, _)| *category == id) {
        return Err(Error::conflict("not_empty", "Move its products and subcategories first."));
    }
    store::delete_category(&mut conn, id).await?;
    let parent = all.iter().find(|other| Some(other.id) == row.parent_id).map(|parent| path(&parent.slug));
    retire_path(&mut conn, &path(&row.slug), parent.as_deref()).await?;
    let subject = Subject::new("category", id, &row.name);
    let change = Change { action: "category.delete", subject, before: for_audit(row), after: Value::Null };
    audit::service::record(&mut conn, clock, actor, &change).await?;
    conn.after_commit(EDITED);
    tx.commit().await?;
    Ok(())
}
