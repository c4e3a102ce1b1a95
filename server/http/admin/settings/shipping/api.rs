//! Calls of the shipping settings.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::shipping::model::ShippingTable;
use shop_domain::shipping::service;
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::Json;
use utoipa::ToSchema;

#[derive(Debug, Deserialize, ToSchema)]
pub struct ShippingChange {
    /// The version that the caller saw.
    pub version: i64,
    pub table: ShippingTable,
}

/// `PUT /api/admin/settings/shipping`
#[utoipa::path(put, path = "/api/admin/settings/shipping", request_body = ShippingChange, responses(
    (status = 204, description = "The new rates are saved"),
    (status = 409, description = "Changed by someone else in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "The table has gaps; fields are named by their place in `table`", body = shop_base::error::Problem),
))]
pub async fn replace(
    State(cx): State<Context>,
    actor: Actor,
    Json(change): Json<ShippingChange>,
) -> Result<StatusCode, Error> {
    service::replace_table(&cx, &actor, change.version, change.table).await?;
    Ok(StatusCode::NO_CONTENT)
}
