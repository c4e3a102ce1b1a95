//! The sitemap: every address that a search engine should know, with the day it last changed.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use shop_base::clock;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::catalog::service::Catalog;
use shop_platform::settings::texts::Texts;
use shop_platform::web::extract::Asked;
use shop_platform::web::site::StartedAt;
use uuid::Uuid;

use crate::page::entry::Entry;

const XML: HeaderValue = HeaderValue::from_static("application/xml; charset=utf-8");

/// Search engines refuse a file with more addresses.
const MOST: usize = 50_000;

/// The files as they were last sent, with their compressed forms, by the number of their part; 0 is the one without a number.
#[derive(Debug, Default)]
pub struct Sitemaps(Mutex<BTreeMap<usize, Arc<Entry>>>);

impl Sitemaps {
    /// The former file if it is the same, so that it is not compressed again.
    fn keep(&self, part: usize, file: String) -> Arc<Entry> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = kept.get(&part).filter(|entry| entry.has_body(file.as_bytes())) {
            return Arc::clone(entry);
        }
        let entry = Arc::new(Entry::new(StatusCode::OK, XML, Bytes::from(file)));
        kept.insert(part, Arc::clone(&entry));
        entry
    }
}

/// `GET /sitemap.xml`: the file of all addresses, or the index of its parts, which are at `?part={number}`.
pub async fn sitemap(
    State(cx): State<Context>,
    State(catalog): State<Arc<Catalog>>,
    State(texts): State<Arc<Texts>>,
    State(StartedAt(started_at)): State<StartedAt>,
    State(sitemaps): State<Arc<Sitemaps>>,
    headers: HeaderMap,
    asked: Asked,
) -> Result<Response, Error> {
    let listing = catalog.listing();
    let day = |ms: i64| clock::timestamp(ms).strftime("%Y-%m-%d").to_string();
    // A list changes with its products.
    let mut newest_in: HashMap<Uuid, i64> = HashMap::new();
    for listed in listing.listed() {
        for category in &listed.categories {
            let newest = newest_in.entry(*category).or_default();
            *newest = listed.updated_at.max(*newest);
        }
    }
    let newest = newest_in.values().copied().max().unwrap_or(started_at);
    let mut addresses = Vec::from(["/", "/products"].map(|path| (path.to_owned(), day(newest))));
    // A category without products is no page to find.
    addresses.extend(listing.categories().iter().filter_map(|category| {
        let newest = newest_in.get(&category.id)?;
        Some((category.href(), day(category.updated_at.max(*newest))))
    }));
    addresses.extend(listing.listed().map(|listed| (listed.path.clone(), day(listed.updated_at))));
    let today = clock::today(cx.clock.as_ref(), &cx.config.company.time_zone);
    addresses.extend(texts.legal.on(today).map(|document| (document.href(), document.updated.clone())));
    // Handles and slugs are lower-case words and hyphens, so only the configured origin needs escaping.
    let origin = cx.config.http.origin().replace('&', "&amp;");
    let part =
        asked.parameter("part").map_or(Some(0), |number| number.parse::<usize>().ok().filter(|number| *number > 0));
    let file = part.and_then(|part| Some((part, file(&origin, &addresses, MOST, part)?)));
    let (part, file) = file.ok_or_else(|| asked.refused())?;
    Ok(sitemaps.keep(part, file).respond(&headers))
}

/// With at most so many addresses, each with the day of its last change. Parts are numbered from 1; 0 is the file of all addresses, or the
/// index of the parts. None if there is no such part.
fn file(origin: &str, addresses: &[(String, String)], most: usize, part: usize) -> Option<String> {
    let mut parts = addresses.chunks(most);
    let listed = match part.checked_sub(1) {
        Some(before) => parts.nth(before)?,
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
    use std::sync::Arc;

    use super::{Sitemaps, file};

    #[test]
    fn what_has_not_changed_is_not_compressed_again() {
        let sitemaps = Sitemaps::default();
        let first = sitemaps.keep(0, "<urlset>one</urlset>".to_owned());
        let part = sitemaps.keep(1, "<urlset>another</urlset>".to_owned());
        assert!(Arc::ptr_eq(&first, &sitemaps.keep(0, "<urlset>one</urlset>".to_owned())));
        let changed = sitemaps.keep(0, "<urlset>two</urlset>".to_owned());
        assert!(changed.has_body(b"<urlset>two</urlset>"));
        assert!(Arc::ptr_eq(&part, &sitemaps.keep(1, "<urlset>another</urlset>".to_owned())));
    }

    #[test]
    fn too_many_addresses_are_in_parts_of_an_index() {
        let addresses = ["/", "/a", "/b"].map(|path| (path.to_owned(), "2026-01-31".to_owned()));
        let file = |most, part| file("https://shop.example", &addresses, most, part);
        let listed = |text: Option<String>| text.unwrap_or_default().matches("<url>").count();
        assert_eq!((listed(file(3, 0)), listed(file(2, 1)), listed(file(2, 2))), (3, 2, 1));
        let index = file(2, 0).unwrap_or_default();
        assert!(
            index.contains("<sitemap><loc>https://shop.example/sitemap.xml?part=2</loc></sitemap>\n</sitemapindex>")
        );
        assert_eq!((listed(Some(index.clone())), index.matches("<sitemap>").count()), (0, 2));
        assert_eq!(file(2, 3), None);
    }
}
