//! The bundle's files. Their names contain a hash of their contents, so browsers cache them forever.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shop_base::error::Error;
use shop_platform::settings::texts::Texts;
use shop_platform::web::extract::FileName;
use shop_platform::web::site::{File, Site};

use crate::layers::compression::{Accepted, Encoding};

const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// `GET /assets/{file}`
pub async fn asset(
    State(site): State<Arc<Site>>,
    FileName(file): FileName,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let Some(found) = site.file(&format!("assets/{file}")) else {
        return Err(Error::NotFound);
    };
    let mut response = send(&file, found, &headers);
    response.headers_mut().insert(header::CACHE_CONTROL, FOREVER);
    Ok(response)
}

/// A file in the encoding that the client prefers; the end of its name says what it is.
pub fn send(name: &str, file: File, request: &HeaderMap) -> Response {
    let File { plain, brotli, gzip } = file;
    let encoded = match Accepted::of(request).best(&[Encoding::Brotli, Encoding::Gzip]) {
        Some(Encoding::Brotli) => brotli.or(gzip).map(|bytes| (bytes, if brotli.is_some() { "br" } else { "gzip" })),
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

/// `GET /icon.svg` and `/favicon.ico`, which browsers request by themselves: the shop's initials.
pub async fn icon(State(texts): State<Arc<Texts>>) -> impl IntoResponse {
    let svg = icon_of(&texts.company.name);
    ([(header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml")), (header::CACHE_CONTROL, A_DAY)], svg)
}

/// `GET /apple-touch-icon.png` and `/apple-touch-icon-precomposed.png`, which phones request by themselves: nobody sees a page about that
/// there is none, so none is rendered.
pub async fn no_icon() -> impl IntoResponse {
    (StatusCode::NOT_FOUND, [(header::CACHE_CONTROL, A_DAY)])
}

fn icon_of(name: &str) -> String {
    let initials: String = name
        .split_whitespace()
        .filter_map(|word| word.chars().next().filter(|first| first.is_alphanumeric()))
        .flat_map(char::to_uppercase)
        .take(2)
        .collect();
    let size = if initials.chars().count() > 1 { 32 } else { 42 };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 64 64\">\
         <rect width=\"64\" height=\"64\" rx=\"14\" fill=\"#3b2619\"/>\
         <text x=\"32\" y=\"33\" fill=\"#f0bd7a\" font-family=\"Georgia, 'Times New Roman', serif\" font-size=\"{size}\" \
         text-anchor=\"middle\" dominant-baseline=\"central\">{initials}</text></svg>"
    )
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

#[cfg(test)]
mod tests {
    use super::icon_of;

    #[test]
    fn the_icon_has_the_shops_initials() {
        for (name, initials) in
            [("Cardinal & Briar", "CB"), ("Humidor", "H"), ("the old pipe shop", "TO"), ("<b> Élan", "É"), ("&", "")]
        {
            assert!(icon_of(name).contains(&format!(">{initials}</text>")), "{name}");
        }
    }
}
