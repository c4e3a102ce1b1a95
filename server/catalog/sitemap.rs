//! The sitemap: every address that a search engine should know, with the day it last changed.

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;

use crate::app::App;
use crate::clock;

const XML: HeaderValue = HeaderValue::from_static("application/xml; charset=utf-8");

/// `GET /sitemap.xml`
pub async fn sitemap(State(app): State<App>) -> impl IntoResponse {
    let origin = app.config.http.origin();
    let listing = app.parts.catalog.listing();
    let day = |ms: i64| clock::timestamp(ms).strftime("%Y-%m-%d").to_string();
    let newest = listing.listed().map(|listed| listed.updated_at).max().unwrap_or(app.parts.started_at);
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    // Handles and slugs are lower-case words and hyphens: nothing to escape but the configured origin's own characters.
    let origin = origin.replace('&', "&amp;");
    let mut add = |path: &str, lastmod: &str| {
        out.push_str(&format!("<url><loc>{origin}{path}</loc><lastmod>{lastmod}</lastmod></url>\n"));
    };
    add("/", &day(newest));
    add("/products", &day(newest));
    for category in listing.categories() {
        add(&category.href(), &day(category.updated_at));
    }
    for listed in listing.listed() {
        add(&listed.path, &day(listed.updated_at));
    }
    let today = clock::today(app.clock.as_ref(), &app.config.company.time_zone);
    for document in app.texts().legal.on(today) {
        add(&document.href(), &document.updated);
    }
    out.push_str("</urlset>\n");
    ([(header::CONTENT_TYPE, XML)], out)
}
