//! Current data for the overview page.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::analytics::service::Freshness;
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::Asked;

use super::pages;
use super::pages::{DEFAULT, OverviewPage, PERIODS};

/// `GET /api/admin/overview`
#[utoipa::path(get, path = "/api/admin/overview",
    params(("days" = Option<i64>, Query, minimum = 1, maximum = 90, description = "Of the last 1, 7, 30 or 90 days: 7 unless said")), responses(
    (status = 200, description = "What the page shows, as things stand now", body = OverviewPage),
    (status = 422, description = "Another number of days", body = shop_base::error::Problem),
))]
pub async fn overview(
    State(cx): State<Context>,
    State(last): State<Arc<Freshness>>,
    actor: Actor,
    asked: Asked,
) -> Result<Json<OverviewPage>, Error> {
    let days = asked.value("days")?.unwrap_or(DEFAULT);
    if !PERIODS.contains(&days) {
        return Err(Error::invalid("days", "Choose 1, 7, 30, or 90 days."));
    }
    Ok(Json(pages::read(&cx, &last, &actor, days).await?))
}
