//! The form of an order that staff make, new or a draft that is being changed.

use axum::extract::State;
use serde::Serialize;
use shop_base::address::Address;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::admin::admin_meta;

/// An order for somebody who is in the store, or on the phone; or the draft that is being changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct NewOrderPage {
    pub store_address: String,
    /// Cards are taken: an order can be paid through a link.
    pub takes_cards: bool,
    pub draft: Option<DraftForm>,
}

impl NewOrderPage {
    pub fn of(cx: &Context, draft: Option<DraftForm>) -> Self {
        Self { store_address: cx.config.company.address.clone(), takes_cards: cx.config.square.is_some(), draft }
    }
}

impl PageProps for NewOrderPage {
    const NAME: &'static str = "admin/orders/new";
}

/// What the form begins with.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftForm {
    pub number: String,
    pub version: i64,
    pub lines: Vec<DraftLine>,
    pub user_id: Option<Uuid>,
    pub email: String,
    pub phone: String,
    pub address: Address,
    pub shipping_method: String,
    pub promo_code: String,
    pub message: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DraftLine {
    pub sku: String,
    pub title: String,
    pub variant: String,
    pub quantity: i64,
    /// As promised, minor units.
    pub unit_price: i64,
    /// What it costs in the shop at this moment.
    pub price: i64,
}

/// `GET /admin/orders/new`
pub async fn new_order(State(cx): State<Context>, asked: Asked) -> Result<Page, Error> {
    Page::new(asked.path, &NewOrderPage::of(&cx, None), admin_meta("New order"))
}
