//! One order's page, and what is printed of it.

use axum::extract::State;
use serde::Serialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::{Asked, Number};
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;

use super::view::{AdminOrder, read};
use crate::admin::admin_meta;

#[derive(Debug, Serialize, ToSchema)]
pub struct AdminOrderPage {
    pub order: AdminOrder,
}

impl PageProps for AdminOrderPage {
    const NAME: &'static str = "admin/orders/order";
}

/// What goes with a parcel: goods without prices.
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
    let order = find(&cx, &actor, &number, &asked).await?;
    let meta = admin_meta(format!("Order {}", order.number));
    Page::new(asked.path, &AdminOrderPage { order }, meta)
}

/// `GET /admin/orders/{number}/packing-slip`
pub async fn packing_slip(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    asked: Asked,
) -> Result<Page, Error> {
    let order = find(&cx, &actor, &number, &asked).await?;
    let meta = admin_meta(format!("Packing slip {}", order.number));
    Page::new(asked.path, &PackingSlipPage { order }, meta)
}

/// `GET /admin/orders/{number}/invoice`
pub async fn invoice(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    asked: Asked,
) -> Result<Page, Error> {
    let order = find(&cx, &actor, &number, &asked).await?;
    let meta = admin_meta(format!("Invoice {}", order.number));
    Page::new(asked.path, &InvoicePage { order }, meta)
}

async fn find(cx: &Context, actor: &Actor, number: &str, asked: &Asked) -> Result<AdminOrder, Error> {
    let mut reader = cx.db.read().await?;
    read(cx, &mut reader.conn(), actor, number).await?.ok_or_else(|| asked.refused())
}
