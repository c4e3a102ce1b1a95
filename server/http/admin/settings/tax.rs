//! `/admin/settings/tax`: rates with their dates and sources, and which county a ZIP code is in.

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use shop_base::clock;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::validity::{EndInput, Phase, WithdrawInput};
use shop_domain::tax::editing;
use shop_domain::tax::model::{CountiesInput, CountiesReport, RateInput};
use shop_platform::audit::model::Actor;
use shop_platform::settings::parts::{Part, version};
use shop_platform::web::extract::{Id, Json};
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::admin::admin_meta;

#[derive(Debug, Serialize, ToSchema)]
pub struct TaxSettingsPage {
    pub version: i64,
    /// In the shop's time zone, `YYYY-MM-DD`.
    pub today: String,
    /// Where the shop's own sales are taxed, whatever their destination in the state.
    pub home_state: String,
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
    /// Empty for the whole state.
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
    let today = clock::today(cx.clock.as_ref(), &company.time_zone);
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let version = version(&mut conn, Part::Tax).await?;
    let rates = editing::list_entries(&mut conn).await?;
    let counties = editing::count_counties(&mut conn).await?;
    drop(reader);
    let view = |entry: shop_domain::tax::model::RateEntry| TaxRateView {
        id: entry.id,
        phase: entry.span.phase(today),
        valid_from: entry.span.from.to_string(),
        valid_until: entry.span.until.map(|day| day.to_string()),
        state: entry.state,
        county: entry.county,
        rate: entry.ppm,
        taxes_shipping: entry.taxes_shipping,
        source: entry.source,
    };
    let props = TaxSettingsPage {
        version,
        today: today.to_string(),
        home_state: company.state.clone(),
        home_county: company.county.clone(),
        rates: rates.into_iter().map(view).collect(),
        counties: counties.into_iter().map(|(state, zip_codes)| CountyCount { state, zip_codes }).collect(),
    };
    Page::new("/admin/settings/tax", &props, admin_meta("Tax"))
}

/// `POST /api/admin/settings/tax/rates`
#[utoipa::path(post, path = "/api/admin/settings/tax/rates", request_body = RateInput, responses(
    (status = 204, description = "Added; what held on its first day ends there"),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn add_rate(
    State(cx): State<Context>,
    actor: Actor,
    Json(input): Json<RateInput>,
) -> Result<StatusCode, Error> {
    editing::add(&cx, &actor, &input).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/settings/tax/rates/{id}/end`
#[utoipa::path(post, path = "/api/admin/settings/tax/rates/{id}/end", request_body = EndInput,
    params(("id" = Uuid, Path)), responses(
    (status = 204, description = "Ended"),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
    (status = 404, description = "No such rate", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "It does not hold on the day before", body = shop_base::error::Problem),
))]
pub async fn end_rate(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    Json(input): Json<EndInput>,
) -> Result<StatusCode, Error> {
    editing::end(&cx, &actor, id, &input).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/settings/tax/rates/{id}/withdraw`
#[utoipa::path(post, path = "/api/admin/settings/tax/rates/{id}/withdraw", request_body = WithdrawInput,
    params(("id" = Uuid, Path)), responses(
    (status = 204, description = "Taken back; the rate before it holds on"),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
    (status = 404, description = "No such rate", body = shop_base::error::Problem),
    (status = 409, description = "It has begun, or someone else changed it in the meantime", body = shop_base::error::Problem),
))]
pub async fn withdraw_rate(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    Json(input): Json<WithdrawInput>,
) -> Result<StatusCode, Error> {
    editing::withdraw(&cx, &actor, id, &input).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/settings/tax/counties`
#[utoipa::path(post, path = "/api/admin/settings/tax/counties", request_body = CountiesInput, responses(
    (status = 200, description = "What the file changes, or would change", body = CountiesReport),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime", body = shop_base::error::Problem),
    (status = 413, description = "The file is too large: send one state at a time", body = shop_base::error::Problem),
))]
pub async fn import_counties(
    State(cx): State<Context>,
    actor: Actor,
    Json(input): Json<CountiesInput>,
) -> Result<JsonBody<CountiesReport>, Error> {
    editing::import_counties(&cx, &actor, &input).await.map(JsonBody)
}
