//! A customer's data as a whole: handed out, and erased. Each noun adds what it keeps, here and nowhere else.

use serde_json::{Value, json};
use shop_base::context::Context;
use shop_base::db::Conn;
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_base::transaction;
use shop_platform::audit::model::{Actor, Change, Subject};
use shop_platform::mail::jobs::SendAccountMail;
use shop_platform::mail::model::{AccountDeletedMail, Mail};
use shop_platform::{audit, jobs};

use super::identity::model::Session;
use super::sales::records::{draft_orders, pickups};
use super::{activity, age, analytics, cart, customers, identity, sales, saved_views};

/// All that the shop keeps of the user, by noun.
pub async fn export(cx: &Context, session: &Session) -> Result<Value, Error> {
    Ok(json!({
        "exported_at": shop_base::clock::timestamp(cx.clock.now_ms()).to_string(),
        "profile": customers::service::me(cx, session).await?,
        "sessions": identity::service::list_sessions(cx, session).await?,
        "cart": cart::service::find_cart(cx, session.user_id).await?,
        "orders": sales::view::list_by_user(cx, session.user_id).await?,
        "draft_orders": draft_orders::service::list_by_user(cx, session.user_id).await?,
        "activity": activity::service::list_by_user(&cx.db, session.user_id).await?,
    }))
}

/// Erases the account of who asks, who has typed its email address to confirm it.
pub async fn erase_confirmed(cx: &Context, session: &Session, typed: &str) -> Result<(), Error> {
    if !typed.trim().eq_ignore_ascii_case(&session.email) {
        return Err(Error::invalid("confirm", "Type your email address to confirm."));
    }
    erase(cx, session, None).await
}

/// Erases the user in one go. Sale records stay, as the law wants them to: numbers, sums, taxes, the place that decided the tax, and an id
/// of which nothing else is known; so do the records of deliveries that states want reported. An order that is still on its way keeps
/// its address until it has come, see [`sales::privacy`]. With an actor it is staff who do so, for the user.
pub async fn erase(cx: &Context, session: &Session, actor: Option<&Actor>) -> Result<(), Error> {
    transaction!(cx.db, conn => erase_in(conn, cx, session, actor).await)?;
    tracing::info!(user = %session.user_id, "an account was deleted");
    Ok(())
}

async fn erase_in(conn: &mut Conn<'_>, cx: &Context, session: &Session, actor: Option<&Actor>) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    sales::privacy::erase(conn, session.user_id).await?;
    draft_orders::service::erase(conn, session.user_id).await?;
    pickups::service::erase(conn, session.user_id, &session.email).await?;
    cart::service::erase(conn, session.user_id).await?;
    if let Some(actor) = actor {
        identity::accounts::lock(conn, actor, session.user_id).await?;
    }
    identity::service::erase_user(cx, conn, session.user_id).await?;
    customers::service::erase(conn, session.user_id).await?;
    age::service::erase(conn, session.user_id).await?;
    activity::service::erase(conn, session.user_id).await?;
    analytics::visits::service::erase(conn, session.user_id).await?;
    saved_views::service::erase(conn, session.user_id).await?;
    if !session.email.is_empty() {
        // Emails that are not sent yet, or could not be.
        let is_theirs = |email: &SendAccountMail| email.to.eq_ignore_ascii_case(&session.email);
        jobs::service::remove(conn, is_theirs).await?;
        let mail = Mail::AccountDeleted(AccountDeletedMail { name: session.name.clone() });
        let job = SendAccountMail { id: new_id(clock), to: session.email.clone(), mail };
        jobs::service::add(conn, clock, &job).await?;
    }
    if let Some(actor) = actor {
        let change = Change::new("user.erase", Subject::new("user", session.user_id, ""), Value::Null);
        audit::service::record(conn, clock, actor, &change).await?;
    }
    Ok(())
}
