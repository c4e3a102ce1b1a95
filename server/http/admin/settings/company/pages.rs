//! The page of the company settings.

use axum::extract::State;
use serde::Serialize;
use shop_base::context::Context;
use shop_base::counties;
use shop_base::error::Error;
use shop_platform::settings::company;
use shop_platform::settings::company::{CompanyOverrides, CompanyTexts};
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;

use crate::admin::admin_meta;

#[derive(Debug, Serialize, ToSchema)]
pub struct CompanySettingsPage {
    pub version: i64,
    pub texts: CompanyOverrides,
    /// The environment's values, used where a text is empty.
    pub defaults: CompanyTexts,
    /// Set only by the environment: state, county and time zone.
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
    let county = counties::shown(&company.state, &company.county);
    let zone = company.time_zone.iana_name().unwrap_or("UTC");
    let props = CompanySettingsPage {
        version,
        texts,
        defaults: CompanyTexts::new(company, &CompanyOverrides::default()),
        place: format!("{}, {county}, {zone}", company.state),
    };
    Page::new("/admin/settings/company", &props, admin_meta("Company"))
}
