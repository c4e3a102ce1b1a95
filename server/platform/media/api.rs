//! `GET /images/{file}`: a rendition by its name, which clients may cache forever.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::{Media, MediaError};
use crate::web::etag::is_known;

const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Seconds after which a rejected request may be retried.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("2");

/// # Errors
/// 404 for anything that is not the name of a rendition of a known picture; 503 while too many are being made or the store is away.
pub async fn image(
    State(media): State<Arc<Media>>,
    file: Result<Path<String>, PathRejection>,
    request: HeaderMap,
) -> Result<Response, MediaError> {
    let Path(file) = file.map_err(|_| MediaError::NotFound)?;
    let name = file.parse().map_err(|_| MediaError::NotFound)?;
    let rendition = media.rendition(&name).await?;
    let known = is_known(&request, rendition.etag.as_bytes());
    let kept = ([(header::CACHE_CONTROL, FOREVER)], [(header::ETAG, rendition.etag)]);
    if known {
        return Ok((StatusCode::NOT_MODIFIED, kept).into_response());
    }
    Ok((kept, [(header::CONTENT_TYPE, rendition.content_type)], rendition.bytes).into_response())
}

impl MediaError {
    fn status(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Refused(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Busy | Self::Timeout | Self::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Broken { .. } | Self::Crashed { .. } | Self::Damaged | Self::Folder { .. } | Self::Threads(_) => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::Refused(_) => "invalid",
            Self::Busy => "busy",
            Self::Timeout => "timeout",
            Self::Store(_) => "unavailable",
            Self::Broken { .. } | Self::Crashed { .. } | Self::Damaged | Self::Folder { .. } | Self::Threads(_) => {
                "internal"
            }
        }
    }
}

/// Problem details (RFC 9457). Details for the operator go to the log, never to the visitor.
impl IntoResponse for MediaError {
    fn into_response(self) -> Response {
        let status = self.status();
        let title = status.canonical_reason().unwrap_or("Error");
        let detail = match &self {
            // Already logged, once for all requests.
            Self::Store(_) => "pictures cannot be read right now".to_owned(),
            error if status == StatusCode::INTERNAL_SERVER_ERROR => {
                tracing::error!(%error, "a picture could not be served");
                title.to_owned()
            }
            error => error.to_string(),
        };
        let problem = serde_json::json!({
            "type": "about:blank", "title": title, "status": status.as_u16(), "detail": detail, "code": self.code(),
        });
        let content_type = HeaderValue::from_static("application/problem+json");
        let no_store = HeaderValue::from_static("no-store");
        let headers = [(header::CONTENT_TYPE, content_type), (header::CACHE_CONTROL, no_store)];
        let mut response = (status, headers, problem.to_string()).into_response();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
        }
        response
    }
}
