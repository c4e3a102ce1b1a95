//! The bundle's files. Their names contain a hash of their contents, so browsers cache them forever.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::builds::service::OtherBuilds;
use shop_platform::web::extract::FileName;
use shop_platform::web::site::{File, Site};

use crate::layers::compression::{Accepted, Encoding};

const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// `GET /assets/{file}`
pub async fn asset(
    State(site): State<Arc<Site>>,
    State(others): State<Arc<OtherBuilds>>,
    State(cx): State<Context>,
    FileName(file): FileName,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let path = format!("assets/{file}");
    let found = match site.file(&path) {
        Some(found) => found,
        None => others.file(&cx, &path).await?.ok_or(Error::NotFound)?,
    };
    let mut response = send(&file, found, &headers);
    response.headers_mut().insert(header::CACHE_CONTROL, FOREVER);
    Ok(response)
}

/// A file in the encoding that the client prefers; the end of its name says what it is.
pub fn send(name: &str, file: File, request: &HeaderMap) -> Response {
    let File { plain, brotli, gzip } = file;
    let encoded = match Accepted::of(request).best(&[Encoding::Brotli, Encoding::Gzip]) {
        Some(Encoding::Brotli) => brotli.map(|bytes| (bytes, "br")).or(gzip.map(|bytes| (bytes, "gzip"))),
        Some(_) => gzip.map(|bytes| (bytes, "gzip")),
        None => None,
    };
    let mut response = match encoded {
        Some((bytes, name)) => ([(header::CONTENT_ENCODING, HeaderValue::from_static(name))], bytes).into_response(),
        None => plain.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, content_type(name));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
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
