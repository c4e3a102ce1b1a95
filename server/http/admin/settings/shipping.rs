//! `/admin/settings/shipping`: methods, zones and prices as one table.

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::shipping::model::ShippingTable;
use shop_domain::shipping::service;
use shop_platform::audit::model::Actor;
use shop_platform::settings::parts::{Part, version};
use shop_platform::web::extract::Json;
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
    // The version first: a table that is newer than it leads to a conflict, never to a lost change.
    let version = version(&mut conn, Part::Shipping).await?;
    let table = service::table(&mut conn).await?;
    drop(reader);
    let props = ShippingSettingsPage { version, table };
    Page::new("/admin/settings/shipping", &props, admin_meta("Shipping"))
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct ShippingChange {
    /// That the caller saw.
    pub version: i64,
    pub table: ShippingTable,
}

/// `PUT /api/admin/settings/shipping`
#[utoipa::path(put, path = "/api/admin/settings/shipping", request_body = ShippingChange, responses(
    (status = 204, description = "The new rates are saved"),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "The table has gaps; fields are named by their place in `table`", body = shop_base::error::Problem),
))]
pub async fn replace(
    State(cx): State<Context>,
    actor: Actor,
    Json(change): Json<ShippingChange>,
) -> Result<StatusCode, Error> {
    service::replace_table(&cx, &actor, change.version, &change.table).await?;
    Ok(StatusCode::NO_CONTENT)
}
