//! What handlers take of the shop.

use std::sync::Arc;

use axum::extract::FromRef;
use shop_base::context::Context;
use shop_base::db::Purpose;
use shop_base::security::Lines;
use shop_domain::analytics::service::Freshness;
use shop_domain::catalog::import_export::import::Running;
use shop_domain::catalog::service::Catalog;
use shop_domain::identity::Identity;
use shop_domain::sales::flows::parts::Payments;
use shop_http::admin::debug::pages::DebugParts;
use shop_http::admin::testing::checks::Services;
use shop_http::client_errors::ClientErrorLimiter;
use shop_http::dev::Reloads;
use shop_http::files::icon::Icons;
use shop_http::health::HealthParts;
use shop_http::page::render::PageRenderer;
use shop_http::page::serve::PageLayer;
use shop_http::storefront::activity::api::ActivityReceiver;
use shop_http::storefront::catalog::sitemap::Sitemaps;
use shop_http::storefront::checkout::pages::CheckoutParts;
use shop_platform::audit::head::Head;
use shop_platform::builds::service::OtherBuilds;
use shop_platform::mail::service::MailService;
use shop_platform::media::Media;
use shop_platform::settings::texts::Texts;
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::site::{Site, StartedAt};
use shop_platform::webhooks::sender::Sender;

use super::{App, Parts};

/// Lets handlers take a single part.
macro_rules! parts {
    ($($name:ident: $part:ty),* $(,)?) => {
        $(impl FromRef<App> for Arc<$part> {
            fn from_ref(app: &App) -> Self {
                Arc::clone(&app.parts.$name)
            }
        })*
    };
}

parts! {
    activity: ActivityReceiver,
    audit_head: Head,
    catalog: Catalog,
    client_errors: ClientErrorLimiter,
    icons: Icons,
    identity: Identity,
    imports: Running,
    lines: Lines,
    media: Media,
    reloads: Reloads,
    reports: Freshness,
    sitemaps: Sitemaps,
    webhooks: Sender,
}

impl FromRef<App> for Context {
    fn from_ref(app: &App) -> Self {
        app.cx.clone()
    }
}

impl FromRef<App> for Payments {
    fn from_ref(app: &App) -> Self {
        app.payments()
    }
}

impl FromRef<App> for MailService {
    fn from_ref(app: &App) -> Self {
        app.mail()
    }
}

impl FromRef<App> for SignedCookies {
    fn from_ref(app: &App) -> Self {
        Self { cx: app.cx.clone(), keys: app.parts.cookie_keys.clone() }
    }
}

/// The bundle that is being served.
impl FromRef<App> for Arc<Site> {
    fn from_ref(app: &App) -> Self {
        app.site()
    }
}

impl FromRef<App> for Arc<OtherBuilds> {
    fn from_ref(app: &App) -> Self {
        Arc::clone(&app.parts.other_builds)
    }
}

impl FromRef<App> for Arc<Texts> {
    fn from_ref(app: &App) -> Self {
        app.texts()
    }
}

impl FromRef<App> for StartedAt {
    fn from_ref(app: &App) -> Self {
        app.parts.started_at
    }
}

impl FromRef<App> for PageRenderer {
    fn from_ref(app: &App) -> Self {
        let Parts { site, settings, catalog, users, identity, .. } = app.parts.as_ref();
        Self {
            cx: app.cx.clone(),
            site: Arc::clone(site),
            settings: Arc::clone(settings),
            catalog: Arc::clone(catalog),
            users: users.clone(),
            can_sign_in: identity.provider.is_some(),
        }
    }
}

impl FromRef<App> for HealthParts {
    fn from_ref(app: &App) -> Self {
        let Parts { catalog, jobs, drain, told, .. } = app.parts.as_ref();
        Self {
            cx: app.cx.of(Purpose::Lists),
            site: app.site(),
            catalog: Arc::clone(catalog),
            jobs: Arc::clone(jobs),
            drain: Arc::clone(drain),
            told: Arc::clone(told),
        }
    }
}

impl FromRef<App> for DebugParts {
    fn from_ref(app: &App) -> Self {
        let Parts { pages, catalog, media, jobs, started_at, .. } = app.parts.as_ref();
        Self {
            cx: app.cx.clone(),
            site: app.site(),
            pages: pages.clone(),
            catalog: Arc::clone(catalog),
            media: Arc::clone(media),
            jobs: Arc::clone(jobs),
            started_at: *started_at,
        }
    }
}

impl FromRef<App> for Services {
    fn from_ref(app: &App) -> Self {
        let Parts { media, identity, providers, mailer, .. } = app.parts.as_ref();
        Self {
            cx: app.cx.clone(),
            media: Arc::clone(media),
            identity: Arc::clone(identity),
            providers: Arc::clone(providers),
            mailer: mailer.clone(),
        }
    }
}

impl FromRef<App> for PageLayer {
    fn from_ref(app: &App) -> Self {
        Self {
            cookies: SignedCookies::from_ref(app),
            identity: Arc::clone(&app.parts.identity),
            kept: app.parts.pages.clone(),
            turns: Arc::clone(&app.parts.turns),
            renderer: PageRenderer::from_ref(app),
            requests: Arc::clone(&app.parts.requests),
            lines: Arc::clone(&app.parts.lines),
        }
    }
}

impl FromRef<App> for CheckoutParts {
    fn from_ref(app: &App) -> Self {
        Self { cookies: SignedCookies::from_ref(app), payments: app.payments(), texts: app.texts() }
    }
}
