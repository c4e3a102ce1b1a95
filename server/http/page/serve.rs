//! The layers that turn what handlers return into responses: pages through the cache and the isolates, errors as the error page or as
//! problem+json.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use shop_base::error::Error;
use shop_base::security::Lines;
use shop_domain::activity::model::matches_pattern;
use shop_domain::identity::Identity;
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::extract::Asked;
use shop_platform::web::known_pages::KnownPages;
use shop_platform::web::own_path::own_path;
use shop_platform::web::page::{Page, Topic};

use super::cache::{Answered, Kept, Key, Made, PageCache};
use super::render::{Form, HTML, Lasting, PageRenderer, Rendered};
use super::turns::AllTurns;
use super::visit::{AgeVerified, Visit};
use super::{render, shared, visit};
use crate::identity::cookie;
use crate::identity::cookie::Name;
use crate::layers::request_id::request_id;
use crate::metrics::requests::{RequestFigures, RouteFigures};

/// State of the page layers.
#[derive(Clone)]
pub struct PageLayer {
    pub cookies: SignedCookies,
    pub identity: Arc<Identity>,
    pub kept: PageCache,
    pub turns: Arc<AllTurns>,
    pub renderer: PageRenderer,
    pub requests: Arc<RequestFigures>,
    pub lines: Arc<Lines>,
}

/// What the layer around a page route knows of it.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// Query parameters that change what it shows.
    pub query: &'static [&'static str],
    /// It is the same for all visitors, but for what the layout shows of them.
    pub is_kept: bool,
}

/// A route of pages that may be kept.
#[derive(Debug)]
pub struct KeptRoute {
    pub pattern: &'static str,
    pub route: Route,
    /// Requests for its documents and for its envelopes.
    pub documents: Arc<RouteFigures>,
    pub payloads: Arc<RouteFigures>,
}

pub type KeptRoutes = Arc<[KeptRoute]>;

/// The response with a kept page: no layer needs to decide about it. And where it is counted. If there is none, the request has what was
/// found out for it.
pub fn kept<'r>(
    layer: &PageLayer,
    routes: &'r [KeptRoute],
    request: &mut Request,
) -> Option<(Response, &'r RouteFigures)> {
    let headers = request.headers();
    if !is_read(request.method()) || headers.contains_key(header::AUTHORIZATION) {
        return None;
    }
    let asked = Asked::of(request.uri());
    let found = routes.iter().find(|route| matches_pattern(&asked.path, route.pattern))?;
    let user = match cookie::read(&layer.cookies, headers, Name::Session) {
        None => None,
        Some(token) => Some(layer.identity.recent.find(&token, layer.cookies.clock.now_ms())?),
    };
    let age = AgeVerified::of(&layer.cookies, headers);
    let visit = Visit::new(&layer.cookies, headers, age, user.as_ref());
    let figures = if asked.payload { &found.payloads } else { &found.documents };
    let is_head = *request.method() == Method::HEAD;
    let Some(response) = known(layer, &found.route, &asked, visit, headers, is_head) else {
        request.extensions_mut().insert(age);
        return None;
    };
    Some((response, figures.as_ref()))
}

/// What can be answered at once.
fn known(
    layer: &PageLayer,
    route: &Route,
    asked: &Asked,
    visit: Visit,
    headers: &HeaderMap,
    is_head: bool,
) -> Option<Response> {
    if visit.notice.is_some() {
        return None;
    }
    let visit = visit.reusable(&layer.renderer.users);
    let key = key_of(asked, route, &visit);
    let form = Form { is_payload: asked.payload, is_kept: true, is_answer: false };
    let asking = Asking { layer, visit, headers, is_head, form };
    match layer.kept.get_now(&key, layer.renderer.moment()) {
        Some(kept) => asking.kept(&kept),
        // Here this costs least.
        None => (layer.turns.new.are_gone() && !layer.kept.has_former(&key)).then(|| asking.refused()),
    }
}

fn is_read(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

/// Around each page route: the kept page if there is one, else the handler's page, rendered.
pub async fn page(State((layer, route)): State<(Arc<PageLayer>, Route)>, request: Request, next: Next) -> Response {
    let asked = Asked::of(request.uri());
    // Else each spelling of an address would be a page of its own.
    if is_read(request.method())
        && let Some(path) = asked.decoded_path()
    {
        return moved_path(&asked, &path);
    }
    let headers = request.headers().clone();
    let visit = Visit::of(&layer.cookies, &headers, request.extensions());
    let (layer, headers) = (layer.as_ref(), &headers);
    let is_kept = route.is_kept && is_read(request.method()) && visit.notice.is_none();
    let form = Form { is_payload: asked.payload, is_kept, is_answer: !is_read(request.method()) };
    let is_head = *request.method() == Method::HEAD;
    if !is_kept {
        let asking = Asking { layer, visit, headers, is_head, form };
        return asking.make(request, next, None).await.0;
    }
    let visit = visit.reusable(&layer.renderer.users);
    let key = key_of(&asked, &route, &visit);
    let asking = Asking { layer, visit, headers, is_head, form };
    let moment = || layer.renderer.moment();
    if let Some(kept) = layer.kept.get(&key, moment()).await
        && let Some(response) = asking.kept(&kept)
    {
        return response;
    }
    let mut unasked = Some((request, next));
    // Whether the page of one who is signed in can be kept depends on that visitor, so nobody waits for another's.
    if !key.signed_in && !layer.kept.has_nothing(&key) {
        let mut response = None;
        let renewed = layer.kept.renew(key.clone(), moment, async |former| {
            let Some((request, next)) = unasked.take() else { return Made::Nothing };
            let (answer, made) = asking.make(request, next, former).await;
            response = Some(answer);
            made
        });
        if let Some(response) = renewed.await.and_then(|kept| asking.kept(&kept)).or(response) {
            return response;
        }
    }
    let Some((request, next)) = unasked else { return StatusCode::SERVICE_UNAVAILABLE.into_response() };
    let former = layer.kept.former(&key).await;
    let (response, made) = asking.make(request, next, former).await;
    if let Made::Page(kept) = made {
        layer.kept.insert(key, kept).await;
    }
    response
}

/// A request for a page.
struct Asking<'a> {
    layer: &'a PageLayer,
    visit: Visit,
    headers: &'a HeaderMap,
    is_head: bool,
    /// If it may be kept, it may be answered with a kept page, here and by shared caches.
    form: Form,
}

impl Asking<'_> {
    /// The response with a kept page, unless it has no HTML about this visitor yet.
    fn kept(&self, kept: &Kept) -> Option<Response> {
        let Self { layer, visit, headers, .. } = self;
        let mut response = match &visit.user {
            None if self.is_head => kept.entry.respond(headers),
            None => kept.entry.respond_again(headers),
            Some(_) => kept.entry.shown_to(visit, &layer.renderer.site.load().fragments)?.respond(headers),
        };
        visit.mark(&layer.cookies, &mut response);
        shared::share(&layer.cookies, headers, visit, &kept.about, &mut response);
        self.tell(&mut response, Answered::Kept, None);
        Some(response)
    }

    /// The response with what the handler returns, and what came of it.
    async fn make(&self, request: Request, next: Next, former: Option<Kept>) -> (Response, Made) {
        let Self { layer, visit, headers, form, .. } = self;
        let turns = if former.is_some() { &layer.turns.kept } else { &layer.turns.new };
        let _turn = match form.is_kept {
            true => match turns.take().await {
                Some(turn) => Some(turn),
                None => return (self.refused(), Made::Refused),
            },
            // Whoever buys, and the staff, have no part in what others ask for.
            false => None,
        };
        // After the wait: what changed meanwhile, the page shows.
        let made = layer.renderer.moment();
        let mut response = next.run(request).await;
        // What was made before a change may reach a shared cache after that was told to drop it.
        let is_current =
            |about: &[Topic]| layer.renderer.catalog.changes.are_none(made, layer.renderer.moment(), about);
        let Some(page) = response.extensions_mut().remove::<Page>() else {
            if self.form.is_kept && response.status() == StatusCode::MOVED_PERMANENTLY {
                let about = response.extensions_mut().remove::<About>().map(|About(topic)| topic);
                if is_current(about.as_slice()) {
                    shared::share_redirect(&layer.cookies, about, &mut response);
                }
            }
            let made = unkept(response.status());
            return (response, made);
        };
        let is_personal = page.is_personal;
        let about: Arc<[Topic]> = Arc::from(page.about.as_slice());
        let Rendered { entry, timing, lasting } =
            render::page(&layer.renderer, page, visit, *form, former.as_ref(), request_id(headers)).await;
        let mut answer = entry.respond(headers);
        if entry.status == StatusCode::SERVICE_UNAVAILABLE {
            answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
        if is_personal {
            visit::keep_out_of_caches(&mut answer);
        }
        visit.mark(&layer.cookies, &mut answer);
        keep_cookies(&response, &mut answer);
        let lasting = lasting.filter(|_| !is_personal && entry.status == StatusCode::OK);
        if self.form.is_kept && lasting.is_some() && is_current(&about) {
            shared::share(&layer.cookies, headers, visit, &about, &mut answer);
        }
        let is_former = |lasting: &Lasting| former.is_some_and(|former| Arc::ptr_eq(&former.entry, &lasting.entry));
        let answered = if lasting.as_ref().is_some_and(is_former) { Answered::Confirmed } else { Answered::Rendered };
        self.tell(&mut answer, answered, timing);
        let made = match lasting {
            Some(Lasting { entry, contents }) => Made::Page(Kept { entry, contents, made, about }),
            None => unkept(entry.status),
        };
        (answer, made)
    }

    /// The response when too many wait for pages.
    fn refused(&self) -> Response {
        self.layer.kept.count(Answered::Refused);
        busy(self.form.is_payload)
    }

    fn tell(&self, response: &mut Response, answered: Answered, timing: Option<HeaderValue>) {
        if self.form.is_kept {
            self.layer.kept.count(answered);
        }
        let timing = match answered {
            Answered::Kept => Some(HeaderValue::from_static("cache;desc=hit")),
            Answered::Confirmed => Some(HeaderValue::from_static("cache;desc=confirmed")),
            Answered::Rendered | Answered::Refused => timing,
        };
        if let Some(timing) = timing {
            render::add_timing(response, timing);
        }
    }
}

/// What came of a response that is not kept.
fn unkept(status: StatusCode) -> Made {
    if status.is_server_error() { Made::Failed } else { Made::Nothing }
}

/// The response while more pages are asked for than can be made. It costs next to nothing, and a browser asks again by itself.
fn busy(is_payload: bool) -> Response {
    const PAGE: &str = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\
        <meta http-equiv=\"refresh\" content=\"5\"><title>The shop is very busy</title></head>\
        <body><h1>The shop is very busy</h1><p>This page loads again in five seconds.</p></body></html>";
    if is_payload {
        let cause = "too many pages are being made".to_owned();
        return Error::Unavailable { cause, contention: false }.into_problem_response(None);
    }
    let retry = HeaderValue::from_static("5");
    let mut response = (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, retry)], PAGE).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HTML);
    visit::keep_out_of_caches(&mut response);
    response
}

/// Outermost layer: an error becomes the error page, or a problem for calls.
pub async fn errors(State(layer): State<Arc<PageLayer>>, request: Request, next: Next) -> Response {
    let asked = Asked::of(request.uri());
    let headers = request.headers().clone();
    let form = Form { is_payload: asked.payload, is_kept: false, is_answer: !is_read(request.method()) };
    let mut response = next.run(request).await;
    let Some(error) = response.extensions_mut().remove::<Error>() else { return response };
    let error = if asked.is_api() { error } else { error.at(asked.full_path()) };
    match &error {
        Error::Unavailable { cause, .. } if layer.lines.may_write("unavailable") => {
            tracing::warn!(cause, "a request could not be served at this moment");
        }
        Error::Timeout if layer.lines.may_write("timeout") => tracing::warn!("a request took too long"),
        _ => {}
    }
    let allow = response.headers_mut().remove(header::ALLOW).filter(|_| matches!(error, Error::MethodNotAllowed));
    if asked.is_api() {
        let mut answer = error.into_problem_response(request_id(&headers));
        answer.headers_mut().extend(allow.map(|methods| (header::ALLOW, methods)));
        keep_cookies(&response, &mut answer);
        return answer;
    }
    // An isolate renders each error page, and anybody may invent any number of addresses, or a token, or ask for pages of staff.
    let is_refused = matches!(
        error,
        Error::NotFound
            | Error::NoRoute { .. }
            | Error::Refused { .. }
            | Error::Gone { .. }
            | Error::MethodNotAllowed
            | Error::TooManyRequests
            | Error::Unauthorized
            | Error::Forbidden { .. }
    );
    let _turn = match is_refused && !asked.payload {
        true => match layer.turns.new.take().await {
            Some(turn) => Some(turn),
            None => return busy(false),
        },
        false => None,
    };
    let visit = Visit::of(&layer.cookies, &headers, response.extensions());
    let rendered = render::error(&layer.renderer, &error, &asked.full_path(), &visit, form, request_id(&headers)).await;
    let mut answer = rendered.entry.respond(&headers);
    visit.mark(&layer.cookies, &mut answer);
    error.add_headers(&mut answer);
    answer.headers_mut().extend(allow.map(|methods| (header::ALLOW, methods)));
    keep_cookies(&response, &mut answer);
    answer
}

/// Takes over the cookies that a handler has set.
fn keep_cookies(from: &Response, to: &mut Response) {
    for (name, value) in from.headers().iter().filter(|(name, _)| **name == header::SET_COOKIE) {
        to.headers_mut().append(name, value.clone());
    }
}

/// The fallback when no route matches.
pub async fn no_route(method: Method, Extension(pages): Extension<KnownPages>, asked: Asked) -> Response {
    // Routes are matched by the words of the address as they are sent.
    if is_read(&method)
        && let Some(path) = asked.decoded_path()
        && (pages.has)(&path)
    {
        return moved_path(&asked, &path);
    }
    let trimmed = asked.path.trim_end_matches('/');
    if asked.path.len() > 1 && trimmed.len() < asked.path.len() && !asked.is_api() {
        // Exactly one leading slash: two, or a backslash, would name another host.
        let path = format!("/{}", trimmed.trim_start_matches('/'));
        if own_path(&path) == path {
            return moved_path(&asked, &path);
        }
    }
    Error::NoRoute { path: asked.full_path() }.into_response()
}

/// A permanent redirect to another path with the same query.
pub fn moved_path(asked: &Asked, path: &str) -> Response {
    let query = if asked.query.is_empty() { String::new() } else { format!("?{}", asked.query) };
    moved(&asked.address(&format!("{path}{query}")))
}

/// A permanent redirect. It says nothing about caches, so they ask again: which addresses exist changes with the catalog, and a product that
/// is renamed back would lead to itself.
pub fn moved(location: &str) -> Response {
    let Ok(location) = HeaderValue::try_from(location) else {
        return Error::internal("a redirect's address is not a header value").into_response();
    };
    (StatusCode::MOVED_PERMANENTLY, [(header::LOCATION, location)]).into_response()
}

/// What a redirect depends on besides what only staff change.
#[derive(Clone, Copy)]
struct About(Topic);

/// The same redirect, which shared caches drop when something changes that it depends on.
pub fn about(mut redirect: Response, topic: Topic) -> Response {
    redirect.extensions_mut().insert(About(topic));
    redirect
}

fn key_of(asked: &Asked, route: &Route, visit: &Visit) -> Key {
    Key {
        path: asked.path.clone(),
        query: known_query(&asked.query, route.query),
        age_verified: visit.age_verified,
        signed_in: visit.user.is_some(),
        payload: asked.payload,
    }
}

/// The parameters that the route uses, as given: others do not affect the page.
fn known_query(raw: &str, known: &[&str]) -> String {
    if raw.is_empty() {
        return String::new();
    }
    let mut out = form_urlencoded::Serializer::new(String::new());
    out.extend_pairs(form_urlencoded::parse(raw.as_bytes()).filter(|(name, _)| known.contains(&name.as_ref())));
    out.finish()
}
