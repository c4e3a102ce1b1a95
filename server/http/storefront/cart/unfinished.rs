//! The signed cookie that names the visitor's last checkout while it holds goods without being paid for: its card was declined, or it waits
//! for the link in an email. For this visitor's cart these goods are available, and the checkout's page goes on with it.

use axum::http::{HeaderMap, HeaderValue};
use shop_base::db::{Conn, DbError, LazyReader};
use shop_base::error::Error;
use shop_domain::cart::model::Contents;
use shop_domain::cart::service::remove_guests_bought;
use shop_domain::sales::flows::limits::MOST_ATTEMPTS;
use shop_domain::sales::flows::quote;
use shop_domain::sales::records::orders;
use shop_domain::sales::records::payments::attempts;
use shop_platform::web::cookies::SignedCookies;
use uuid::Uuid;

use super::cookie;
use crate::identity::extract::Visitor;

const NAME: &str = "checkout";
/// No checkout holds goods for longer.
const LIFETIME_SECONDS: i64 = 2 * 60 * 60;
/// No checkout is tried again for longer, in milliseconds: an account may have thousands of older orders, which hold nothing.
const TRIED_FOR: i64 = 7 * 24 * 60 * 60 * 1000;

/// The checkout in the request's cookie.
pub fn read(cookies: &SignedCookies, headers: &HeaderMap) -> Option<Uuid> {
    cookies.read(NAME, headers)?.parse().ok()
}

/// The visitor's unfinished checkout, if it holds anything: a new one would find its goods sold out and its code in use. That of an account
/// is only this account's, and one in which no more cards may be tried is over.
pub async fn find(
    cookies: &SignedCookies,
    reader: &mut LazyReader<'_>,
    visitor: &Visitor,
    headers: &HeaderMap,
) -> Result<Option<Uuid>, Error> {
    let Some(checkout) = read(cookies, headers) else { return Ok(None) };
    let mut conn = reader.conn().await?;
    let Some(order) = orders::service::find_by_checkout(&mut conn, checkout).await? else { return Ok(None) };
    let is_own = order.user_id.is_none() || order.user_id == visitor.user_id();
    let tried = attempts::list(&mut conn, order.id).await?;
    let is_over = tried.len() >= MOST_ATTEMPTS && !tried.iter().any(|attempt| attempt.status.is_open());
    let held = quote::list_held(cookies, &mut conn, checkout).await?;
    Ok(Some(checkout).filter(|_| is_own && !is_over && !held.is_empty()))
}

/// The `Set-Cookie` that names this checkout; none if it holds nothing.
pub async fn write(cookies: &SignedCookies, checkout: Uuid) -> Result<Option<HeaderValue>, Error> {
    let held = quote::list_held(cookies, &mut cookies.db.read().await?.conn(), checkout).await?;
    Ok((!held.is_empty()).then(|| cookies.write_hidden(NAME, checkout.to_string(), LIFETIME_SECONDS)))
}

/// Removes the goods of a guest's checkout, which is placed now, from the cart of the account that the guest has signed in to since. Returns
/// the `Set-Cookie` that deletes its name, so that this happens once; none if this browser's checkout is another one.
pub async fn remove_bought(
    cookies: &SignedCookies,
    user: Uuid,
    headers: &HeaderMap,
    number: &str,
) -> Result<Option<HeaderValue>, Error> {
    let Some(checkout) = read(cookies, headers) else { return Ok(None) };
    let mut reader = cookies.db.read().await?;
    let mut conn = reader.conn();
    let order = orders::service::find_by_checkout(&mut conn, checkout).await?;
    let Some(order) = order.filter(|order| order.user_id.is_none() && order.number == number) else { return Ok(None) };
    let lines = orders::service::list_lines(&mut conn, order.id).await?;
    drop(reader);
    let bought: Vec<_> = lines.iter().filter_map(|line| Some((line.variant_id?, line.quantity))).collect();
    remove_guests_bought(cookies, user, &bought).await?;
    Ok(Some(cookies.write_hidden(NAME, String::new(), 0)))
}

/// The guest's cart without what this order contains.
pub async fn without_bought(cookies: &SignedCookies, headers: &HeaderMap, number: &str) -> Result<Contents, Error> {
    let mut cart = cookie::read(cookies, headers).unwrap_or_default();
    let mut reader = cookies.db.read().await?;
    let mut conn = reader.conn();
    if let Some(order) = orders::service::find_by_number(&mut conn, number).await? {
        let lines = orders::service::list_lines(&mut conn, order.id).await?;
        cart.remove_bought(lines.into_iter().filter_map(|line| Some((line.variant_id?, line.quantity))));
        cart.promo_code = None;
    }
    Ok(cart)
}

/// Variants and quantities that the visitor's unfinished checkouts hold: that of the cookie and, since an account's cart is on all of its
/// devices, those of the account.
pub async fn list_held(
    cookies: &SignedCookies,
    conn: &mut Conn<'_>,
    user: Option<Uuid>,
    headers: &HeaderMap,
) -> Result<Vec<(Uuid, i64)>, DbError> {
    let own = read(cookies, headers);
    let mut held = match own {
        Some(checkout) => quote::list_held(cookies, conn, checkout).await?,
        None => Vec::new(),
    };
    if let Some(user) = user {
        let since = cookies.clock.now_ms() - TRIED_FOR;
        held.extend(quote::list_held_by_account(conn, user, since, own).await?);
    }
    Ok(held)
}
