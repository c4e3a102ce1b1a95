//! Renders pages: the envelope is serialized once, and the same JSON goes to the isolate, into the document and to client navigation.

use std::sync::Arc;

use arc_swap::ArcSwap;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use shop_base::clock;
use shop_base::config::Config;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::catalog::service::Catalog;
use shop_domain::identity::model::UserView;
use shop_platform::settings::company::CompanyTexts;
use shop_platform::settings::texts::{Settings, Texts};
use shop_platform::web::page::{Link, Meta, Page, PageProps};
use shop_platform::web::site::Site;
use ssr_runtime::RenderError;
use utoipa::ToSchema;

use super::cache::Entry;
use super::document;
use super::visit::Visit;
use crate::admin::rights::{NavItem, Permission, navigation};
use crate::identity::notice::{Notice, NoticeView};
use crate::storefront::checkout::confirm::pages::ConfirmPickupPage;
use crate::storefront::checkout::pages::CheckoutPage;

pub const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// A page with everything the browser needs to show it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Envelope<'a> {
    /// Key of `app/pages.ts`.
    pub page: &'a str,
    /// Path and normalized query.
    pub url: &'a str,
    pub status: u16,
    #[schema(value_type = Value)]
    pub props: &'a RawValue,
    pub shared: Shared<'a>,
    pub meta: &'a Meta,
}

/// What the layout needs on every page.
#[derive(Debug, Serialize, ToSchema)]
pub struct Shared<'a> {
    /// The build that rendered this page.
    pub build: &'a str,
    pub company: &'a CompanyTexts,
    /// Without a trailing slash.
    pub origin: &'a str,
    pub currency: &'static str,
    pub demo: bool,
    pub age_verified: bool,
    /// Who is signed in.
    pub user: Option<&'a UserView>,
    /// Whether an identity provider is configured.
    pub sign_in: bool,
    /// A message to show to the visitor once.
    pub notice: Option<NoticeView>,
    /// Today in the shop's time zone, `YYYY-MM-DD`.
    pub max_birth_date: String,
    pub menu: Vec<MenuItem>,
    pub beacon: Option<Beacon<'a>>,
    pub api_base: Option<&'a str>,
    /// True under `make dev`: the page listens for reloads.
    pub dev: bool,
    /// On pages of the admin area: where the signed-in user may go, and what they may do.
    pub staff: Option<StaffView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct StaffView {
    pub navigation: Vec<NavItem>,
    pub may: Vec<Permission>,
}

impl StaffView {
    fn of(page: &str, visit: &Visit) -> Option<Self> {
        let role = visit.user.as_ref().filter(|_| page.starts_with("admin/"))?.role;
        Some(Self { navigation: navigation(role), may: Permission::of(role) })
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct MenuItem {
    pub label: String,
    pub href: String,
    pub children: Vec<Link>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Beacon<'a> {
    pub token: &'a str,
    pub site: &'a str,
}

/// Props of the error page.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorPage {
    pub status: u16,
    pub message: String,
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
    /// Whether an identity provider is configured.
    pub can_sign_in: bool,
}

/// A finished response, and how long its render waited and took.
#[derive(Debug)]
pub struct Rendered {
    pub entry: Entry,
    /// For `Server-Timing`, when an isolate rendered it.
    pub timing: Option<HeaderValue>,
    /// False for fallback pages, which must not be cached.
    pub is_whole: bool,
}

/// Renders a page in the requested form. If that fails, the error page is rendered instead.
pub async fn page(pages: &PageRenderer, page: Page, visit: &Visit, payload: bool) -> Rendered {
    match attempt(pages, &page, visit, payload).await {
        Ok(rendered) => rendered,
        Err(failure) => {
            log(&page, &failure);
            match failure {
                // The page itself is fine: the browser can render it from the envelope.
                RenderError::Overloaded | RenderError::Stopped => {
                    shell(pages, &page, StatusCode::SERVICE_UNAVAILABLE, visit)
                }
                _ => error(pages, &Error::Internal, &page.url, visit, payload).await,
            }
        }
    }
}

/// Renders the error page; if that fails too, the browser renders it from its envelope.
pub async fn error(pages: &PageRenderer, error: &Error, url: &str, visit: &Visit, payload: bool) -> Rendered {
    let status = error.status();
    let props = ErrorPage { status: status.as_u16(), message: error.message() };
    let title = match status {
        StatusCode::FORBIDDEN => "Not allowed",
        StatusCode::UNAUTHORIZED => "Sign in first",
        status if status.is_server_error() => "Something went wrong",
        _ => "Page not found",
    };
    let meta = Meta { title: title.to_owned(), robots: Some("noindex".to_owned()), ..Meta::default() };
    let page = match Page::new(url, &props, meta) {
        Ok(page) => page.with_status(status),
        Err(_) => return plain_failure(status),
    };
    match attempt(pages, &page, visit, payload).await {
        Ok(rendered) => Rendered { is_whole: false, ..rendered },
        Err(failure) => {
            log(&page, &failure);
            shell(pages, &page, status, visit)
        }
    }
}

fn log(page: &Page, failure: &RenderError) {
    match failure {
        RenderError::Thrown { message, stack } => {
            tracing::error!(page = page.name, url = page.url, message, stack, "a page threw while it was rendered");
        }
        other => tracing::error!(page = page.name, url = page.url, error = %other, "a page could not be rendered"),
    }
}

async fn attempt(pages: &PageRenderer, page: &Page, visit: &Visit, payload: bool) -> Result<Rendered, RenderError> {
    let site = pages.site.load_full();
    let texts = pages.settings.texts();
    let meta = finished_meta(pages, &texts, &page.meta);
    let json = envelope_json(pages, &texts, page, &meta, &site.manifest.build, visit);
    if payload {
        return Ok(Rendered { entry: Entry::new(page.status, JSON, json.into()), timing: None, is_whole: true });
    }
    let html = site.renderer.render(json.clone()).await?;
    let timing = format!(
        "queue;dur={:.2}, render;dur={:.2}",
        html.queued.as_secs_f64() * 1000.0,
        html.rendered.as_secs_f64() * 1000.0
    );
    let document = document::write(&texts, &site, page.name, &meta, &html.text, &json);
    let entry = Entry::new(page.status, HTML, Bytes::from(document));
    Ok(Rendered { entry, timing: HeaderValue::try_from(timing).ok(), is_whole: true })
}

/// The document without rendered contents: the browser renders them from the envelope.
fn shell(pages: &PageRenderer, page: &Page, status: StatusCode, visit: &Visit) -> Rendered {
    let site = pages.site.load_full();
    let texts = pages.settings.texts();
    let meta = finished_meta(pages, &texts, &page.meta);
    let json = envelope_json(pages, &texts, page, &meta, &site.manifest.build, visit);
    let document = document::write(&texts, &site, page.name, &meta, "", &json);
    let entry = Entry::new(status, HTML, Bytes::from(document));
    Rendered { entry, timing: None, is_whole: false }
}

fn plain_failure(status: StatusCode) -> Rendered {
    let text = HeaderValue::from_static("text/plain; charset=utf-8");
    let body = Bytes::from_static(b"Internal Server Error");
    Rendered { entry: Entry::new(status, text, body), timing: None, is_whole: false }
}

fn envelope_json(pages: &PageRenderer, texts: &Texts, page: &Page, meta: &Meta, build: &str, visit: &Visit) -> String {
    let config = &pages.cx.config;
    let company = &texts.company;
    let listing = pages.catalog.listing();
    let menu = listing
        .children(None)
        .map(|top| MenuItem {
            label: top.name.clone(),
            href: top.href(),
            children: listing.children(Some(top.id)).map(|child| Link::new(&child.name, child.href())).collect(),
        })
        .collect();
    let envelope = Envelope {
        page: page.name,
        url: &page.url,
        status: page.status.as_u16(),
        props: &page.props,
        shared: Shared {
            build,
            company,
            origin: config.http.origin(),
            currency: "USD",
            demo: config.demo,
            age_verified: visit.age_verified,
            user: visit.user.as_ref(),
            sign_in: pages.can_sign_in,
            notice: visit.notice.map(Notice::view),
            max_birth_date: clock::today(pages.cx.clock.as_ref(), &config.company.time_zone).to_string(),
            menu,
            beacon: beacon(config, page.name),
            api_base: config.http.api_base.as_ref().map(|base| base.as_str()),
            dev: config.dev_bundle.is_some(),
            staff: StaffView::of(page.name, visit),
        },
        meta,
    };
    match serde_json::to_string(&envelope) {
        Ok(json) => escape(&json),
        // Only a map with non-text keys could fail, and there is none.
        Err(error) => {
            tracing::error!(%error, "an envelope could not be written");
            String::from("{}")
        }
    }
}

/// No third-party script runs where people pay, or where the address contains a secret that places an order.
fn beacon<'a>(config: &'a Config, page: &str) -> Option<Beacon<'a>> {
    let analytics =
        config.analytics.as_ref().filter(|_| ![CheckoutPage::NAME, ConfirmPickupPage::NAME].contains(&page))?;
    Some(Beacon { token: &analytics.token, site: &analytics.site })
}

/// Metadata with the company's name in the title and absolute addresses, as link previews and crawlers require.
fn finished_meta(pages: &PageRenderer, texts: &Texts, meta: &Meta) -> Meta {
    let origin = pages.cx.config.http.origin();
    let absolute = |path: &String| if path.starts_with('/') { format!("{origin}{path}") } else { path.clone() };
    let mut json_ld = meta.json_ld.clone();
    json_ld.iter_mut().for_each(|value| make_absolute(value, origin));
    Meta {
        title: format!("{} | {}", meta.title, texts.company.name),
        description: meta.description.clone(),
        canonical: meta.canonical.as_ref().map(absolute),
        robots: meta.robots.clone(),
        image: meta.image.as_ref().map(absolute),
        json_ld,
        preload: meta.preload.clone(),
    }
}

/// In structured data every text that begins with a slash is an address in this shop.
fn make_absolute(value: &mut Value, origin: &str) {
    match value {
        Value::String(text) if text.starts_with('/') => text.insert_str(0, origin),
        Value::Array(items) => items.iter_mut().for_each(|item| make_absolute(item, origin)),
        Value::Object(fields) => fields.values_mut().for_each(|field| make_absolute(field, origin)),
        _ => {}
    }
}

/// Escapes JSON for a script element: these characters occur only within its strings.
pub fn escape(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 16);
    for c in json.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            c => out.push(c),
        }
    }
    out
}

/// Adds the `Server-Timing` of a fresh render, or that the page came from the cache.
pub fn add_timing(response: &mut Response, timing: Option<HeaderValue>) {
    let name = header::HeaderName::from_static("server-timing");
    response.headers_mut().insert(name, timing.unwrap_or(HeaderValue::from_static("cache;desc=hit")));
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn nothing_in_the_envelope_ends_its_script_element() {
        let json = serde_json::json!({ "title": "</script><!-- & \u{2028}" }).to_string();
        let escaped = escape(&json);
        assert!(!escaped.contains('<') && !escaped.contains('>') && !escaped.contains('\u{2028}'));
        let back: serde_json::Value = serde_json::from_str(&escaped).expect("still JSON");
        assert_eq!(back["title"], "</script><!-- & \u{2028}");
    }
}
