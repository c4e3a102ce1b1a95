//! The sitemap: every address that a search engine should know, with the day it last changed.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;
use shop_base::clock;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::catalog::service::Catalog;
use shop_platform::settings::texts::Texts;
use shop_platform::web::extract::Asked;
use shop_platform::web::site::StartedAt;

const XML: HeaderValue = HeaderValue::from_static("application/xml; charset=utf-8");

/// Search engines refuse a file with more addresses.
const MOST: usize = 50_000;

/// `GET /sitemap.xml`: the file of all addresses, or the index of its parts, which are at `?part={number}`.
pub async fn sitemap(
    State(cx): State<Context>,
    State(catalog): State<Arc<Catalog>>,
    State(texts): State<Arc<Texts>>,
    State(StartedAt(started_at)): State<StartedAt>,
    asked: Asked,
) -> Result<impl IntoResponse, Error> {
    let listing = catalog.listing();
    let day = |ms: i64| clock::timestamp(ms).strftime("%Y-%m-%d").to_string();
    let newest = listing.listed().map(|listed| listed.updated_at).max().unwrap_or(started_at);
    let mut addresses = Vec::from(["/", "/products"].map(|path| (path.to_owned(), day(newest))));
    addresses.extend(listing.categories().iter().map(|category| (category.href(), day(category.updated_at))));
    addresses.extend(listing.listed().map(|listed| (listed.path.clone(), day(listed.updated_at))));
    let today = clock::today(cx.clock.as_ref(), &cx.config.company.time_zone);
    addresses.extend(texts.legal.on(today).map(|document| (document.href(), document.updated.clone())));
    // Handles and slugs are lower-case words and hyphens, so only the configured origin needs escaping.
    let origin = cx.config.http.origin().replace('&', "&amp;");
    let part = asked.parameter("part");
    let file = file(&origin, &addresses, MOST, part.as_deref()).ok_or_else(|| asked.refused())?;
    Ok(([(header::CONTENT_TYPE, XML)], file))
}

/// With at most so many addresses, each with the day of its last change. None if there is no such part.
fn file(origin: &str, addresses: &[(String, String)], most: usize, part: Option<&str>) -> Option<String> {
    let mut parts = addresses.chunks(most);
    let listed = match part {
        Some(number) => parts.nth(number.parse::<usize>().ok()?.checked_sub(1)?)?,
        None if addresses.len() <= most => addresses,
        None => {
            let entry = |number| format!("<sitemap><loc>{origin}/sitemap.xml?part={number}</loc></sitemap>\n");
            return Some(document("sitemapindex", (1..=parts.len()).map(entry)));
        }
    };
    let entry = |(path, lastmod): &(String, String)| {
        format!("<url><loc>{origin}{path}</loc><lastmod>{lastmod}</lastmod></url>\n")
    };
    Some(document("urlset", listed.iter().map(entry)))
}

fn document(root: &str, entries: impl Iterator<Item = String>) -> String {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{root} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
    );
    out.extend(entries);
    out.push_str(&format!("</{root}>\n"));
    out
}

#[cfg(test)]
mod tests {
    use super::file;

    #[test]
    fn too_many_addresses_are_in_parts_of_an_index() {
        let addresses = ["/", "/a", "/b"].map(|path| (path.to_owned(), "2026-01-31".to_owned()));
        let file = |most, part| file("https://shop.example", &addresses, most, part);
        let listed = |text: Option<String>| text.unwrap_or_default().matches("<url>").count();
        assert_eq!((listed(file(3, None)), listed(file(2, Some("1"))), listed(file(2, Some("2")))), (3, 2, 1));
        let index = file(2, None).unwrap_or_default();
        assert!(
            index.contains("<sitemap><loc>https://shop.example/sitemap.xml?part=2</loc></sitemap>\n</sitemapindex>")
        );
        assert_eq!((listed(Some(index.clone())), index.matches("<sitemap>").count()), (0, 2));
        for part in ["0", "3", "x"] {
            assert_eq!(file(2, Some(part)), None, "{part}");
        }
    }
}
