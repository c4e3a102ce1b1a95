//! The sitemap: every address that a search engine should know, with the day it last changed.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use jiff::civil::Date;
use shop_base::clock;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::catalog::listing::Listing;
use shop_domain::catalog::service::Catalog;
use shop_platform::settings::texts::Texts;
use shop_platform::web::extract::Asked;
use shop_platform::web::site::StartedAt;
use tokio::sync::Mutex;
use tokio::task::JoinError;
use uuid::Uuid;

use crate::page::entry::Entry;

const XML: HeaderValue = HeaderValue::from_static("application/xml; charset=utf-8");

/// Search engines refuse a file with more addresses.
const MOST: usize = 50_000;

/// The files of one version of what they list, with their compressed forms.
#[derive(Debug, Default)]
pub struct Sitemaps(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    version: Option<Version>,
    files: Vec<Arc<Entry>>,
}

/// What files were made of: snapshots that never change. They are not kept alive, but nothing else gets their places in memory meanwhile.
#[derive(Debug)]
struct Version {
    listing: Weak<Listing>,
    texts: Weak<Texts>,
    /// Legal texts come into force on a day.
    today: Date,
}

impl Version {
    fn is(&self, other: &Self) -> bool {
        self.listing.ptr_eq(&other.listing) && self.texts.ptr_eq(&other.texts) && self.today == other.today
    }
}

impl Sitemaps {
    /// The file with this number, if there is one. Files of another version than the kept ones are made on another thread, since many
    /// addresses take a while; other requests wait for them.
    async fn file(
        &self,
        part: usize,
        version: Version,
        make: impl FnOnce() -> Vec<String> + Send + 'static,
    ) -> Result<Option<Arc<Entry>>, JoinError> {
        let mut kept = self.0.lock().await;
        if kept.version.as_ref().is_none_or(|known| !known.is(&version)) {
            let former = kept.files.clone();
            let files = tokio::task::spawn_blocking(move || entries(make(), &former)).await?;
            *kept = Kept { version: Some(version), files };
        }
        // The file of all addresses is the only part, too.
        let at = if kept.files.len() == 1 && part == 1 { 0 } else { part };
        Ok(kept.files.get(at).cloned())
    }
}

/// Keeps the former ones that are the same, so that they are not compressed again.
fn entries(files: Vec<String>, former: &[Arc<Entry>]) -> Vec<Arc<Entry>> {
    let entry = |(at, file): (usize, String)| match former.get(at) {
        Some(entry) if entry.has_body(file.as_bytes()) => Arc::clone(entry),
        _ => Arc::new(Entry::new(StatusCode::OK, XML, Bytes::from(file))),
    };
    files.into_iter().enumerate().map(entry).collect()
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
    let part =
        asked.parameter("part").map_or(Some(0), |number| number.parse::<usize>().ok().filter(|number| *number > 0));
    let part = part.ok_or_else(|| asked.refused())?;
    let (listing, today) = (catalog.listing(), cx.today());
    let version = Version { listing: Arc::downgrade(&listing), texts: Arc::downgrade(&texts), today };
    let make = move || {
        // Handles and slugs are lower-case words and hyphens, so only the configured origin needs escaping.
        let origin = cx.config.http.origin().replace('&', "&amp;");
        files(&origin, &addresses(&listing, &texts, today, started_at), MOST)
    };
    let file = sitemaps.file(part, version, make).await.map_err(Error::internal)?;
    Ok(file.ok_or_else(|| asked.refused())?.respond(&headers))
}

/// All addresses, each with the day of its last change.
fn addresses(listing: &Listing, texts: &Texts, today: Date, started_at: i64) -> Vec<(String, String)> {
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
    let on_sale = listing.listed().filter(|listed| listed.is_on_sale()).map(|listed| listed.updated_at).max();
    addresses.extend(on_sale.map(|newest| ("/products?sale=1".to_owned(), day(newest))));
    // A category without products is no page to find.
    addresses.extend(listing.categories().iter().filter_map(|category| {
        let newest = newest_in.get(&category.id)?;
        Some((category.href(), day(category.updated_at.max(*newest))))
    }));
    addresses.extend(listing.listed().map(|listed| (listed.path.clone(), day(listed.updated_at))));
    addresses.extend(texts.legal.on(today).map(|document| (document.href(), document.updated.clone())));
    addresses
}

/// The file of all addresses; of more than `most` the index of the parts, and then the parts, numbered from 1.
fn files(origin: &str, addresses: &[(String, String)], most: usize) -> Vec<String> {
    let entry = |(path, lastmod): &(String, String)| {
        format!("<url><loc>{origin}{path}</loc><lastmod>{lastmod}</lastmod></url>\n")
    };
    let part = |listed: &[(String, String)]| document("urlset", listed.iter().map(entry));
    if addresses.len() <= most {
        return vec![part(addresses)];
    }
    let parts = addresses.chunks(most);
    let listed = |number: usize| format!("<sitemap><loc>{origin}/sitemap.xml?part={number}</loc></sitemap>\n");
    let index = document("sitemapindex", (1..=parts.len()).map(listed));
    std::iter::once(index).chain(parts.map(part)).collect()
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
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Weak};

    use jiff::civil::date;

    use super::{Sitemaps, Version, files};

    #[tokio::test]
    async fn files_are_made_once_for_each_version() {
        let (sitemaps, made) = (Sitemaps::default(), Arc::new(AtomicUsize::new(0)));
        let file = async |day: i8, part: usize, texts: &'static [&'static str]| {
            let version = Version { listing: Weak::new(), texts: Weak::new(), today: date(2026, 1, day) };
            let made = Arc::clone(&made);
            let make = move || {
                made.fetch_add(1, Ordering::Relaxed);
                texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>()
            };
            sitemaps.file(part, version, make).await.expect("nothing panics")
        };
        let parts: &[&str] = &["index", "one", "two"];
        let (first, second) = tokio::join!(file(1, 1, parts), file(1, 2, parts));
        let again = file(1, 1, parts).await;
        assert_eq!(made.load(Ordering::Relaxed), 1, "of whatever is not read again");
        let (first, second, again) = (first.expect("it is there"), second.expect("it is there"), again.expect("still"));
        assert!(Arc::ptr_eq(&first, &again) && first.has_body(b"one") && second.has_body(b"two"));

        let other: &[&str] = &["index", "one", "three"];
        let changed = file(2, 2, other).await.expect("it is there");
        assert!(changed.has_body(b"three"), "it shows at once");
        let same = file(2, 1, other).await.expect("it is there");
        assert!(Arc::ptr_eq(&first, &same), "what is the same is not compressed again");
        assert_eq!(made.load(Ordering::Relaxed), 2);

        let all = file(3, 0, &["all"]).await.expect("it is there");
        let only = file(3, 1, &["all"]).await.expect("it is there");
        assert!(Arc::ptr_eq(&all, &only) && all.has_body(b"all"));
        assert!(file(3, 2, &["all"]).await.is_none(), "former parts are gone");
    }

    #[test]
    fn too_many_addresses_are_in_parts_of_an_index() {
        let addresses = ["/", "/a", "/b"].map(|path| (path.to_owned(), "2026-01-31".to_owned()));
        let files = |most| files("https://shop.example", &addresses, most);
        let listed = |file: &String| file.matches("<url>").count();
        assert!(files(3).iter().map(listed).eq([3]));
        assert!(files(2).iter().map(listed).eq([0, 2, 1]));
        let index = &files(2)[0];
        assert!(
            index.contains("<sitemap><loc>https://shop.example/sitemap.xml?part=2</loc></sitemap>\n</sitemapindex>")
        );
        assert_eq!(index.matches("<sitemap>").count(), 2);
    }
}
