//! The page of the shipping settings.

use axum::extract::State;
use serde::Serialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::shipping::model::ShippingTable;
use shop_domain::shipping::service;
use shop_platform::settings::parts::{Part, version};
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;

use crate::admin::admin_meta;

#[derive(Debug, Serialize, ToSchema)]
pub struct ShippingSettingsPage {
    pub version: i64,
    pub table: ShippingTable,
}

impl PageProps for ShippingSettingsPage {
    const NAME: &'static str = "admin/settings/shipping";
}

/// `GET /admin/settings/shipping`
pub async fn page(State(cx): State<Context>) -> Result<Page, Error> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    // The version is read first: if the table is newer, saving leads to a conflict instead of a lost update.
    let version = version(&mut conn, Part::Shipping).await?;
    let table = service::table(&mut conn).await?;
    drop(reader);
    let props = ShippingSettingsPage { version, table };
    Page::new("/admin/settings/shipping", &props, admin_meta("Shipping"))
}
