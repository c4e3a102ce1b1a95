//! `robots.txt`: what crawlers may read.

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;
use shop_base::context::Context;

const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// `GET /robots.txt`. Pages that are not to be indexed, such as the cart, say so themselves: a crawler must read them for that.
pub async fn robots(State(cx): State<Context>) -> impl IntoResponse {
    let origin = cx.config.http.origin();
    let rules = format!(
        "User-agent: *\nDisallow: /api/\nDisallow: /admin/\nDisallow: /auth/\nDisallow: /*/_payload.json\n\
         Disallow: /_payload.json\n\nSitemap: {origin}/sitemap.xml\n"
    );
    ([(header::CONTENT_TYPE, TEXT)], rules)
}
