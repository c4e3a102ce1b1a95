//! A finished page: its body, its compressed forms, and the response to one request for it.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use shop_domain::identity::model::UserView;
use shop_platform::media::lower_priority;
use shop_platform::web::etag::is_known;
use shop_platform::web::reusable::Reusable;
use ssr_runtime::{Fragments, Occurrence};
use tokio::sync::{Semaphore, oneshot};
use xxhash_rust::xxh3::xxh3_128;

use super::visit::Visit;
use crate::layers::compression::{Accepted, Encoding, best_brotli};

/// From this many responses on for which it would be used, a page is worth its best compression.
const OFTEN: u32 = 16;

/// Of a response, with those that other layers add: as many as need no second allocation.
const HEADERS: usize = 24;

/// The best compressions are made one after the other, so that they never take more than one core, and with low priority: each takes as long as
/// thousands of responses.
static COMPRESSING: Semaphore = Semaphore::const_new(1);

#[derive(Debug)]
pub struct Entry {
    pub status: StatusCode,
    pub content_type: HeaderValue,
    body: Bytes,
    /// None for a page that no cache keeps.
    etag: Option<HeaderValue>,
    /// By [`Encoding::QUICK`], once requested.
    quick: [OnceLock<Bytes>; Encoding::QUICK.len()],
    best: OnceLock<Bytes>,
    /// Those for which the best compression would have been used.
    responses: AtomicU32,
    /// Where the page shows the signed-in visitor, in order.
    shows_user: Vec<Gap>,
}

/// A part of a page that shows the signed-in visitor.
#[derive(Debug)]
pub enum Gap {
    /// By a component.
    Html(Occurrence),
    /// In the envelope.
    Json(Range<usize>),
}

impl Gap {
    fn range(&self) -> Range<usize> {
        match self {
            Self::Html(occurrence) => occurrence.range.clone(),
            Self::Json(range) => range.clone(),
        }
    }
}

impl Entry {
    pub fn new(status: StatusCode, content_type: HeaderValue, body: Bytes) -> Self {
        let etag = Some(tag_of(&body));
        Self { etag, ..Self::personal(status, content_type, body) }
    }

    fn personal(status: StatusCode, content_type: HeaderValue, body: Bytes) -> Self {
        Self {
            status,
            content_type,
            body,
            etag: None,
            quick: Default::default(),
            best: OnceLock::new(),
            responses: AtomicU32::new(0),
            shows_user: Vec::new(),
        }
    }

    /// For the pages of signed-in visitors.
    #[must_use]
    pub fn showing_user(self, at: Vec<Gap>) -> Self {
        Self { shows_user: at, ..self }
    }

    /// The page as this visitor gets it; `None` if there is no HTML about them yet.
    pub fn shown_to(self: &Arc<Self>, visit: &Visit, fragments: &Fragments) -> Option<Arc<Self>> {
        match &visit.user {
            None => Some(Arc::clone(self)),
            Some(_) => self.for_user(visit.shown()?, fragments).map(Arc::new),
        }
    }

    /// The same page for another signed-in visitor.
    fn for_user(&self, user: &Reusable<UserView>, fragments: &Fragments) -> Option<Self> {
        // Without a gap it would show the one for whom it was rendered.
        if self.shows_user.is_empty() {
            return None;
        }
        let mut body = Vec::with_capacity(self.body.len() + 1024);
        let mut copied = 0;
        for gap in &self.shows_user {
            let Range { start, end } = gap.range();
            body.extend_from_slice(self.body.get(copied..start)?);
            match gap {
                Gap::Html(occurrence) => body.extend_from_slice(fragments.at(occurrence, user.id())?.html().as_bytes()),
                Gap::Json(_) => body.extend_from_slice(user.json().as_bytes()),
            }
            copied = end;
        }
        body.extend_from_slice(self.body.get(copied..)?);
        Some(Self::personal(self.status, self.content_type.clone(), Bytes::from(body)))
    }

    pub fn has_body(&self, body: &[u8]) -> bool {
        self.body == body
    }

    /// Bytes in memory, with space for the compressed forms.
    pub fn bytes(&self) -> usize {
        self.body.len() * 3 / 2
    }

    /// The response to one request: in an encoding it accepts, or 304 when the client already has this version.
    pub fn respond(&self, request: &HeaderMap) -> Response {
        let known = self.etag.as_ref().is_some_and(|etag| is_known(request, etag.as_bytes()));
        let mut response = Response::new(Body::empty());
        if known && self.status == StatusCode::OK {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        } else {
            *response.status_mut() = self.status;
            let (body, encoding) = self.encoded(Accepted::of(request));
            if let Some(encoding) = encoding {
                response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
            }
            *response.body_mut() = Body::from(body);
        }
        let headers = response.headers_mut();
        headers.reserve(HEADERS);
        headers.insert(header::CONTENT_TYPE, self.content_type.clone());
        if let Some(etag) = &self.etag {
            headers.insert(header::ETAG, etag.clone());
        }
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(header::VARY, HeaderValue::from_static("cookie, accept-encoding"));
        response
    }

    /// The same for an entry of the cache; one that is sent often is then compressed as well as possible, in the background.
    pub fn respond_again(self: &Arc<Self>, request: &HeaderMap) -> Response {
        let response = self.respond(request);
        let is_of_use = self.best.get().is_none()
            && response.status() != StatusCode::NOT_MODIFIED
            && Accepted::of(request).best(&Encoding::BEST) == Some(Encoding::Brotli);
        if is_of_use && self.responses.fetch_add(1, Ordering::Relaxed) == OFTEN {
            tokio::spawn(compress(Arc::clone(self)));
        }
        response
    }

    fn encoded(&self, accepted: Accepted) -> (Bytes, Option<Encoding>) {
        let plain = || (self.body.clone(), None);
        if let Some(best) = self.best.get()
            && accepted.best(&Encoding::BEST) == Some(Encoding::Brotli)
        {
            return (best.clone(), Some(Encoding::Brotli));
        }
        let Some(encoding) = accepted.best(&Encoding::QUICK) else { return plain() };
        let Some(cell) = Encoding::QUICK.iter().position(|each| *each == encoding).map(|at| &self.quick[at]) else {
            return plain();
        };
        // Takes less time than handing it to another thread and back would save.
        let bytes = cell.get_or_init(|| match encoding.compress(&self.body) {
            Ok(bytes) => Bytes::from(bytes),
            Err(error) => {
                tracing::error!(%error, "a page could not be compressed");
                Bytes::new()
            }
        });
        if bytes.is_empty() { plain() } else { (bytes.clone(), Some(encoding)) }
    }
}

/// Makes the best compression of a page.
async fn compress(entry: Arc<Entry>) {
    let Ok(_turn) = COMPRESSING.acquire().await else { return };
    // Nobody else has the entry: it has left the cache.
    if Arc::strong_count(&entry) == 1 {
        return;
    }
    let (done, is_done) = oneshot::channel::<()>();
    let work = move || {
        lower_priority();
        match best_brotli(&entry.body) {
            Ok(bytes) => drop(entry.best.set(Bytes::from(bytes))),
            Err(error) => tracing::error!(%error, "a page could not be compressed"),
        }
        drop(done);
    };
    match thread::Builder::new().name("compression".to_owned()).spawn(work) {
        Ok(_) => {
            let _ = is_done.await;
        }
        Err(error) => tracing::error!(%error, "a page could not be compressed"),
    }
}

fn tag_of(body: &[u8]) -> HeaderValue {
    // A weak tag needs no cryptographic hash: nobody gains from two pages with one tag.
    let tag = format!("W/\"{:032x}\"", xxh3_128(body));
    HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("W/\"0\""))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
    use bytes::Bytes;

    use super::{Entry, OFTEN};

    fn asking(encoding: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(encoding))])
    }

    fn entry() -> Arc<Entry> {
        let body = Bytes::from("<p>Billiard</p>".repeat(500));
        Arc::new(Entry::new(StatusCode::OK, HeaderValue::from_static("text/html"), body))
    }

    #[tokio::test]
    async fn a_page_requested_often_gets_its_best_compression_in_the_background() {
        let entry = entry();
        let name = |entry: &Arc<Entry>| {
            let response = entry.respond_again(&asking("gzip, br, zstd"));
            response.headers().get(header::CONTENT_ENCODING).cloned()
        };
        for _ in 0..=OFTEN {
            assert_eq!(name(&entry), Some(HeaderValue::from_static("zstd")));
        }
        while entry.best.get().is_none() {
            tokio::task::yield_now().await;
        }
        assert_eq!(name(&entry), Some(HeaderValue::from_static("br")));
    }

    #[tokio::test]
    async fn for_who_could_not_use_it_the_best_compression_is_not_made() {
        let entry = entry();
        let mut known = asking("br");
        known.insert(header::IF_NONE_MATCH, HeaderValue::from_static("*"));
        for request in [known, asking("gzip, zstd"), asking("gzip, br;q=0.5"), HeaderMap::new()] {
            for _ in 0..=OFTEN {
                entry.respond_again(&request);
            }
        }
        assert_eq!(Arc::strong_count(&entry), 1, "nothing was begun");
    }

    #[test]
    fn a_client_that_has_this_version_gets_no_body() {
        let entry = entry();
        let first = entry.respond(&HeaderMap::new());
        let tag = first.headers()[header::ETAG].clone();
        let text = tag.to_str().unwrap();
        let strong = text.strip_prefix("W/").unwrap();
        for (given, status) in [
            (text, StatusCode::NOT_MODIFIED),
            (strong, StatusCode::NOT_MODIFIED),
            (format!("W/\"other\", {text}").as_str(), StatusCode::NOT_MODIFIED),
            ("*", StatusCode::NOT_MODIFIED),
            ("W/\"other\"", StatusCode::OK),
        ] {
            let given = HeaderValue::from_str(given).unwrap();
            let again = entry.respond(&HeaderMap::from_iter([(header::IF_NONE_MATCH, given.clone())]));
            assert_eq!(again.status(), status, "{given:?}");
            assert_eq!(again.headers()[header::ETAG], tag);
        }
    }
}
