//! A visitor's cart, and what the forms of its page and of the checkout's do to it.

use std::slice;

use axum::http::{HeaderMap, HeaderValue};
use shop_base::db::LazyReader;
use shop_base::error::Error;
use shop_domain::cart::model::{Change, Contents, Edit};
use shop_domain::cart::service;
use shop_domain::promotions::model::{PromoProblem, entered};
use shop_platform::web::cookies::SignedCookies;

use super::{cookie, unfinished};
use crate::identity::extract::Visitor;

/// A visitor's cart: the account's, or that of the guest's cookie.
pub async fn contents(
    cookies: &SignedCookies,
    reader: &mut LazyReader<'_>,
    visitor: &Visitor,
    headers: &HeaderMap,
) -> Result<Contents, Error> {
    match &visitor.user {
        Some(session) => Ok(service::find_contents(&mut reader.conn().await?, session.user_id).await?),
        None => Ok(cookie::read(cookies, headers).unwrap_or_default()),
    }
}

/// The edits of the buttons next to a promo code; none if another button was pressed.
pub fn promo_edit(act: &str, code: Option<&str>) -> Result<Option<Edit>, PromoProblem> {
    Ok(match act {
        "apply" => Some(Edit::SetPromoCode(entered(code.unwrap_or_default())?)),
        "drop" => Some(Edit::SetPromoCode(None)),
        _ => None,
    })
}

/// A cart after an edit.
pub struct Edited {
    pub contents: Contents,
    /// Problems with the edit.
    pub changes: Vec<Change>,
    /// The guest's updated cookie.
    pub cookie: Option<HeaderValue>,
}

/// Edits a visitor's cart.
pub async fn carry_out(
    cookies: &SignedCookies,
    visitor: &Visitor,
    headers: &HeaderMap,
    edit: &Edit,
) -> Result<Edited, Error> {
    let mut reader = cookies.db.read().await?;
    let held = unfinished::list_held(cookies, &mut reader.conn(), visitor.user_id(), headers).await?;
    if let Some(session) = &visitor.user {
        // The edit takes a connection itself.
        drop(reader);
        let changes = service::edit(cookies, session.user_id, slice::from_ref(edit), &held).await?;
        let contents = service::find_contents(&mut cookies.db.read().await?.conn(), session.user_id).await?;
        return Ok(Edited { contents, changes, cookie: None });
    }
    let before = cookie::read(cookies, headers).unwrap_or_default();
    let (contents, changes) = service::edited(&mut reader.conn(), &before, edit, &held).await?;
    let cookie = Some(cookie::write(cookies, &contents));
    Ok(Edited { contents, changes, cookie })
}
