//! Cache of rendered pages for anonymous visitors, kept for seconds. Their HTML contains nothing personal, so the key is the path, the
//! query parameters that the route uses, whether the age gate is shown, and the form (document or envelope).

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use moka::future::Cache;
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

use crate::layers::compression::Encoding;

/// How long a page may be out of date after a change that did not clear the cache.
const TIME_TO_LIVE: Duration = Duration::from_secs(30);
const MAX_BYTES: u64 = 64 * 1024 * 1024;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub path: String,
    pub query: String,
    pub age_verified: bool,
    pub payload: bool,
}

/// A finished response and, once they have been requested, its compressed forms.
#[derive(Debug)]
pub struct Entry {
    pub status: StatusCode,
    pub content_type: HeaderValue,
    body: Bytes,
    etag: HeaderValue,
    brotli: OnceCell<Bytes>,
    gzip: OnceCell<Bytes>,
}

#[derive(Clone, Debug)]
pub struct PageCache(Cache<Key, Arc<Entry>>);

impl Default for PageCache {
    fn default() -> Self {
        Self(
            Cache::builder()
                .max_capacity(MAX_BYTES)
                // Reserves space for the compressed forms, which are added later.
                .weigher(|key: &Key, entry: &Arc<Entry>| {
                    let bytes = key.path.len() + key.query.len() + entry.body.len() * 3 / 2;
                    u32::try_from(bytes).unwrap_or(u32::MAX)
                })
                .time_to_live(TIME_TO_LIVE)
                .build(),
        )
    }
}

impl PageCache {
    pub async fn get(&self, key: &Key) -> Option<Arc<Entry>> {
        self.0.get(key).await
    }

    pub async fn insert(&self, key: Key, entry: Arc<Entry>) {
        self.0.insert(key, entry).await;
    }

    /// How many entries it has, and their bytes; both are updated with a delay.
    pub fn figures(&self) -> (u64, u64) {
        (self.0.entry_count(), self.0.weighted_size())
    }

    /// Removes every page, after a change to what they show.
    pub fn clear(&self) {
        self.0.invalidate_all();
    }
}

impl Entry {
    pub fn new(status: StatusCode, content_type: HeaderValue, body: Bytes) -> Self {
        let digest = Sha256::digest(&body);
        let tag: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        let etag = HeaderValue::try_from(format!("W/\"{tag}\"")).unwrap_or(HeaderValue::from_static("W/\"0\""));
        Self { status, content_type, body, etag, brotli: OnceCell::new(), gzip: OnceCell::new() }
    }

    /// The response to one request: in an encoding it accepts, or 304 when the client already has this version.
    pub async fn respond(self: &Arc<Self>, request: &HeaderMap) -> Response {
        let known = request.get(header::IF_NONE_MATCH).is_some_and(|given| given == self.etag);
        let mut response = Response::new(Body::empty());
        if known && self.status == StatusCode::OK {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        } else {
            *response.status_mut() = self.status;
            let (body, encoding) = self.encoded(Encoding::accepted(request)).await;
            if let Some(encoding) = encoding {
                response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
            }
            *response.body_mut() = Body::from(body);
        }
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, self.content_type.clone());
        headers.insert(header::ETAG, self.etag.clone());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(header::VARY, HeaderValue::from_static("cookie, accept-encoding"));
        response
    }

    async fn encoded(self: &Arc<Self>, encoding: Option<Encoding>) -> (Bytes, Option<Encoding>) {
        let Some(encoding) = encoding else { return (self.body.clone(), None) };
        let cell = match encoding {
            Encoding::Brotli => &self.brotli,
            Encoding::Gzip => &self.gzip,
        };
        let plain = self.body.clone();
        let compressed = cell
            .get_or_try_init(|| async {
                let done = tokio::task::spawn_blocking(move || encoding.compress(&plain)).await;
                done.map_err(std::io::Error::other).flatten().map(Bytes::from)
            })
            .await;
        match compressed {
            Ok(bytes) => (bytes.clone(), Some(encoding)),
            Err(error) => {
                tracing::error!(%error, "a page could not be compressed");
                (self.body.clone(), None)
            }
        }
    }
}
