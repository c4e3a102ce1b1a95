//! `/order-confirmation`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::sales::view;
use shop_domain::sales::view::OrderView;
use shop_platform::settings::texts::Texts;
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Meta, Page, PageProps};
use utoipa::ToSchema;

use crate::identity::extract::Visitor;

/// Props of an order's page, for anybody who has its token.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConfirmationPage {
    pub number: String,
    /// Null when the link has expired, and the visitor is not the signed-in buyer.
    pub order: Option<OrderView>,
    /// The pickup address.
    pub store_address: String,
}

impl PageProps for ConfirmationPage {
    const NAME: &'static str = "orders/confirmation";
}

/// `GET /order-confirmation?order={token}`. Without a token it redirects to the signed-in user's orders, or to sign-in.
pub async fn confirmation(
    State(cx): State<Context>,
    State(texts): State<Arc<Texts>>,
    visitor: Visitor,
    asked: Asked,
) -> Result<Response, Error> {
    let Some(token) = asked.parameter("order") else {
        let account = HeaderValue::try_from(asked.address("/account")).map_err(Error::internal)?;
        return Ok((StatusCode::SEE_OTHER, [(header::LOCATION, account)]).into_response());
    };
    let Some(linked) = view::find_placed_by_token(&cx, &token).await? else {
        // The error must not repeat the token.
        return Err(Error::Refused { full_path: asked.path });
    };
    let is_buyer = linked.user_id.is_some() && visitor.user.map(|user| user.user_id) == linked.user_id;
    let number = linked.order.number.clone();
    let order = Some(linked.order).filter(|_| is_buyer || cx.clock.now_ms() < linked.expires_at);
    let meta = Meta {
        title: format!("Order {number}"),
        description: "Your order.".to_owned(),
        robots: Some("noindex".to_owned()),
        ..Meta::default()
    };
    let props = ConfirmationPage { number, order, store_address: texts.company.address.clone() };
    Ok(Page::new(asked.full_path(), &props, meta)?.personal().into_response())
}
