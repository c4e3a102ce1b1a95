//! The page of an order, its printouts, and the form for orders that staff create.

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use shop_base::address::Address;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::audit::model::Actor;
use shop_platform::settings::texts::Texts;
use shop_platform::web::extract::{Asked, Number};
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;
use uuid::Uuid;

use super::read::read;
use super::view::AdminOrder;
use crate::admin::admin_meta;

#[derive(Debug, Serialize, ToSchema)]
pub struct AdminOrderPage {
    pub order: AdminOrder,
}

impl PageProps for AdminOrderPage {
    const NAME: &'static str = "admin/orders/order";
}

/// Enclosed in a parcel: goods without prices.
#[derive(Debug, Serialize, ToSchema)]
pub struct PackingSlipPage {
    pub order: AdminOrder,
}

impl PageProps for PackingSlipPage {
    const NAME: &'static str = "admin/orders/packing-slip";
}

#[derive(Debug, Serialize, ToSchema)]
pub struct InvoicePage {
    pub order: AdminOrder,
}

impl PageProps for InvoicePage {
    const NAME: &'static str = "admin/orders/invoice";
}

/// `GET /admin/orders/{number}`
pub async fn order(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    asked: Asked,
) -> Result<Page, Error> {
    page(&cx, &actor, &number, asked, "Order", |order| AdminOrderPage { order }).await
}

/// `GET /admin/orders/{number}/packing-slip`
pub async fn packing_slip(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    asked: Asked,
) -> Result<Page, Error> {
    page(&cx, &actor, &number, asked, "Packing slip", |order| PackingSlipPage { order }).await
}

/// `GET /admin/orders/{number}/invoice`
pub async fn invoice(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    asked: Asked,
) -> Result<Page, Error> {
    page(&cx, &actor, &number, asked, "Invoice", |order| InvoicePage { order }).await
}

async fn page<P: PageProps>(
    cx: &Context,
    actor: &Actor,
    number: &str,
    asked: Asked,
    title: &str,
    props: fn(AdminOrder) -> P,
) -> Result<Page, Error> {
    let mut reader = cx.db.read().await?;
    let order = read(cx, &mut reader.conn(), actor, number).await?.ok_or_else(|| asked.refused())?;
    drop(reader);
    let meta = admin_meta(format!("{title} {}", order.number));
    Page::new(asked.path, &props(order), meta)
}

/// The form for an order on behalf of a customer in the store or on the phone, or for the draft that is being changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct NewOrderPage {
    pub store_address: String,
    /// Whether cards are accepted, so that an order can be paid through a link.
    pub takes_cards: bool,
    pub draft: Option<DraftForm>,
}

impl NewOrderPage {
    pub fn of(cx: &Context, texts: &Texts, draft: Option<DraftForm>) -> Self {
        Self { store_address: texts.company.address.clone(), takes_cards: cx.config.square.is_some(), draft }
    }
}

impl PageProps for NewOrderPage {
    const NAME: &'static str = "admin/orders/new";
}

/// The initial values of the form.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftForm {
    pub number: String,
    pub version: i64,
    pub lines: Vec<DraftLine>,
    pub user_id: Option<Uuid>,
    /// That of `user_id`.
    pub account: Option<DraftAccount>,
    pub email: String,
    pub phone: String,
    pub address: Address,
    pub shipping_method: String,
    pub promo_code: String,
    pub message: String,
}

/// The account for which a draft was made.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftAccount {
    pub name: String,
    pub email: String,
    /// If not, the address may be somebody else’s.
    pub email_verified: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DraftLine {
    pub sku: String,
    pub title: String,
    pub variant: String,
    pub quantity: i64,
    /// As promised, minor units.
    pub unit_price: i64,
    /// The current price in the shop.
    pub price: i64,
}

/// `GET /admin/orders/new`
pub async fn new_order(
    State(cx): State<Context>,
    State(texts): State<Arc<Texts>>,
    asked: Asked,
) -> Result<Page, Error> {
    Page::new(asked.path, &NewOrderPage::of(&cx, &texts, None), admin_meta("New order"))
}
