//! The server of `/metrics`.

use std::sync::Arc;

use arc_swap::ArcSwap;
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use prometheus_client::encoding::prometheus_text::CONTENT_TYPE;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::catalog::service::Catalog;
use shop_platform::jobs::state::WorkerState;
use shop_platform::media::Media;
use shop_platform::web::site::{Site, StartedAt};

use super::database::DatabaseFigures;
use super::requests::RequestFigures;
use super::{exposition, node, process};
use crate::connections::Connections;
use crate::page::cache::PageCache;
use crate::page::turns::AllTurns;

/// What the metrics are read from.
pub struct MetricsParts {
    /// With the database connections of staff.
    pub cx: Context,
    pub site: Arc<ArcSwap<Site>>,
    pub pages: PageCache,
    pub turns: Arc<AllTurns>,
    pub catalog: Arc<Catalog>,
    pub media: Arc<Media>,
    pub jobs: Arc<WorkerState>,
    pub requests: Arc<RequestFigures>,
    pub connections: Connections,
    pub started_at: StartedAt,
}

/// Serves nothing else.
pub fn router(parts: MetricsParts) -> Router {
    let state = (Arc::new(parts), Arc::new(DatabaseFigures::default()));
    Router::new().route("/metrics", get(metrics)).with_state(state)
}

/// `GET /metrics`
async fn metrics(State((parts, database)): State<(Arc<MetricsParts>, Arc<DatabaseFigures>)>) -> Response {
    let mut metrics = node::metrics(&parts);
    metrics.extend(process::metrics());
    metrics.extend(process::disk(&parts.cx.config.data.folder));
    metrics.extend(database.metrics(&parts.cx).await);
    match exposition::text(metrics) {
        Ok(text) => ([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response(),
        Err(error) => Error::internal(error).into_problem_response(None),
    }
}
