//! The cart's calls.

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use shop_base::error::Error;
use shop_domain::cart::model::{Cart, CartItem, Contents, check_items};
use shop_domain::cart::service;
use shop_domain::cart::service::Sync;
use shop_domain::promotions::model::entered;
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::extract::Json;
use utoipa::ToSchema;

use super::{cookie, unfinished};
use crate::identity::extract::{Customer, Visitor};

#[derive(Debug, Deserialize, ToSchema)]
pub struct CartSync {
    /// The complete cart of the device.
    pub items: Vec<CartItem>,
    /// The items that the server last sent to this device; omitted for a guest's cart.
    #[serde(default)]
    pub base: Option<Vec<CartItem>>,
    #[serde(default)]
    pub promo_code: Option<String>,
    /// Without a code the stored one is kept, although there is a base: this device may not have heard of it.
    #[serde(default)]
    pub keeps_code: bool,
}

impl CartSync {
    fn checked(self) -> Result<Sync, Error> {
        check_items("items", &self.items)?;
        check_items("base", self.base.as_deref().unwrap_or_default())?;
        let promo_code = entered(self.promo_code.as_deref().unwrap_or_default())
            .map_err(|problem| Error::invalid("promo_code", &problem.to_string()))?;
        Ok(Sync { items: self.items, base: self.base, promo_code, keeps_code: self.keeps_code })
    }
}

/// `GET /api/cart`
#[utoipa::path(get, path = "/api/cart", responses(
    (status = 200, description = "The cart with this moment's prices and stock", body = Cart),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
))]
pub async fn get(
    State(cookies): State<SignedCookies>,
    Customer(session): Customer,
    headers: HeaderMap,
) -> Result<JsonBody<Cart>, Error> {
    let mut reader = cookies.db.read().await?;
    let mut conn = reader.conn();
    let held = unfinished::list_held(&cookies, &mut conn, Some(session.user_id), &headers).await?;
    Ok(JsonBody(service::find_cart(&mut conn, session.user_id, &held).await?))
}

/// `POST /api/cart/sync`
#[utoipa::path(post, path = "/api/cart/sync", request_body = CartSync, responses(
    (status = 200, description = "The merged cart, and what changed since the shopper saw it", body = Cart),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 422, description = "Too many lines, or a quantity that is none", body = shop_base::error::Problem),
))]
pub async fn sync(
    State(cookies): State<SignedCookies>,
    Customer(session): Customer,
    headers: HeaderMap,
    Json(body): Json<CartSync>,
) -> Result<Response, Error> {
    let sync = body.checked()?;
    let user = Some(session.user_id);
    let held = unfinished::list_held(&cookies, &mut cookies.db.read().await?.conn(), user, &headers).await?;
    // A guest's, which the sign-in could not join. If it stayed, the sign-out would bring back what was bought since.
    let brought = cookie::read(&cookies, &headers);
    if let Some(brought) = &brought {
        service::join(&cookies, session.user_id, brought).await?;
    }
    let cart = service::sync(&cookies, session.user_id, &sync, &held).await?;
    let cleared = brought.map(|_| [(header::SET_COOKIE, cookie::clear(&cookies))]);
    Ok((cleared, JsonBody(cart)).into_response())
}

/// `POST /api/cart/guest`
#[utoipa::path(post, path = "/api/cart/guest", request_body = CartSync, responses(
    (status = 200, description = "The merged cart, now held by the `cart` cookie", body = Cart),
    (status = 409, description = "Somebody is signed in, whose cart is the account's", body = shop_base::error::Problem),
    (status = 422, description = "Too many lines, or a quantity that is none", body = shop_base::error::Problem),
))]
pub async fn sync_guest(
    State(cookies): State<SignedCookies>,
    visitor: Visitor,
    headers: HeaderMap,
    Json(body): Json<CartSync>,
) -> Result<Response, Error> {
    if visitor.user.is_some() {
        return Err(Error::conflict("signed_in", "Your cart is kept in your account."));
    }
    let sync = body.checked()?;
    let mut reader = cookies.db.read().await?;
    let mut conn = reader.conn();
    let held = unfinished::list_held(&cookies, &mut conn, None, &headers).await?;
    let cart = service::sync_guest(&cookies, &mut conn, cookie::read(&cookies, &headers), sync, &held).await?;
    let items = cart.items.iter().map(|line| CartItem {
        id: line.id,
        qty: line.qty,
        price: Some(line.price),
        saved: line.saved,
    });
    let contents = Contents { items: items.collect(), promo_code: cart.promo_code.clone() };
    Ok(([(header::SET_COOKIE, cookie::write(&cookies, &contents))], JsonBody(cart)).into_response())
}
