//! Pages that lead on.

use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use shop_base::html::Escaped;

/// A page that leads on by itself, or by its link. Browsers apply `form-action` to every redirect after a form, and the provider may have its
/// pages at another origin than that of its issuer.
pub fn page_to(url: &str, title: &str, link: &str) -> Response {
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><meta http-equiv=\"refresh\" content=\"0; url={url}\"></head>\
         <body><p><a href=\"{url}\">{link}</a></p></body></html>",
        url = Escaped(url)
    );
    let no_store = HeaderValue::from_static("no-store");
    ([(header::CACHE_CONTROL, no_store)], Html(html)).into_response()
}
