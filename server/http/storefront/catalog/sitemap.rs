//! The sitemap: every address that a search engine should know, with the day it last changed.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;
use shop_base::clock;
use shop_base::context::Context;
use shop_domain::catalog::service::Catalog;
use shop_platform::settings::texts::Texts;
use shop_platform::web::site::StartedAt;

const XML: HeaderValue = HeaderValue::from_static("application/xml; charset=utf-8");

/// `GET /sitemap.xml`
pub async fn sitemap(
    State(cx): State<Context>,
    State(catalog): State<Arc<Catalog>>,
    State(texts): State<Arc<Texts>>,
    State(StartedAt(started_at)): State<StartedAt>,
) -> impl IntoResponse {
    let origin = cx.config.http.origin();
    let listing = catalog.listing();
    let day = |ms: i64| clock::timestamp(ms).strftime("%Y-%m-%d").to_string();
    let newest = listing.listed().map(|listed| listed.updated_at).max().unwrap_or(started_at);
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    // Handles and slugs are lower-case words and hyphens, so only the configured origin needs escaping.
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
    let today = clock::today(cx.clock.as_ref(), &cx.config.company.time_zone);
    for document in texts.legal.on(today) {
        add(&document.href(), &document.updated);
    }
    out.push_str("</urlset>\n");
    ([(header::CONTENT_TYPE, XML)], out)
}
