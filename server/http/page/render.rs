//! Renders pages: the isolate gets the envelope and returns HTML, in which the parts that other pages already showed are inserted.

use std::borrow::Cow;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use arc_swap::ArcSwap;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use serde::Serialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::trace_span;
use shop_domain::catalog::changes::Moment;
use shop_domain::catalog::service::Catalog;
use shop_platform::settings::texts::{Settings, Texts};
use shop_platform::web::logged_path::logged_path;
use shop_platform::web::page::{Meta, Page, PageProps};
use shop_platform::web::reusable::Reusable;
use shop_platform::web::site::Site;
use ssr_runtime::{Props, RenderError, Reused};
use tracing::Instrument;
use utoipa::ToSchema;
use xxhash_rust::xxh3::Xxh3;

use super::cache::Kept;
use super::document::Document;
use super::entry::{Entry, Gap};
use super::envelope;
use super::envelope::finish_meta;
use super::visit::{Users, Visit};
use crate::identity::address::confirm_address;

pub const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// How soon an isolate begins for which nobody waits.
const NO_WAIT: Duration = Duration::from_millis(1);
/// Reserved for the JSON of an envelope, in bytes.
const PAYLOAD_BYTES: usize = 24 << 10;

/// What browsers that cannot render a page from its envelope show instead.
const BUSY: &str = "<noscript><p>The shop is very busy. Load this page again in a moment.</p></noscript>";

/// Props of the error page.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorPage {
    pub status: u16,
    pub message: String,
    /// For the visitor to mention, if the server is at fault.
    pub request_id: Option<String>,
    /// Where the visitor signs in again, if that is what is missing.
    pub confirm_href: Option<String>,
}

impl PageProps for ErrorPage {
    const NAME: &'static str = "errors/error";
}

/// What rendering a page requires.
#[derive(Clone)]
pub struct PageRenderer {
    pub cx: Context,
    /// The bundle that is being served.
    pub site: Arc<ArcSwap<Site>>,
    pub settings: Arc<Settings>,
    pub catalog: Arc<Catalog>,
    pub users: Users,
    /// Whether an identity provider is configured.
    pub can_sign_in: bool,
}

impl PageRenderer {
    pub fn moment(&self) -> Moment {
        self.catalog.changes.moment(self.cx.clock.as_ref(), self.cx.zone())
    }
}

/// In which form a page is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Only its data.
    pub is_payload: bool,
    /// It may be kept: it is the same for all visitors, but for what the layout shows of them.
    pub is_kept: bool,
    /// It answers a form that was posted.
    pub is_answer: bool,
}

/// A finished response, and how long its render waited and took.
#[derive(Debug)]
pub struct Rendered {
    pub entry: Arc<Entry>,
    /// For `Server-Timing`, when an isolate rendered it.
    pub timing: Option<HeaderValue>,
    /// What may be kept. None for fallback pages, and for pages that may show one visitor to another.
    pub lasting: Option<Lasting>,
}

/// What may be kept of a rendered page.
#[derive(Debug)]
pub struct Lasting {
    pub entry: Arc<Entry>,
    /// A hash of the data that it shows, but for who is signed in.
    pub contents: u128,
}

/// Renders a page in the requested form, unless its `former` state shows the same. If that fails, the error page is rendered instead.
pub async fn page(
    pages: &PageRenderer,
    page: Page,
    visit: &Visit,
    form: Form,
    former: Option<&Kept>,
    request_id: Option<&str>,
) -> Rendered {
    let url = page.url.clone();
    let failure = match Prepared::new(pages, page, visit, form) {
        Ok(prepared) => match prepared.render(visit, form, former).await {
            Ok(rendered) => return rendered,
            Err(failure) => {
                prepared.log(&failure);
                // The page itself is fine: the browser can render it from the envelope.
                matches!(failure, RenderError::Overloaded | RenderError::Stopped)
                    .then(|| prepared.shell(StatusCode::SERVICE_UNAVAILABLE))
            }
        },
        Err(failure) => {
            tracing::error!(path = &*without_query(&url), error = %failure, "an envelope could not be written");
            None
        }
    };
    match failure {
        Some(shell) => shell,
        None => error(pages, &Error::Internal, &url, visit, form, request_id).await,
    }
}

/// What may be logged of an address: a query can contain an order's token, or what somebody searched for.
fn without_query(url: &str) -> Cow<'_, str> {
    logged_path(url.split('?').next().unwrap_or_default())
}

/// Renders the error page; if that fails too, the browser renders it from its envelope.
pub async fn error(
    pages: &PageRenderer,
    error: &Error,
    url: &str,
    visit: &Visit,
    form: Form,
    request_id: Option<&str>,
) -> Rendered {
    let status = error.status();
    let request_id = request_id.filter(|_| status.is_server_error()).map(str::to_owned);
    let must_confirm = matches!(error, Error::StaleSignIn | Error::WeakSignIn);
    let confirm_href = (must_confirm && pages.can_sign_in).then(|| confirm_address(url));
    let props = ErrorPage { status: status.as_u16(), message: error.message(), request_id, confirm_href };
    let title = match status {
        StatusCode::FORBIDDEN => "Not allowed",
        StatusCode::UNAUTHORIZED => "Sign in first",
        StatusCode::NOT_FOUND | StatusCode::GONE => "Page not found",
        status if status.is_server_error() => "Something went wrong",
        _ => "That didn’t work",
    };
    let meta = Meta { title: title.to_owned(), robots: Some("noindex".to_owned()), ..Meta::default() };
    let Ok(page) = Page::new(url, &props, meta) else { return plain_failure(status) };
    let form = Form { is_kept: false, ..form };
    match Prepared::new(pages, page.with_status(status), visit, form) {
        Ok(prepared) => match prepared.render(visit, form, None).await {
            Ok(rendered) => Rendered { lasting: None, ..rendered },
            Err(failure) => {
                prepared.log(&failure);
                prepared.shell(status)
            }
        },
        Err(failure) => {
            tracing::error!(path = &*without_query(url), error = %failure, "an envelope could not be written");
            plain_failure(status)
        }
    }
}

/// A page with all that it shows.
struct Prepared {
    page: Page,
    site: Arc<Site>,
    texts: Arc<Texts>,
    envelope: Props,
    /// It answers a form, or has a notice.
    is_once: bool,
}

impl Prepared {
    fn new(pages: &PageRenderer, mut page: Page, visit: &Visit, form: Form) -> Result<Self, serde_json::Error> {
        let (site, texts) = (pages.site.load_full(), pages.settings.texts());
        finish_meta(pages, &texts, &mut page.meta);
        let parts = mem::take(&mut page.parts);
        let envelope = envelope::write(pages, &texts, &page, parts, &site.manifest.build, visit, form)?;
        let is_once = form.is_answer || visit.notice.is_some();
        Ok(Self { page, site, texts, envelope, is_once })
    }

    fn begin(&self) -> Document {
        Document::begin(&self.texts, &self.site, self.page.name, &self.page.meta, self.is_once)
    }

    async fn render(&self, visit: &Visit, form: Form, former: Option<&Kept>) -> Result<Rendered, RenderError> {
        let Self { page, site, envelope, .. } = self;
        let mut document = (!form.is_payload).then(|| self.begin());
        let head = document.as_mut().map_or("", |document| document.text().as_str());
        let contents = hash_of(envelope, head, id_of(visit));
        if let Some(former) = former.filter(|former| former.contents == contents)
            && let Some(entry) = former.entry.shown_to(visit, &site.fragments)
        {
            let lasting = Some(Lasting { entry: Arc::clone(&former.entry), contents });
            return Ok(Rendered { entry, timing: None, lasting });
        }
        let Some(mut document) = document else {
            let mut json = String::with_capacity(PAYLOAD_BYTES);
            let shown = envelope.write_finding(&mut json, id_of(visit)).into_iter().map(Gap::Json).collect();
            let entry = Arc::new(Entry::new(page.status, JSON, json.into()).showing_user(shown));
            return Ok(Rendered {
                lasting: Some(Lasting { entry: Arc::clone(&entry), contents }),
                entry,
                timing: None,
            });
        };
        let text = document.text();
        #[cfg(debug_assertions)]
        let start = text.len();
        let rendering = site.fragments.render(&site.renderer, envelope, id_of(visit), form.is_kept, text);
        let reused = rendering.instrument(trace_span!("render", page = page.name)).await?;
        #[cfg(debug_assertions)]
        compare(site, envelope, &text[start..]).await?;
        let Reused { queued, rendered, shown } = reused;
        if queued < NO_WAIT {
            site.is_overload_logged.store(false, Ordering::Relaxed);
        }
        // A page for which the isolate knew the visitor may show them in places that are not known.
        let is_for_all = visit.user.is_none() || shown.is_some();
        let (queued, rendered) = (queued.as_secs_f64() * 1000.0, rendered.as_secs_f64() * 1000.0);
        let timing = format!("queue;dur={queued:.2}, render;dur={rendered:.2}");
        let (document, in_envelope) = document.end(envelope, id_of(visit), "");
        let shown = shown.into_iter().flatten().map(Gap::Html).chain(in_envelope.into_iter().map(Gap::Json)).collect();
        let entry = Arc::new(Entry::new(page.status, HTML, document).showing_user(shown));
        let lasting = is_for_all.then(|| Lasting { entry: Arc::clone(&entry), contents });
        Ok(Rendered { entry, timing: HeaderValue::try_from(timing).ok(), lasting })
    }

    /// The document without rendered contents: the browser renders them from the envelope.
    fn shell(&self, status: StatusCode) -> Rendered {
        let last = if status == StatusCode::SERVICE_UNAVAILABLE { BUSY } else { "" };
        let (document, _) = self.begin().end(&self.envelope, 0, last);
        Rendered { entry: Arc::new(Entry::new(status, HTML, document)), timing: None, lasting: None }
    }

    fn log(&self, failure: &RenderError) {
        let Page { name, url, .. } = &self.page;
        let path: &str = &without_query(url);
        match failure {
            RenderError::Thrown { message, stack } => {
                tracing::error!(page = name, path, error = message, stack, "a page threw while it was rendered");
            }
            RenderError::Overloaded => {
                if !self.site.is_overload_logged.swap(true, Ordering::Relaxed) {
                    tracing::warn!(page = name, "more pages wait for an isolate than may: browsers render them");
                }
            }
            other => tracing::error!(page = name, path, error = %other, "a page could not be rendered"),
        }
    }
}

/// Of all that a page shows, but for which user it shows.
fn hash_of(envelope: &Props, head: &str, user: u64) -> u128 {
    let mut hash = Xxh3::new();
    hash.update(head.as_bytes());
    envelope.hash(&mut hash, user);
    hash.digest128()
}

/// The id of the visitor whom the page shows; 0 is nobody's.
fn id_of(visit: &Visit) -> u64 {
    visit.shown().map_or(0, Reusable::id)
}

/// In development and in tests every page is also rendered without reused parts: both must be the same to the byte.
#[cfg(debug_assertions)]
async fn compare(site: &Site, envelope: &Props, html: &str) -> Result<(), RenderError> {
    let mut whole = String::new();
    envelope.write(&mut whole);
    let ordinary = site.renderer.render(whole).await?.text;
    if ordinary == html {
        return Ok(());
    }
    let at = ordinary.bytes().zip(html.bytes()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| text.get(at.saturating_sub(80)..(at + 80).min(text.len())).map(str::to_owned);
    let message = format!(
        "a page with reused parts differs from the same page without: {:?} instead of {:?}",
        around(html),
        around(&ordinary)
    );
    Err(RenderError::Thrown { message, stack: String::new() })
}

fn plain_failure(status: StatusCode) -> Rendered {
    let text = HeaderValue::from_static("text/plain; charset=utf-8");
    let body = Bytes::from_static(b"Internal Server Error");
    Rendered { entry: Arc::new(Entry::new(status, text, body)), timing: None, lasting: None }
}

pub fn add_timing(response: &mut Response, timing: HeaderValue) {
    response.headers_mut().insert(header::HeaderName::from_static("server-timing"), timing);
}
