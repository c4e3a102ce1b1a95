//! Export and erasure of all of a customer's data. Every module's data is covered here and nowhere else.

use std::time::Duration;

use serde_json::{Value, json};
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::email::mailbox;
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_base::record::RECORD;
use shop_base::{trace, transaction};
use shop_platform::audit::model::{Actor, Change, Subject};
use shop_platform::mail::jobs::SendAccountMail;
use shop_platform::mail::model::{AccountDeletedMail, Mail};
use shop_platform::{audit, jobs};
use tokio::time::timeout;
use uuid::Uuid;

use super::identity::accounts::has_verified;
use super::identity::model::Session;
use super::identity::service::on_behalf;
use super::sales::records::{draft_orders, pickups};
use super::{activity, age, analytics, cart, customers, identity, sales, saved_views};

/// How long the answer to a deletion waits for what is erased in batches. A request has 30 s in all.
const REST_LIMIT: Duration = Duration::from_secs(5);

/// Everything that the shop stores about the user, by module.
pub async fn export(cx: &Context, session: &Session) -> Result<Value, Error> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let profile = customers::service::me(cx, &mut conn, session).await?;
    // Also one that is over: it is kept as long as the account.
    let age = age::service::find_age_proof(&mut conn, session.user_id, i64::MIN).await?;
    let sessions = identity::service::list_sessions(cx, &mut conn, session).await?;
    let cart = cart::service::find_cart(&mut conn, session.user_id, &[]).await?;
    // The rest takes connections itself.
    drop(reader);
    Ok(json!({
        "exported_at": shop_base::clock::timestamp(cx.clock.now_ms()).to_string(),
        "profile": profile,
        "age": age,
        "sessions": sessions,
        "cart": cart,
        "devices": identity::service::list_devices(cx, session.user_id).await?,
        "orders": sales::privacy::export(cx, session.user_id).await?,
        "draft_orders": draft_orders::service::list_by_user(cx, session.user_id).await?,
        "activity": activity::service::list_by_user(&cx.db, session.user_id).await?,
        "saved_views": saved_views::service::list_by_user(cx, session.user_id).await?,
    }))
}

/// Checks what was typed to confirm that an account is to be erased: its email address, `called` so in the message, or the word `delete` if
/// it has none.
pub fn check_typed(account: &Session, typed: &str, called: &str) -> Result<(), Error> {
    let (expected, called) = match account.email.as_str() {
        "" => ("delete", "the word delete"),
        email => (email, called),
    };
    // Chromium hands over the domain of what is typed into a field for an address as mail servers know it.
    match mailbox(typed.trim()) == mailbox(expected) {
        true => Ok(()),
        false => Err(Error::invalid("confirm", &format!("Type {called} to confirm."))),
    }
}

/// Erases the current user's account, after they confirmed it.
pub async fn erase_confirmed(cx: &Context, session: &Session, typed: &str) -> Result<(), Error> {
    // An access token may name no address, or another one.
    let account = on_behalf(cx, session.user_id).await?.ok_or(Error::Unauthorized)?;
    check_typed(&account, typed, "your email address")?;
    erase(cx, &account, None).await
}

/// Erases the user in one transaction, and then their orders and activity in batches. Sale records are kept as the law requires: numbers,
/// amounts, taxes, the place that determined the tax, and an id without further data; so are delivery records that states want reported. An
/// order that is still open keeps its address until it is closed, see [`sales::privacy`]. An actor is given if staff erase the account on the
/// user's behalf.
pub async fn erase(cx: &Context, session: &Session, actor: Option<&Actor>) -> Result<(), Error> {
    transaction!(cx.db, conn => erase_in(conn, cx, session, actor).await)?;
    let user = session.user_id;
    tracing::info!(target: RECORD, %user, "an account was deleted");
    let cx = cx.clone();
    // It goes on when nobody waits any more.
    let rest = trace::spawn(async move { erase_rest(&cx, user).await });
    if timeout(REST_LIMIT, rest).await.is_err() {
        tracing::info!(%user, "the orders and the activity of a deleted account are still being erased");
    }
    Ok(())
}

/// Erases a user anew who was erased after the backup that was restored; they know already.
pub async fn erase_again(cx: &Context, session: &Session) -> Result<(), Error> {
    transaction!(cx.db, conn => {
        let address = own_address(conn, session).await?;
        forget(conn, cx, session, address, None).await
    })?;
    sales::privacy::erase(cx, session.user_id).await?;
    activity::service::erase(&cx.db, session.user_id).await?;
    Ok(())
}

/// Erases what there may be too much of for one transaction. The account is erased by now, so a failure is left to the daily cleanup.
async fn erase_rest(cx: &Context, user: Uuid) {
    let (orders, activity) = tokio::join!(sales::privacy::erase(cx, user), activity::service::erase(&cx.db, user));
    for (what, outcome) in [("orders", orders), ("activity", activity)] {
        if let Err(error) = outcome {
            tracing::warn!(%user, what, %error, "data of a deleted account is left to the daily cleanup");
        }
    }
}

async fn erase_in(conn: &mut Conn<'_>, cx: &Context, session: &Session, actor: Option<&Actor>) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let address = own_address(conn, session).await?;
    forget(conn, cx, session, address, actor).await?;
    if let Some(address) = address {
        let mail = Mail::AccountDeleted(AccountDeletedMail { name: session.name.clone() });
        let user_id = Some(session.user_id);
        let job = SendAccountMail { id: new_id(clock), user_id, to: address.to_owned(), mail };
        jobs::service::add(conn, clock, &job).await?;
    }
    if let Some(actor) = actor {
        let change = Change::new("user.erase", Subject::new("user", session.user_id, ""), Value::Null);
        audit::service::record(conn, clock, actor, &change).await?;
    }
    Ok(())
}

/// Removes everything of the user from every module but what [`erase_rest`] does.
async fn forget(
    conn: &mut Conn<'_>,
    cx: &Context,
    session: &Session,
    address: Option<&str>,
    actor: Option<&Actor>,
) -> Result<(), Error> {
    draft_orders::service::erase(conn, session.user_id).await?;
    if let Some(address) = address {
        pickups::service::erase_links(conn, address).await?;
    }
    cart::service::erase(conn, session.user_id).await?;
    if let Some(actor) = actor {
        identity::accounts::lock(conn, actor, session.user_id).await?;
    }
    identity::service::erase_user(cx, conn, session.user_id).await?;
    customers::service::erase(conn, session.user_id).await?;
    age::service::erase(conn, session.user_id).await?;
    analytics::visits::service::erase(conn, session.user_id).await?;
    saved_views::service::erase(conn, session.user_id).await?;
    // Emails that are still queued or have failed. Those of another account with the same address stay, except for jobs of a former release,
    // which name no account.
    let is_theirs = |email: &SendAccountMail| match email.user_id {
        Some(user) => user == session.user_id,
        None => address.is_some_and(|address| email.to.eq_ignore_ascii_case(address)),
    };
    jobs::service::remove(conn, is_theirs).await?;
    Ok(())
}

/// The user's email address if the provider has verified it. Otherwise it may be somebody else's: what was sent to it stays, and nothing is.
async fn own_address<'a>(conn: &mut Conn<'_>, session: &'a Session) -> Result<Option<&'a str>, DbError> {
    let is_own = !session.email.is_empty() && has_verified(conn, session.user_id, &session.email).await?;
    Ok(is_own.then_some(session.email.as_str()))
}
