//! Reading and changing a customer's own data.

use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_base::ids::new_id;
use uuid::Uuid;

use super::model::{
    AddressView, CheckoutDefaults, MOST_ADDRESSES, Me, NewAddress, Preferences, PreferencesChange, ProfileChange,
};
use super::store;
use crate::identity::accounts::lock_own;
use crate::identity::model::Session;
use crate::{age, identity};

/// Everything that the shop stores about the user, except orders.
pub async fn me(cx: &Context, conn: &mut Conn<'_>, session: &Session) -> Result<Me, Error> {
    let age = age::service::find_age_proof(conn, session.user_id, cx.clock.now_ms()).await?;
    let row = store::find_profile(conn, session.user_id).await?.ok_or(Error::Unauthorized)?;
    let addresses = store::list_addresses(conn, session.user_id).await?;
    Ok(Me {
        sub: row.subject,
        name: row.name,
        email: row.email,
        email_verified: row.email_verified,
        phone: row.phone,
        roles: session.roles.clone(),
        role: session.role(),
        preferences: preferences(&row.preferences),
        addresses,
        age,
    })
}

pub async fn change_profile(cx: &Context, session: &Session, change: ProfileChange) -> Result<Me, Error> {
    identity::service::check_shown(session, change.user_id.as_deref())?;
    let change = change.checked().map_err(|errors| Error::Invalid { errors })?;
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    lock_own(&mut conn, session.user_id).await?;
    let (name, phone) = (change.name.as_deref(), change.phone.as_deref());
    store::update_profile(&mut conn, session.user_id, name, phone, cx.clock.now_ms()).await?;
    identity::service::index(&mut conn, session.user_id).await?;
    tx.commit().await?;
    me(cx, &mut cx.db.read().await?.conn(), session).await
}

pub async fn change_preferences(
    cx: &Context,
    session: &Session,
    change: PreferencesChange,
) -> Result<Preferences, Error> {
    identity::service::check_shown(session, change.user_id.as_deref())?;
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    lock_own(&mut conn, session.user_id).await?;
    let row = store::find_profile(&mut conn, session.user_id).await?.ok_or(Error::Unauthorized)?;
    let after = change.applied(preferences(&row.preferences)).map_err(|errors| Error::Invalid { errors })?;
    let json = serde_json::to_string(&after).map_err(Error::internal)?;
    let state = after.preferred_state.as_deref();
    store::update_preferences(&mut conn, session.user_id, &json, state, cx.clock.now_ms()).await?;
    tx.commit().await?;
    Ok(after)
}

/// Missing fields get their defaults.
fn preferences(json: &str) -> Preferences {
    serde_json::from_str(json).unwrap_or_default()
}

/// Recomputes a customer's number of orders and amount spent, in the transaction that changes one of them.
pub async fn recount(conn: &mut Conn<'_>, user_id: Uuid) -> Result<(), DbError> {
    // First, so that the totals are read after what another transaction that held the lock has committed.
    store::lock_user(conn, user_id).await?;
    store::update_totals(conn, user_id).await
}

pub async fn list_addresses(conn: &mut Conn<'_>, user_id: Uuid) -> Result<Vec<AddressView>, DbError> {
    store::list_addresses(conn, user_id).await
}

/// What the user's checkout begins with.
pub async fn checkout_defaults(conn: &mut Conn<'_>, user_id: Uuid) -> Result<CheckoutDefaults, Error> {
    let row = store::find_profile(conn, user_id).await?.ok_or(Error::Unauthorized)?;
    let addresses = store::list_addresses(conn, user_id).await?;
    let preferred_state = preferences(&row.preferences).preferred_state;
    Ok(CheckoutDefaults { phone: row.phone, preferred_state, addresses })
}

/// Adds an address; the first is the default. One that the user has already is not added again: its answer may have been lost.
pub async fn add_address(cx: &Context, session: &Session, new: &NewAddress) -> Result<AddressView, Error> {
    identity::service::check_shown(session, new.user_id.as_deref())?;
    let address = new.address().checked().map_err(|errors| Error::Invalid { errors })?;
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    lock_own(&mut conn, session.user_id).await?;
    let before = store::list_addresses(&mut conn, session.user_id).await?;
    let id = match before.iter().find(|view| view.address() == address) {
        Some(same) => same.id,
        None if before.len() >= MOST_ADDRESSES => {
            return Err(Error::invalid("line1", "You already have 20 addresses. Remove one first."));
        }
        None => {
            let id = new_id(cx.clock.as_ref());
            store::insert_address(&mut conn, session.user_id, id, &address, false, cx.clock.now_ms()).await?;
            id
        }
    };
    if new.is_default || before.is_empty() {
        store::update_default(&mut conn, session.user_id, id).await?;
    }
    let added = store::list_addresses(&mut conn, session.user_id).await?.into_iter().find(|view| view.id == id);
    tx.commit().await?;
    added.ok_or_else(|| Error::internal("an address is not there after it was added"))
}

/// Removes an address; false if the user has no such address. If it was the default, the newest one becomes the default.
pub async fn remove_address(cx: &Context, user_id: Uuid, id: Uuid) -> Result<bool, Error> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    // Otherwise the address that becomes the default may just be removed by another request.
    lock_own(&mut conn, user_id).await?;
    let Some(was_default) = store::delete_address(&mut conn, user_id, id).await? else { return Ok(false) };
    if was_default && let Some(next) = store::list_addresses(&mut conn, user_id).await?.first() {
        store::update_default(&mut conn, user_id, next.id).await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// Part of the deletion of an account.
pub async fn erase(conn: &mut Conn<'_>, user: Uuid) -> Result<(), DbError> {
    store::delete_addresses(conn, user).await
}
