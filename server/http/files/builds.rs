//! Lets browsers detect that a newer build is being served.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use shop_base::error::Error;
use shop_platform::web::extract::FileName;
use shop_platform::web::site::{PageFiles, Site, StartedAt};
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct LatestBuild {
    pub id: String,
    /// When this process started serving it, UTC milliseconds.
    pub timestamp: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BuildMeta {
    pub id: String,
    pub timestamp: i64,
    #[schema(inline)]
    pub pages: BTreeMap<String, PageFiles>,
}

const NO_STORE: (header::HeaderName, HeaderValue) = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));

/// `GET /builds/latest.json`
pub async fn latest(State(site): State<Arc<Site>>, State(started_at): State<StartedAt>) -> impl IntoResponse {
    let id = site.manifest.build.clone();
    ([NO_STORE], Json(LatestBuild { id, timestamp: started_at.0 }))
}

/// `GET /builds/meta/{id}.json`
pub async fn meta(
    State(site): State<Arc<Site>>,
    State(started_at): State<StartedAt>,
    FileName(file): FileName,
) -> Result<Response, Error> {
    if file.strip_suffix(".json") != Some(&site.manifest.build) {
        return Err(Error::NotFound);
    }
    let meta =
        BuildMeta { id: site.manifest.build.clone(), timestamp: started_at.0, pages: site.manifest.pages.clone() };
    Ok(([NO_STORE], Json(meta)).into_response())
}
