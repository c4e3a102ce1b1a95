//! Calls of the company settings.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::audit::model::Actor;
use shop_platform::settings::company;
use shop_platform::settings::company::CompanyOverrides;
use shop_platform::web::extract::Json;
use utoipa::ToSchema;

#[derive(Debug, Deserialize, ToSchema)]
pub struct CompanyChange {
    /// The version that the caller saw.
    pub version: i64,
    /// An empty text keeps the environment's value.
    pub texts: CompanyOverrides,
}

/// `PUT /api/admin/settings/company`
#[utoipa::path(put, path = "/api/admin/settings/company", request_body = CompanyChange, responses(
    (status = 204, description = "Saved"),
    (status = 409, description = "Changed by someone else in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn change(
    State(cx): State<Context>,
    actor: Actor,
    Json(change): Json<CompanyChange>,
) -> Result<StatusCode, Error> {
    company::change_company(&cx, &actor, change.version, &change.texts).await?;
    Ok(StatusCode::NO_CONTENT)
}
