//! The calls of a signed-in shopper's cart.

use axum::Json as JsonBody;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use super::model::{Cart, CartItem, MAX_LINES};
use super::service::{self, Sync};
use crate::app::App;
use crate::error::Error;
use crate::identity::extract::Customer;
use crate::promotions::model::normalized;
use crate::web::extract::Json;

#[derive(Debug, Deserialize, ToSchema)]
pub struct CartSync {
    /// All that the device has in its cart.
    pub items: Vec<CartItem>,
    /// The items that the server told this device last; left out for a guest's cart.
    #[serde(default)]
    pub base: Option<Vec<CartItem>>,
    #[serde(default)]
    pub promo_code: Option<String>,
}

/// `GET /api/cart`
#[utoipa::path(get, path = "/api/cart", responses(
    (status = 200, description = "The cart with this moment's prices and stock", body = Cart),
    (status = 401, description = "Not signed in", body = crate::error::Problem),
))]
pub async fn get(State(app): State<App>, Customer(session): Customer) -> Result<JsonBody<Cart>, Error> {
    Ok(JsonBody(service::find_cart(&app, session.user_id).await?))
}

/// `POST /api/cart/sync`
#[utoipa::path(post, path = "/api/cart/sync", request_body = CartSync, responses(
    (status = 200, description = "The merged cart, and what changed since the shopper saw it", body = Cart),
    (status = 401, description = "Not signed in", body = crate::error::Problem),
    (status = 422, description = "Too many lines, or a quantity that is none", body = crate::error::Problem),
))]
pub async fn sync(
    State(app): State<App>,
    Customer(session): Customer,
    Json(body): Json<CartSync>,
) -> Result<JsonBody<Cart>, Error> {
    check("items", &body.items)?;
    check("base", body.base.as_deref().unwrap_or_default())?;
    let promo_code = body.promo_code.map(|code| normalized(&code)).filter(|code| !code.is_empty());
    if promo_code.as_ref().is_some_and(|code| code.len() > 40) {
        return Err(Error::invalid("promo_code", "A code has at most 40 characters."));
    }
    let sync = Sync { items: body.items, base: body.base, promo_code };
    Ok(JsonBody(service::sync(&app, session.user_id, &sync).await?))
}

/// Quantities are positive, and each variant is there once.
pub fn check(field: &str, items: &[CartItem]) -> Result<(), Error> {
    if items.len() > MAX_LINES {
        return Err(Error::invalid(field, "A cart has at most 100 lines."));
    }
    for (item, at) in items.iter().zip(0..) {
        if !(1..=9_999).contains(&item.qty) {
            return Err(Error::invalid(&format!("{field}[{at}].qty"), "Give a quantity above zero."));
        }
        if items.iter().take(at).any(|other| other.id == item.id) {
            return Err(Error::invalid(&format!("{field}[{at}].id"), "This item is in the list twice."));
        }
    }
    Ok(())
}
