//! The bundle's files. Their names carry a hash of their contents, so browsers keep them for ever.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};

use super::compression::Encoding;
use super::extract::{Asked, FileName};
use super::site::File;
use crate::app::App;
use crate::error::Error;

const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");
const ICON: &str = include_str!("../../app/static/icon.svg");

/// `GET /assets/{file}`
pub async fn asset(
    State(app): State<App>,
    FileName(file): FileName,
    headers: HeaderMap,
    asked: Asked,
) -> Result<Response, Error> {
    let site = app.site();
    let Some(found) = site.file(&format!("assets/{file}")) else { return Err(Error::NoRoute { path: asked.path }) };
    let File { plain, brotli, gzip } = found;
    let encoded = match Encoding::accepted(&headers) {
        Some(Encoding::Brotli) => brotli.or(gzip).map(|bytes| (bytes, if brotli.is_some() { "br" } else { "gzip" })),
        Some(Encoding::Gzip) => gzip.map(|bytes| (bytes, "gzip")),
        None => None,
    };
    let mut response = match encoded {
        Some((bytes, name)) => ([(header::CONTENT_ENCODING, HeaderValue::from_static(name))], bytes).into_response(),
        None => plain.into_owned().into_response(),
    };
    let out = response.headers_mut();
    out.insert(header::CONTENT_TYPE, content_type(&file));
    out.insert(header::CACHE_CONTROL, FOREVER);
    out.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    Ok(response)
}

/// `GET /icon.svg` and `/favicon.ico`, which browsers ask for unasked.
pub async fn icon() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml")), (header::CACHE_CONTROL, A_DAY)], ICON)
}

fn content_type(file: &str) -> HeaderValue {
    HeaderValue::from_static(match file.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("woff2") => "font/woff2",
        Some("svg") => "image/svg+xml",
        Some("json" | "map") => "application/json",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    })
}
