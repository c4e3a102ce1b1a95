//! All addresses of the shop.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRef;
use axum::http::{HeaderMap, Request};
use axum::middleware::{from_fn, from_fn_with_state, map_request};
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;
use axum::{Extension, Router};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::trace::TRACE;
use shop_domain::activity::model::matches_pattern;
use shop_domain::catalog::query::LIST_PARAMETERS;
use shop_http::admin::rights::Permission;
use shop_http::admin::settings;
use shop_http::files::{assets, builds, icon, robots, well_known};
use shop_http::identity::extract::identify;
use shop_http::identity::{logout, sign_in};
use shop_http::layers::compression::{compress_at_once, is_to_compress};
use shop_http::layers::cors;
use shop_http::layers::guard::{Guard, Middleware, UnknownMiddleware, guard};
use shop_http::layers::limits::limit;
use shop_http::layers::outermost::Outermost;
use shop_http::layers::refusals;
use shop_http::layers::request_id::{accept_request_id, request_id};
use shop_http::metrics::requests::{RequestFigures, note_route};
use shop_http::page::serve;
use shop_http::page::serve::{KeptRoute, KeptRoutes, PageLayer};
use shop_http::storefront::{activity, age, cart, catalog, checkout, customers, home, legal, orders};
use shop_http::{admin, client_errors, dev, health, policy_reports};
use shop_platform::media;
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::extract::PAYLOAD;
use shop_platform::web::known_pages::KnownPages;
use shop_platform::web::logged_path::logged_path;
use shop_platform::web::see_other::see_other;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::trace::TraceLayer;
use tracing::field::Empty;
use tracing::{Level, Span};

use crate::admin_routes;
use crate::app::App;
use crate::bundle::LICENSES;
use crate::routing::{delete, get, patch, post};

/// Of a method that is logged, in bytes.
const LONGEST_METHOD: usize = 20;

/// A request that takes longer is aborted.
const TIME_LIMIT: Duration = Duration::from_secs(30);
/// The limit where staff upload whole files, possibly over a slow connection.
const UPLOAD_TIME_LIMIT: Duration = Duration::from_secs(300);
const UPLOADS: [&str; 2] = ["/api/admin/pictures", "/api/admin/products/imports"];

/// A page: its path serves the document, `{path}/_payload.json` its envelope.
#[derive(Debug)]
pub struct PageRoute {
    pub path: &'static str,
    pub handler: fn() -> MethodRouter<App>,
    /// Names of middleware, outermost first.
    pub middleware: &'static [&'static str],
    /// Query parameters that change what it shows.
    pub query: &'static [&'static str],
    /// It is the same for all visitors, but for what the layout shows of them.
    pub is_kept: bool,
    /// The permission that `admin-rbac` requires; to see the shop, if none is given.
    pub needs: Option<Permission>,
}

pub static PAGES: &[PageRoute] = &[
    PageRoute {
        path: "/",
        handler: || get(home::pages::home),
        middleware: &[],
        query: &[],
        is_kept: true,
        needs: None,
    },
    PageRoute {
        path: "/products",
        handler: || get(catalog::pages::list::products),
        middleware: &[],
        query: LIST_PARAMETERS,
        is_kept: true,
        needs: None,
    },
    PageRoute {
        path: "/category/{slug}",
        handler: || get(catalog::pages::list::category),
        middleware: &[],
        query: LIST_PARAMETERS,
        is_kept: true,
        needs: None,
    },
    PageRoute {
        path: "/product/{id}",
        handler: || get(catalog::pages::product::product),
        middleware: &[],
        query: &["variant"],
        is_kept: true,
        needs: None,
    },
    PageRoute {
        path: "/checkout",
        handler: || get(checkout::pages::checkout).merge(post(checkout::pages::order)),
        middleware: &[],
        query: &["draft"],
        is_kept: false,
        needs: None,
    },
    PageRoute {
        path: "/checkout/confirm",
        handler: || get(checkout::confirm::pages::page).merge(post(checkout::confirm::pages::order)),
        middleware: &[],
        query: &["link"],
        is_kept: false,
        needs: None,
    },
    PageRoute {
        path: "/order-confirmation",
        handler: || get(orders::pages::confirmation),
        middleware: &[],
        query: &["order"],
        is_kept: false,
        needs: None,
    },
    PageRoute {
        path: "/cart",
        handler: || get(cart::pages::cart).merge(post(cart::pages::edit)),
        middleware: &[],
        query: &[],
        is_kept: false,
        needs: None,
    },
    PageRoute {
        path: "/content/legal/{document}",
        handler: || get(legal::pages::document),
        middleware: &[],
        query: &[],
        is_kept: true,
        needs: None,
    },
    PageRoute {
        path: "/account",
        handler: || get(customers::pages::account).merge(post(customers::pages::edit)),
        middleware: &[Middleware::AUTH],
        query: &["from", "open"],
        is_kept: false,
        needs: None,
    },
    admin_page("/admin/overview", Permission::SeeShop, || get(admin::overview::pages::overview)),
    admin_page("/admin/analytics", Permission::SeeShop, || get(admin::analytics::pages::analytics)),
    admin_page("/admin/debug", Permission::Operate, || get(admin::debug::pages::debug)),
    admin_page("/admin/users", Permission::SeeShop, || get(admin::users::list::page)),
    admin_page("/admin/users/guests", Permission::SeeShop, || get(admin::users::guests::list::page)),
    admin_page("/admin/users/{id}", Permission::SeeShop, || get(admin::users::pages::user)),
    admin_page("/admin/products", Permission::SeeShop, || get(admin::products::list::page)),
    admin_page("/admin/products/new", Permission::EditCatalog, || get(admin::products::pages::new)),
    admin_page("/admin/products/import", Permission::EditCatalog, || get(admin::products::pages::import)),
    admin_page("/admin/products/groups", Permission::SeeShop, || get(admin::products::groups::pages::show)),
    admin_page("/admin/products/{id}", Permission::SeeShop, || get(admin::products::pages::edit)),
    admin_page("/admin/testing", Permission::Operate, || get(admin::testing::pages::testing)),
    admin_page("/admin/audit", Permission::SeeAudit, || get(admin::audit::list::page)),
    admin_page("/admin/orders", Permission::SeeShop, || get(admin::orders::list::page)),
    admin_page("/admin/orders/new", Permission::ManageOrders, || get(admin::orders::pages::new_order)),
    admin_page("/admin/orders/drafts", Permission::SeeShop, || get(admin::orders::drafts::list::page)),
    admin_page("/admin/orders/drafts/{number}", Permission::SeeShop, || get(admin::orders::drafts::pages::draft)),
    admin_page("/admin/orders/drafts/{number}/edit", Permission::ManageOrders, || {
        get(admin::orders::drafts::pages::edit)
    }),
    admin_page("/admin/orders/unfinished", Permission::SeeShop, || get(admin::orders::unfinished::list::page)),
    admin_page("/admin/orders/{number}", Permission::SeeShop, || get(admin::orders::pages::order)),
    admin_page("/admin/orders/{number}/packing-slip", Permission::SeeShop, || get(admin::orders::pages::packing_slip)),
    admin_page("/admin/orders/{number}/invoice", Permission::SeeShop, || get(admin::orders::pages::invoice)),
    admin_page("/admin/settings", Permission::EditSettings, || get(admin::settings::pages::page)),
    admin_page("/admin/settings/promotions", Permission::EditSettings, || get(admin::settings::promotions::list::page)),
    admin_page("/admin/settings/shipping", Permission::EditSettings, || get(admin::settings::shipping::pages::page)),
    admin_page("/admin/settings/tax", Permission::EditSettings, || get(admin::settings::tax::pages::page)),
    admin_page("/admin/settings/compliance", Permission::EditSettings, || {
        get(admin::settings::compliance::pages::page)
    }),
    admin_page("/admin/settings/legal", Permission::EditSettings, || get(admin::settings::legal::pages::page)),
    admin_page("/admin/settings/company", Permission::EditSettings, || get(admin::settings::company::pages::page)),
    admin_page("/admin/settings/reports", Permission::EditSettings, || get(settings::regulatory_reports::pages::page)),
    admin_page("/admin/settings/roles", Permission::EditSettings, || get(admin::settings::roles::pages::page)),
    admin_page("/admin/settings/mail", Permission::EditSettings, || get(admin::settings::mail::pages::page)),
    admin_page("/admin/settings/webhooks", Permission::EditSettings, || {
        get(admin::settings::webhooks::pages::webhooks)
    }),
    admin_page("/admin/settings/webhooks/log", Permission::EditSettings, || {
        get(admin::settings::webhooks::log::list::page)
    }),
    admin_page("/admin/settings/webhooks/log/{id}", Permission::EditSettings, || {
        get(admin::settings::webhooks::log::pages::dispatch)
    }),
    admin_page("/admin/settings/webhooks/{id}", Permission::EditSettings, || {
        get(admin::settings::webhooks::pages::webhook)
    }),
    PageRoute {
        path: "/test-email",
        handler: || get(admin::test_email::pages::show).merge(post(admin::test_email::pages::send)),
        middleware: &[Middleware::ADMIN],
        query: &[],
        is_kept: false,
        needs: None,
    },
    PageRoute {
        path: "/verify-age",
        handler: || get(age::pages::leave).merge(post(age::pages::enter)),
        middleware: &[],
        query: &[],
        is_kept: false,
        needs: None,
    },
];

/// Queries on [`PAGES`].
pub const KNOWN_PAGES: KnownPages = KnownPages { has: is_page, may_ask_for_sign_in };

fn is_page(path: &str) -> bool {
    PAGES.iter().any(|route| matches_pattern(path, route.path))
}

fn may_ask_for_sign_in(address: &str) -> bool {
    const ASK: [&str; 2] = [Middleware::AUTH, Middleware::ADMIN];
    let guarded = PAGES.iter().filter(|page| page.middleware.iter().any(|name| ASK.contains(name)));
    guarded.map(|page| page.path.split('{').next().unwrap_or_default()).any(|path| address.starts_with(path))
}

/// A page of the admin area.
const fn admin_page(path: &'static str, needs: Permission, handler: fn() -> MethodRouter<App>) -> PageRoute {
    PageRoute { path, handler, middleware: &[Middleware::ADMIN], query: &[], is_kept: false, needs: Some(needs) }
}

/// The whole shop as one service, with these pages.
pub fn router(app: App, pages: &'static [PageRoute]) -> Result<Outermost, UnknownMiddleware> {
    let layer = Arc::new(PageLayer::from_ref(&app));
    let mut router = Router::new();
    for route in pages {
        router = router.merge(page(&app, &layer, route)?);
    }
    let router = router
        .merge(admin_routes::calls(&app))
        // Calls
        .route("/api/verify-age", post(age::api::verify))
        .route(
            "/api/me",
            get(customers::api::me).merge(patch(customers::api::change)).merge(delete(customers::api::delete)),
        )
        .route("/api/me/preferences", patch(customers::api::change_preferences))
        .route("/api/me/addresses", post(customers::api::add_address))
        .route("/api/me/addresses/{id}", delete(customers::api::remove_address))
        .route("/api/me/sessions", get(customers::api::sessions).merge(delete(customers::api::end_other_sessions)))
        .route("/api/me/sessions/{id}", delete(customers::api::end_session))
        .route("/api/me/export", get(customers::api::export))
        .route("/api/search/suggest", get(catalog::api::suggest))
        .route("/api/cart", get(cart::api::get))
        .route("/api/cart/sync", post(cart::api::sync))
        .route("/api/cart/guest", post(cart::api::sync_guest))
        .route("/api/checkout/quote", post(checkout::api::quote))
        .route("/api/checkout/pay", post(checkout::api::pay))
        .route("/api/checkout/confirm", post(checkout::api::confirm))
        .route("/api/checkout/{checkout_id}", get(checkout::api::status))
        .route("/webhooks/square", post(shop_http::payment_webhooks::square_webhook))
        .route("/api/me/activity", post(activity::api::record))
        .route("/api/client-errors", post(client_errors::report))
        .route("/api/policy-reports", post(policy_reports::report))
        // Sign-in
        .route("/auth/login", get(sign_in::login))
        .route("/auth/signup", get(sign_in::signup))
        .route("/auth/callback", get(sign_in::callback))
        .route("/auth/popup.js", get(sign_in::popup_script))
        .route("/auth/logout", post(logout::logout))
        .route("/auth/backchannel-logout", post(logout::back_channel))
        .route("/admin", get(async || see_other("/admin/overview")))
        // Files
        .route("/assets/{file}", get(assets::asset))
        .route("/images/{file}", get(media::api::image))
        .route("/icon.svg", get(icon::drawing))
        .route("/favicon.ico", get(icon::small))
        .route("/apple-touch-icon.png", get(icon::large))
        .route("/apple-touch-icon-precomposed.png", get(icon::large))
        // Builds, crawlers, operations
        .route("/builds/latest.json", get(builds::latest))
        .route("/builds/meta/{file}", get(builds::meta))
        .route("/robots.txt", get(robots::robots))
        .route("/.well-known/security.txt", get(well_known::security_txt))
        .route(
            "/licenses.txt",
            get(async |request: HeaderMap| assets::send("licenses.txt", LICENSES.clone(), &request)),
        )
        .route("/.well-known/change-password", get(well_known::change_password))
        .route("/sitemap.xml", get(catalog::sitemap::sitemap))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/dev/reload", get(dev::reload))
        .route_layer(from_fn_with_state(Arc::clone(&app.parts.requests), note_route))
        .method_not_allowed_fallback(async || Error::MethodNotAllowed)
        .fallback(serve::no_route);
    let cx: Context = (*app).clone();
    // Stacks around the whole router: layers of the router itself would be boxed and cloned for each request, one inside the other.
    let deciding = ServiceBuilder::new()
        .layer(CompressionLayer::new().compress_when(is_to_compress()))
        .layer(from_fn(compress_at_once))
        .layer(from_fn_with_state(app.clone(), cors::allow_shop))
        .layer(from_fn_with_state(Arc::clone(&layer), serve::errors))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn(time_limit))
        .layer(from_fn_with_state(
            (cx.clone(), Arc::clone(&app.parts.identity), Arc::clone(&app.parts.lines)),
            identify,
        ))
        .layer(from_fn_with_state((cx.clone(), Arc::clone(&app.parts.lines)), refusals::record))
        .layer(from_fn_with_state((cx, Arc::clone(&app.parts.limits)), limit))
        .layer(Extension(KNOWN_PAGES))
        .service(router.with_state(app.clone()));
    let logged = ServiceBuilder::new()
        .layer(map_request(accept_request_id))
        .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
        // Failures are logged where they occur, so they are not logged again here.
        .layer(TraceLayer::new_for_http().make_span_with(span).on_response(note_status).on_failure(()))
        .layer(PropagateRequestIdLayer::x_request_id())
        .service(Router::new().fallback_service(deciding));
    Ok(Outermost {
        kept_routes: kept_routes(pages, &app.parts.requests),
        headers: Arc::clone(&app.parts.security_headers),
        drain: Arc::clone(&app.parts.drain),
        pages: layer,
        rest: Router::new().fallback_service(logged),
    })
}

/// Of pages that may be kept. One with middleware is only answered behind it.
fn kept_routes(pages: &'static [PageRoute], requests: &RequestFigures) -> KeptRoutes {
    let is_open = |route: &&PageRoute| route.is_kept && route.middleware.is_empty();
    let kept = |route: &PageRoute| KeptRoute {
        pattern: route.path,
        route: route.into(),
        documents: requests.of(route.path),
        payloads: requests.of(&payload_path(route.path)),
    };
    pages.iter().filter(is_open).map(kept).collect()
}

/// Where the envelope of a page is.
fn payload_path(page: &str) -> String {
    if page == "/" { PAYLOAD.to_owned() } else { format!("{page}{PAYLOAD}") }
}

impl From<&PageRoute> for serve::Route {
    fn from(route: &PageRoute) -> Self {
        Self { query: route.query, is_kept: route.is_kept }
    }
}

fn page(app: &App, layer: &Arc<PageLayer>, route: &'static PageRoute) -> Result<Router<App>, UnknownMiddleware> {
    let payload = payload_path(route.path);
    // Staff have database connections of their own.
    let state = if route.middleware.contains(&Middleware::ADMIN) { app.for_staff() } else { app.clone() };
    let mut router = Router::new()
        .route(route.path, (route.handler)().with_state(state.clone()))
        .route(&payload, (route.handler)().with_state(state))
        .route_layer(from_fn_with_state((Arc::clone(layer), serve::Route::from(route)), serve::page));
    for name in route.middleware.iter().rev() {
        let middleware: Middleware = name.parse()?;
        let before = Guard {
            cookies: SignedCookies::from_ref(app),
            can_sign_in: app.parts.identity.provider.is_some(),
            middleware,
            needs: route.needs,
        };
        router = router.route_layer(from_fn_with_state(before, guard));
    }
    Ok(router)
}

async fn time_limit(request: axum::extract::Request, next: axum::middleware::Next) -> Response {
    let limit = if UPLOADS.contains(&request.uri().path()) { UPLOAD_TIME_LIMIT } else { TIME_LIMIT };
    match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Error::Timeout.into_response(),
    }
}

fn panicked(cause: Box<dyn std::any::Any + Send>) -> Response {
    let message = cause.downcast_ref::<String>().map(String::as_str).or(cause.downcast_ref::<&str>().copied());
    Error::internal(format!("panicked: {}", message.unwrap_or("no message"))).into_response()
}

/// One span per request. The query is left out: it may contain user input, or a secret. Its level is that of errors, so that whatever is
/// logged about a request has its id, however little that is.
fn span<B>(request: &Request<B>) -> Span {
    let id = request_id(request.headers()).unwrap_or_default();
    let (method, path) = (request.method().as_str(), logged_path(request.uri().path()));
    let path: &str = &path;
    // Anybody may invent a longer one.
    let method = method.get(..LONGEST_METHOD).unwrap_or(method);
    if tracing::enabled!(target: TRACE, Level::DEBUG) {
        // With what collectors of traces expect: `note_route` and `note_status` know the rest.
        tracing::error_span!(
            "request",
            %method,
            path,
            id,
            account = Empty,
            otel.name = %method,
            otel.kind = "server",
            otel.status_code = Empty,
            http.request.method = %method,
            http.route = Empty,
            http.response.status_code = Empty,
            url.path = path,
        )
    } else {
        tracing::error_span!("request", %method, path, id, account = Empty)
    }
}

fn note_status<B>(response: &axum::http::Response<B>, _: Duration, span: &Span) {
    let status = response.status();
    span.record("http.response.status_code", status.as_u16());
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
}
