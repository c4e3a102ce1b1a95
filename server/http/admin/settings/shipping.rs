//! `/admin/settings/shipping`: methods, zones and prices as one table.

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::base::context::Context;
use crate::base::error::Error;
use crate::domain::shipping::model::ShippingTable;
use crate::domain::shipping::service;
use crate::http::admin::admin_meta;
use crate::platform::audit::model::Actor;
use crate::platform::settings::parts::{Part, version};
use crate::platform::web::extract::Json;
use crate::platform::web::page::{Page, PageProps};

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
    (status = 401, description = "Not signed in", body = crate::base::error::Problem),
    (status = 403, description = "Not an admin", body = crate::base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime", body = crate::base::error::Problem),
    (status = 422, description = "The table has gaps; fields are named by their place in `table`", body = crate::base::error::Problem),
))]
pub async fn replace(
    State(cx): State<Context>,
    actor: Actor,
    Json(change): Json<ShippingChange>,
) -> Result<StatusCode, Error> {
    service::replace_table(&cx, &actor, change.version, &change.table).await?;
    Ok(StatusCode::NO_CONTENT)
}
