//! Account administration by staff: blocking accounts, ending sessions, assigning roles.

use serde_json::json;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::email::mailbox;
use shop_base::error::Error;
use shop_base::role::Role;
use shop_base::transaction;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change, Subject};
use uuid::Uuid;

use super::service::command_line;
use super::store;
use super::store::Account;

const MAX_REASON_CHARS: usize = 200;

/// Users are identified by id only: the log is kept longer than their data.
fn subject(id: Uuid) -> Subject {
    Subject::new("user", id, "")
}

pub async fn find(cx: &Context, id: Uuid) -> Result<Option<Account>, Error> {
    let mut reader = cx.db.read().await?;
    Ok(store::find_account(&mut reader.conn(), id).await?)
}

/// Whether this account exists and is not deleted.
pub async fn is_there(conn: &mut Conn<'_>, id: Uuid) -> Result<bool, DbError> {
    Ok(store::find_account(conn, id).await?.is_some_and(|account| account.deleted_at.is_none()))
}

/// Whether the provider has verified that this email address belongs to the account.
pub async fn has_verified(conn: &mut Conn<'_>, id: Uuid, email: &str) -> Result<bool, DbError> {
    let account = store::find_account(conn, id).await?;
    let is_theirs = |account: Account| account.email_verified && mailbox(&account.email) == mailbox(email);
    Ok(account.is_some_and(is_theirs))
}

/// The account, locked until the transaction ends, if it exists and this actor may change it: nobody may change their own account, and only
/// a super admin may change those of admins.
pub async fn lock(conn: &mut Conn<'_>, actor: &Actor, id: Uuid) -> Result<Account, Error> {
    lock_with_role(conn, actor, id).await.map(|(account, _)| account)
}

/// The same, with the role in which the actor does it.
async fn lock_with_role(conn: &mut Conn<'_>, actor: &Actor, id: Uuid) -> Result<(Account, Role), Error> {
    if id == actor.user_id {
        return Err(Error::conflict("own_account", "This is your own account. Someone else has to do this."));
    }
    // In a fixed order, to avoid a deadlock when two users change each other.
    let (first, second) = (id.min(actor.user_id), id.max(actor.user_id));
    let first = store::lock_account(conn, first).await?;
    let second = store::lock_account(conn, second).await?;
    let pick = |id: Uuid| first.iter().chain(&second).find(|account| account.id == id).cloned();
    let account = pick(id).filter(|account| account.deleted_at.is_none()).ok_or(Error::NotFound)?;
    // The lesser of the request's role and the stored one, read under the lock: it may have changed since the request arrived, and the actor
    // may have been blocked or erased.
    let own = pick(actor.user_id).filter(|own| own.blocked_at.is_none() && own.deleted_at.is_none());
    let role = own.map_or(Role::Customer, |own| own.role).max(actor.role);
    if role == Role::SuperAdmin || (role.is_admin() && account.role > role) {
        Ok((account, role))
    } else {
        Err(Error::forbidden_role())
    }
}

/// Locks the account of the user who asks until the transaction ends. Refused if it was erased since the request came in: nothing would
/// remove what is stored of the user afterward.
pub async fn lock_own(conn: &mut Conn<'_>, id: Uuid) -> Result<(), Error> {
    let account = store::lock_account(conn, id).await?;
    account.filter(|account| account.deleted_at.is_none()).map(drop).ok_or(Error::Unauthorized)
}

fn check_version(account: &Account, version: i64) -> Result<(), Error> {
    if account.version == version {
        return Ok(());
    }
    Err(Error::changed_meanwhile("this account"))
}

/// Blocks an account: ends all its sessions and prevents new ones.
pub async fn block(cx: &Context, actor: &Actor, id: Uuid, version: i64, reason: &str) -> Result<(), Error> {
    let reason = reason.trim();
    if reason.is_empty() || reason.chars().count() > MAX_REASON_CHARS || reason.chars().any(char::is_control) {
        return Err(Error::invalid("reason", "Enter a reason of 1 to 200 characters."));
    }
    transaction!(cx.db, conn => block_in(conn, cx, actor, id, version, reason).await)
}

async fn block_in(
    conn: &mut Conn<'_>,
    cx: &Context,
    actor: &Actor,
    id: Uuid,
    version: i64,
    reason: &str,
) -> Result<(), Error> {
    let now = cx.clock.now_ms();
    let account = lock(conn, actor, id).await?;
    check_version(&account, version)?;
    store::update_block(conn, id, Some(now), reason, now).await?;
    store::delete_other_sessions(conn, id, None).await?;
    let change = Change::of(
        "user.block",
        subject(id),
        &json!({ "blocked": account.blocked_at.is_some() }),
        &json!({ "blocked": true }),
    );
    audit::service::record(conn, cx.clock.as_ref(), actor, &change).await?;
    Ok(())
}

pub async fn unblock(cx: &Context, actor: &Actor, id: Uuid, version: i64) -> Result<(), Error> {
    let (mut tx, now) = (cx.db.begin().await?, cx.clock.now_ms());
    let mut conn = tx.conn();
    let account = lock(&mut conn, actor, id).await?;
    check_version(&account, version)?;
    store::update_block(&mut conn, id, None, "", now).await?;
    let change = Change::of(
        "user.unblock",
        subject(id),
        &json!({ "blocked": account.blocked_at.is_some() }),
        &json!({ "blocked": false }),
    );
    audit::service::record(&mut conn, cx.clock.as_ref(), actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Ends one session of an account, or all of them.
pub async fn end_sessions(cx: &Context, actor: &Actor, id: Uuid, session: Option<Uuid>) -> Result<(), Error> {
    transaction!(cx.db, conn => end_sessions_in(conn, cx, actor, id, session).await)
}

async fn end_sessions_in(
    conn: &mut Conn<'_>,
    cx: &Context,
    actor: &Actor,
    id: Uuid,
    session: Option<Uuid>,
) -> Result<(), Error> {
    lock(conn, actor, id).await?;
    match session {
        Some(session) => {
            if !store::delete_session(conn, id, session).await? {
                return Err(Error::NotFound);
            }
        }
        None => store::delete_other_sessions(conn, id, None).await?,
    }
    let ended = session.map_or_else(|| "all".to_owned(), |session| session.to_string());
    let change = Change::new("user.end_sessions", subject(id), json!({ "session": ended }));
    audit::service::record(conn, cx.clock.as_ref(), actor, &change).await?;
    Ok(())
}

/// Assigns a role that overrides those of the provider; none removes the override. Takes effect with the next request.
pub async fn assign_role(
    cx: &Context,
    actor: &Actor,
    id: Uuid,
    version: i64,
    assigned: Option<Role>,
) -> Result<(), Error> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let (account, role) = lock_with_role(&mut conn, actor, id).await?;
    // An admin may manage this account, but not give roles.
    if role != Role::SuperAdmin {
        return Err(Error::forbidden_role());
    }
    check_version(&account, version)?;
    let listed: Vec<String> = serde_json::from_str(&account.roles).unwrap_or_default();
    let effective = assigned.or(Role::effective(&listed)).unwrap_or(Role::Customer);
    store::update_assigned_role(&mut conn, id, assigned, effective, cx.clock.now_ms()).await?;
    let change = Change::of(
        "user.assign_role",
        subject(id),
        &json!({ "role": account.role, "assigned": account.assigned_role }),
        &json!({ "role": effective, "assigned": assigned }),
    );
    audit::service::record(&mut conn, cx.clock.as_ref(), actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Assigns a role from the command line, such as that of the first super admin, to the account with this id or verified email address.
pub async fn grant(cx: &Context, account: &str, role: Role) -> Result<Uuid, Error> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let id = match account.parse() {
        Ok(id) => id,
        Err(_) => find_by_email(&mut conn, account.trim()).await?,
    };
    let account = store::lock_account(&mut conn, id).await?.filter(|account| account.deleted_at.is_none());
    let account = account.ok_or_else(|| Error::conflict("no_account", "There is no account with this id."))?;
    store::update_assigned_role(&mut conn, id, Some(role), role, cx.clock.now_ms()).await?;
    let change = Change::of(
        "user.assign_role",
        subject(id),
        &json!({ "role": account.role, "assigned": account.assigned_role }),
        &json!({ "role": role, "assigned": role }),
    );
    let actor = command_line(&mut conn, cx.clock.as_ref()).await?;
    audit::service::record(&mut conn, cx.clock.as_ref(), &actor, &change).await?;
    tx.commit().await?;
    Ok(id)
}

/// The one account whose email address this is. The provider must have verified it: others can claim any address.
async fn find_by_email(conn: &mut Conn<'_>, email: &str) -> Result<Uuid, Error> {
    let found = store::list_by_email(conn, email).await?;
    let verified: Vec<&(Uuid, bool)> = found.iter().filter(|(_, is_verified)| *is_verified).collect();
    match (verified.as_slice(), found.as_slice()) {
        ([(id, _)], _) => Ok(*id),
        ([], []) => Err(Error::conflict(
            "no_account",
            "Nobody with this email address has signed in yet: sign in to the shop once, then repeat this.",
        )),
        _ => {
            let ids: Vec<String> = found.iter().map(|(id, _)| id.to_string()).collect();
            let ids = ids.join(", ");
            let detail = format!(
                "The provider has not verified that this address belongs to exactly one account. Name the account by its id: {ids}"
            );
            Err(Error::conflict("ambiguous_account", &detail))
        }
    }
}
