//! `/admin/settings/company`: what the shop says of itself.

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::audit::model::Actor;
use shop_platform::settings::company;
use shop_platform::settings::company::{CompanyOverrides, CompanyTexts};
use shop_platform::web::extract::Json;
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;

use crate::admin::admin_meta;

#[derive(Debug, Serialize, ToSchema)]
pub struct CompanySettingsPage {
    pub version: i64,
    pub texts: CompanyOverrides,
    /// What the environment says where a text is empty.
    pub defaults: CompanyTexts,
    /// What only the environment sets: state, county and time zone.
    pub place: String,
}

impl PageProps for CompanySettingsPage {
    const NAME: &'static str = "admin/settings/company";
}

/// `GET /admin/settings/company`
pub async fn page(State(cx): State<Context>) -> Result<Page, Error> {
    let mut reader = cx.db.read().await?;
    let (texts, version) = company::find_company(&mut reader.conn()).await?;
    drop(reader);
    let company = &cx.config.company;
    let zone = company.time_zone.iana_name().unwrap_or("UTC");
    let props = CompanySettingsPage {
        version,
        texts,
        defaults: CompanyTexts::new(company, &CompanyOverrides::default()),
        place: format!("{}, {} County, {zone}", company.state, company.county),
    };
    Page::new("/admin/settings/company", &props, admin_meta("Company"))
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct CompanyChange {
    /// That the caller saw.
    pub version: i64,
    /// An empty text is the environment's.
    pub texts: CompanyOverrides,
}

/// `PUT /api/admin/settings/company`
#[utoipa::path(put, path = "/api/admin/settings/company", request_body = CompanyChange, responses(
    (status = 204, description = "Saved"),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
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
