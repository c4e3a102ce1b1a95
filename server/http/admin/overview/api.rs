//! What the overview shows, anew.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;

use super::pages;
use super::pages::OverviewPage;
use crate::base::context::Context;
use crate::base::error::Error;
use crate::domain::analytics::service::Freshness;
use crate::platform::audit::model::Actor;
use crate::platform::web::extract::Asked;

/// `GET /api/admin/overview`
#[utoipa::path(get, path = "/api/admin/overview",
    params(("days" = Option<i64>, Query, description = "Of the last 1, 7, 30 or 90 days: 7 unless said")), responses(
    (status = 200, description = "What the page shows, as things stand now", body = OverviewPage),
    (status = 401, description = "Not signed in", body = crate::base::error::Problem),
    (status = 403, description = "Not staff", body = crate::base::error::Problem),
))]
pub async fn overview(
    State(cx): State<Context>,
    State(last): State<Arc<Freshness>>,
    actor: Actor,
    asked: Asked,
) -> Result<Json<OverviewPage>, Error> {
    Ok(Json(pages::read(&cx, &last, &actor, pages::days(&asked)).await?))
}
