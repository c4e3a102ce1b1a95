//! Receives the browsers' activity reports.

use std::num::NonZeroU32;
use std::sync::Arc;

use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::{Extension, Json as JsonBody};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::activity::model::{ActivityReport, Reporter};
use shop_domain::activity::queue::ActivityQueue;
use shop_domain::activity::service;
use shop_domain::activity::service::Intake;
use shop_domain::catalog::service::Catalog;
use shop_platform::web::client_address::ClientAddress;
use shop_platform::web::extract::Json;
use shop_platform::web::known_pages::KnownPages;
use shop_platform::web::limit::NetworkLimiter;
use utoipa::ToSchema;

use crate::identity::extract::Visitor;

/// State of the call that receives reports.
#[derive(Debug)]
pub struct ActivityReceiver {
    pub queue: ActivityQueue,
    /// Limits the events of each network.
    pub limiter: NetworkLimiter,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ActivityTaken {
    /// Number of events that will be stored; none for visitors who opt out of tracking, or in the admin area.
    pub accepted: usize,
}

/// `POST /api/me/activity`
///
/// Accepts JSON, as its own content type or as `text/plain`: a beacon cannot set headers, and can send plain text to another origin without
/// a preflight request.
#[utoipa::path(post, path = "/api/me/activity", request_body = ActivityReport, responses(
    (status = 202, description = "Taken, not yet stored", body = ActivityTaken),
    (status = 400, description = "Not JSON, or sent by another site", body = shop_base::error::Problem),
    (status = 415, description = "Neither JSON nor plain text", body = shop_base::error::Problem),
    (status = 422, description = "Fields are malformed; nothing is kept of the report", body = shop_base::error::Problem),
    (status = 429, description = "Too many events from this network", body = shop_base::error::Problem),
))]
pub async fn record(
    State(cx): State<Context>,
    State(receiver): State<Arc<ActivityReceiver>>,
    State(catalog): State<Arc<Catalog>>,
    Extension(pages): Extension<KnownPages>,
    who: Visitor,
    address: ClientAddress,
    mut request: Request,
) -> Result<(StatusCode, JsonBody<ActivityTaken>), Error> {
    if objects(request.headers()) {
        return Ok((StatusCode::ACCEPTED, JsonBody(ActivityTaken { accepted: 0 })));
    }
    receiver.limiter.check(address.0)?;
    if has(request.headers(), "sec-fetch-site", "cross-site") {
        return Err(Error::BadRequest { detail: "Report from the shop’s own pages.".to_owned() });
    }
    read_plain_text_as_json(request.headers_mut());
    let Json(body): Json<Map<String, Value>> = Json::from_request(request, &()).await?;
    let user_id = who.user.map(|session| session.user_id);
    let reporter = Reporter { user_id, network: address.network() };
    let report = report(body)?;
    // The call itself counted as the first event.
    let more = u32::try_from(report.count().saturating_sub(1)).ok().and_then(NonZeroU32::new);
    more.map_or(Ok(()), |count| receiver.limiter.check_many(address.0, count))?;
    let listing = catalog.listing();
    let intake = Intake { clock: cx.clock.as_ref(), queue: &receiver.queue, listing: &listing, pages };
    let accepted = service::record(&intake, &reporter, report).await?;
    Ok((StatusCode::ACCEPTED, JsonBody(ActivityTaken { accepted })))
}

/// Whether the visitor's browser asks not to be tracked.
fn objects(headers: &HeaderMap) -> bool {
    has(headers, "dnt", "1") || has(headers, "sec-gpc", "1")
}

fn has(headers: &HeaderMap, name: &str, value: &str) -> bool {
    headers.get(name).is_some_and(|given| given == value)
}

fn read_plain_text_as_json(headers: &mut HeaderMap) {
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if given.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("text/plain") {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
}

fn report(mut body: Map<String, Value>) -> Result<ActivityReport, Error> {
    Ok(match body.remove("events") {
        Some(events) => ActivityReport::Batch { events: typed("events", events)? },
        None => ActivityReport::One(typed("", Value::Object(body))?),
    })
}

/// Deserializes a value; the error names the field.
fn typed<T: DeserializeOwned>(root: &str, value: Value) -> Result<T, Error> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let field = if path == "." && !root.is_empty() { root.to_owned() } else { format!("{root}{path}") };
        Error::invalid(&field, &error.inner().to_string())
    })
}
