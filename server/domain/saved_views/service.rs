//! Saving and reading views.

use serde_json::{Value, json};
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_base::fields::visible;
use shop_base::ids::new_id;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change, Subject};
use uuid::Uuid;

use super::model::{MAX_NAME_CHARS, MAX_QUERY_BYTES, MAX_SHARED, MAX_VIEWS, NewView, SavedView};
use super::store;
use super::store::ViewRow;

/// How the query of a list, given with the list's path, is written to the audit log, which keeps it forever: without a buyer's name.
pub type Recorded = fn(list: &str, query: &str) -> String;

/// The views of a list that a user may choose from.
pub async fn list(conn: &mut Conn<'_>, actor: &Actor, path: &str) -> Result<Vec<SavedView>, DbError> {
    let view = |row: ViewRow| SavedView {
        href: if row.query.is_empty() { path.to_owned() } else { format!("{path}?{}", row.query) },
        may_delete: row.user_id == actor.user_id || (row.is_shared && actor.role.is_admin()),
        id: row.id,
        name: row.name,
        is_shared: row.is_shared,
    };
    Ok(store::list_views(conn, actor.user_id, path).await?.into_iter().map(view).collect())
}

/// All views that a user has made, for the export of their data.
pub async fn list_by_user(cx: &Context, user: Uuid) -> Result<Vec<Value>, DbError> {
    let mut reader = cx.db.read().await?;
    let views = store::list_by_user(&mut reader.conn(), user).await?;
    Ok(views
        .into_iter()
        .map(|(list, name, query, is_shared)| {
            json!({ "list": list, "name": name, "query": query, "is_shared": is_shared })
        })
        .collect())
}

/// Saves a view of an existing list under its name. The same one, sent again because an answer was lost, is the one that is there. What
/// others see of it is recorded.
pub async fn save(cx: &Context, actor: &Actor, new: NewView, recorded: Recorded) -> Result<(), Error> {
    let (clock, user) = (cx.clock.as_ref(), actor.user_id);
    let name = visible(&new.name);
    let name = name.trim();
    if name.is_empty() || name.chars().count() > MAX_NAME_CHARS || name.chars().any(char::is_control) {
        return Err(Error::invalid("name", "Enter a name of 1 to 60 characters."));
    }
    if new.query.len() > MAX_QUERY_BYTES {
        return Err(Error::invalid("query", "This search is too long to be saved. Use fewer words or filters."));
    }
    if !new.query.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#') {
        return Err(Error::invalid("query", "The query must be one of the list’s addresses."));
    }
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    if store::count_others(&mut conn, user, &new.list, name).await? >= MAX_VIEWS {
        return Err(Error::conflict("too_many", "You already have 50 views of this list. Delete one first."));
    }
    if new.is_shared && store::count_other_shared(&mut conn, user, &new.list, name).await? >= MAX_SHARED {
        let detail =
            "150 views of this list are already shared. Save this one for yourself, or delete a shared one first.";
        return Err(Error::conflict("too_many", detail));
    }
    let view = ViewRow {
        id: new_id(clock),
        user_id: user,
        name: name.to_owned(),
        list: new.list,
        query: new.query,
        is_shared: new.is_shared,
    };
    let before = if store::insert_view(&mut conn, &view, clock.now_ms()).await? {
        None
    } else {
        let former = store::lock_view(&mut conn, user, &view.list, name).await?;
        let former = former.ok_or_else(|| Error::changed_meanwhile("this view"))?;
        if (&former.query, former.is_shared) == (&view.query, view.is_shared) {
            return Ok(());
        }
        if !new.replace {
            let detail = "You already have a view with this name. Replace it, or choose another name.";
            return Err(Error::conflict("view_exists", detail));
        }
        store::update_view(&mut conn, former.id, &view.query, view.is_shared).await?;
        Some(former)
    };
    if let Some(change) = saved(before.as_ref(), &view, recorded) {
        audit::service::record(&mut conn, clock, actor, &change).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// What changes for others when a view is saved, perhaps in place of a former one; none if neither is shared.
fn saved(before: Option<&ViewRow>, after: &ViewRow, recorded: Recorded) -> Option<Change> {
    let subject = subject(before.unwrap_or(after));
    match (before.filter(|view| view.is_shared), after.is_shared) {
        (None, false) => None,
        (None, true) => Some(Change::new("saved_view.share", subject, for_audit(after, recorded))),
        (Some(before), true) => {
            let [before, after] = [before, after].map(|view| for_audit(view, recorded));
            Some(Change::of("saved_view.update", subject, &before, &after))
        }
        (Some(before), false) => {
            let before = for_audit(before, recorded);
            Some(Change { before, ..Change::new("saved_view.unshare", subject, json!({})) })
        }
    }
}

/// Its name may name a person, and the audit log keeps it forever.
fn subject(view: &ViewRow) -> Subject {
    Subject::new("saved_view", view.id, format!("View of {}", view.list))
}

fn for_audit(view: &ViewRow, recorded: Recorded) -> Value {
    json!({ "list": view.list, "query": recorded(&view.list, &view.query) })
}

/// Deletes a view: an own one, and for admins any shared one; false if it is neither. One that is gone was deleted before. That a shared one
/// is deleted is recorded.
pub async fn delete(cx: &Context, actor: &Actor, id: Uuid, recorded: Recorded) -> Result<bool, Error> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let Some(view) = store::delete_view(&mut conn, actor.user_id, id, actor.role.is_admin()).await? else {
        return Ok(!store::has_view(&mut conn, id).await?);
    };
    if view.is_shared {
        let before = for_audit(&view, recorded);
        let change = Change { before, ..Change::new("saved_view.delete", subject(&view), json!({})) };
        audit::service::record(&mut conn, cx.clock.as_ref(), actor, &change).await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// Part of the deletion of an account.
pub async fn erase(conn: &mut Conn<'_>, user: Uuid) -> Result<(), DbError> {
    store::delete_views(conn, user).await
}
