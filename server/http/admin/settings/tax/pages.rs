//! The page of the tax settings.

use axum::extract::State;
use serde::Serialize;
use shop_base::context::Context;
use shop_base::counties;
use shop_base::error::Error;
use shop_base::validity::Phase;
use shop_domain::tax::editing;
use shop_domain::tax::model::RateEntry;
use shop_platform::settings::parts::{Part, version};
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::admin::admin_meta;

#[derive(Debug, Serialize, ToSchema)]
pub struct TaxSettingsPage {
    pub version: i64,
    /// In the shop's time zone, `YYYY-MM-DD`.
    pub today: String,
    /// Where sales within the shop's own state are taxed, whatever their destination in it.
    pub home_state: String,
    /// Such as `Franklin County`.
    pub home_county: String,
    /// By place, the newest first.
    pub rates: Vec<TaxRateView>,
    /// States with known counties.
    pub counties: Vec<CountyCount>,
}

impl PageProps for TaxSettingsPage {
    const NAME: &'static str = "admin/settings/tax";
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TaxRateView {
    pub id: Uuid,
    pub state: String,
    /// Such as `Franklin County`; empty if it applies to the whole state.
    pub county: String,
    /// Parts per million.
    pub rate: i64,
    pub taxes_shipping: bool,
    pub valid_from: String,
    pub valid_until: Option<String>,
    pub source: String,
    pub phase: Phase,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CountyCount {
    pub state: String,
    pub zip_codes: i64,
}

/// `GET /admin/settings/tax`
pub async fn page(State(cx): State<Context>) -> Result<Page, Error> {
    let company = &cx.config.company;
    let today = cx.today();
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let version = version(&mut conn, Part::Tax).await?;
    let rates = editing::list_entries(&mut conn).await?;
    let counties = editing::count_counties(&mut conn).await?;
    drop(reader);
    let county = |entry: &RateEntry| match entry.county.as_str() {
        "" => String::new(),
        county => counties::shown(&entry.state, county),
    };
    let view = |entry: RateEntry| TaxRateView {
        id: entry.id,
        phase: entry.span.phase(today),
        valid_from: entry.span.from.to_string(),
        valid_until: entry.span.until.map(|day| day.to_string()),
        county: county(&entry),
        state: entry.state,
        rate: entry.ppm,
        taxes_shipping: entry.taxes_shipping,
        source: entry.source,
    };
    let props = TaxSettingsPage {
        version,
        today: today.to_string(),
        home_state: company.state.clone(),
        home_county: counties::shown(&company.state, &company.county),
        rates: rates.into_iter().map(view).collect(),
        counties: counties.into_iter().map(|(state, zip_codes)| CountyCount { state, zip_codes }).collect(),
    };
    Page::new("/admin/settings/tax", &props, admin_meta("Tax"))
}
