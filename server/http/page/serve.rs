//! The layers that turn what handlers return into responses: pages through the cache and the isolates, errors as the error page or as
//! problem+json.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use shop_base::error::Error;
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::extract::Asked;
use shop_platform::web::page::Page;

use super::cache::{Key, PageCache};
use super::render::PageRenderer;
use super::visit::Visit;
use super::{render, visit};

/// State of the page layers.
#[derive(Clone)]
pub struct PageLayer {
    pub cookies: SignedCookies,
    pub kept: PageCache,
    pub renderer: PageRenderer,
}

/// Around each page route: the cached page if there is one, else the handler's page, rendered.
pub async fn page(
    State((layer, known)): State<(Arc<PageLayer>, &'static [&'static str])>,
    request: Request,
    next: Next,
) -> Response {
    let asked = Asked::of(request.uri());
    let headers = request.headers().clone();
    let visit = Visit::of(&layer.cookies, &headers, request.extensions().get());
    let key = (visit.is_anonymous() && matches!(*request.method(), Method::GET | Method::HEAD)).then(|| Key {
        path: asked.path.clone(),
        query: known_query(&asked.query, known),
        age_verified: visit.age_verified,
        payload: asked.payload,
    });
    if let Some(entry) = match &key {
        Some(key) => layer.kept.get(key).await,
        None => None,
    } {
        let mut response = entry.respond(&headers).await;
        render::add_timing(&mut response, None);
        return response;
    }
    let mut response = next.run(request).await;
    let Some(page) = response.extensions_mut().remove::<Page>() else { return response };
    let is_personal = page.is_personal;
    let rendered = render::page(&layer.renderer, page, &visit, asked.payload).await;
    let entry = Arc::new(rendered.entry);
    if let Some(key) = key.filter(|_| rendered.is_whole && !is_personal && entry.status == StatusCode::OK) {
        layer.kept.insert(key, Arc::clone(&entry)).await;
    }
    let mut answer = entry.respond(&headers).await;
    if let Some(timing) = rendered.timing {
        render::add_timing(&mut answer, Some(timing));
    }
    if entry.status == StatusCode::SERVICE_UNAVAILABLE {
        answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
    }
    if is_personal {
        visit::keep_out_of_caches(&mut answer);
    }
    visit.mark(&layer.cookies, &mut answer);
    // Cookies that the handler set.
    for (name, value) in response.headers().iter().filter(|(name, _)| **name == header::SET_COOKIE) {
        answer.headers_mut().append(name, value.clone());
    }
    answer
}

/// Outermost layer: an error becomes the error page, or a problem for calls.
pub async fn errors(State(layer): State<Arc<PageLayer>>, request: Request, next: Next) -> Response {
    let asked = Asked::of(request.uri());
    let headers = request.headers().clone();
    let mut response = next.run(request).await;
    let Some(error) = response.extensions_mut().remove::<Error>() else { return response };
    let error = error.at(asked.full_path());
    match &error {
        Error::Unavailable { cause, .. } => tracing::warn!(cause, "a request could not be served at this moment"),
        Error::Timeout => tracing::warn!("a request took too long"),
        _ => {}
    }
    if asked.is_api() {
        return error.into_problem_response();
    }
    let visit = Visit::of(&layer.cookies, &headers, response.extensions().get());
    let rendered = render::error(&layer.renderer, &error, &asked.full_path(), &visit, asked.payload).await;
    let mut answer = Arc::new(rendered.entry).respond(&headers).await;
    visit.mark(&layer.cookies, &mut answer);
    error.add_headers(&mut answer);
    for (name, value) in response.headers().iter().filter(|(name, _)| **name == header::SET_COOKIE) {
        answer.headers_mut().append(name, value.clone());
    }
    answer
}

/// The fallback when no route matches.
pub async fn no_route(asked: Asked) -> Response {
    let trimmed = asked.path.trim_end_matches('/');
    if asked.path.len() > 1 && trimmed.len() < asked.path.len() && !asked.is_api() {
        // Exactly one leading slash: two would name another host.
        let path = format!("/{}", trimmed.trim_start_matches('/'));
        let query = if asked.query.is_empty() { String::new() } else { format!("?{}", asked.query) };
        return moved(&format!("{path}{query}"));
    }
    Error::NotFound.into_response()
}

/// A permanent redirect. Cached for an hour only, since which addresses exist changes with the catalog.
pub fn moved(location: &str) -> Response {
    let Ok(location) = HeaderValue::try_from(location) else {
        return Error::internal("a redirect's address is not a header value").into_response();
    };
    let cache = HeaderValue::from_static("public, max-age=3600");
    (StatusCode::MOVED_PERMANENTLY, [(header::LOCATION, location), (header::CACHE_CONTROL, cache)]).into_response()
}

/// The parameters that the route uses, as given: others do not affect the page.
fn known_query(raw: &str, known: &[&str]) -> String {
    let mut out = form_urlencoded::Serializer::new(String::new());
    out.extend_pairs(form_urlencoded::parse(raw.as_bytes()).filter(|(name, _)| known.contains(&name.as_ref())));
    out.finish()
}
