//! A running shop: all dependencies of the handlers, built in the same way for the program and for tests.

mod commits;
mod handler_parts;

use std::ops::Deref;
use std::sync::Arc;

use arc_swap::ArcSwap;
use shop_base::clock::Clock;
use shop_base::config::Config;
use shop_base::context::Context;
use shop_base::db::{Db, DbError, Purpose};
use shop_base::security::Lines;
use shop_domain::activity::queue::ActivityQueue;
use shop_domain::activity::service::Intake;
use shop_domain::analytics::service::Freshness;
use shop_domain::catalog::import_export::import::Running;
use shop_domain::catalog::listing::{Listing, ListingError};
use shop_domain::catalog::service::Catalog;
use shop_domain::identity::provider::IdentityProvider;
use shop_domain::identity::{Identity, IdentityError};
use shop_domain::sales::flows::limits::NetworkLocks;
use shop_domain::sales::flows::parts::{Payments, Providers, Settled};
use shop_domain::sales::records::payments::in_store::Pickup;
use shop_domain::sales::records::payments::provider::PaymentProvider;
use shop_http::client_errors::ClientErrorLimiter;
use shop_http::connections::Connections;
use shop_http::dev::Reloads;
use shop_http::files::icon::Icons;
use shop_http::health::Told;
use shop_http::layers::drain::Drain;
use shop_http::layers::headers::SecurityHeaders;
use shop_http::layers::limits::Limits;
use shop_http::metrics::endpoint::MetricsParts;
use shop_http::metrics::requests::RequestFigures;
use shop_http::page::cache::PageCache;
use shop_http::page::turns::AllTurns;
use shop_http::page::visit::Users;
use shop_http::storefront::activity::api::ActivityReceiver;
use shop_http::storefront::catalog::sitemap::Sitemaps;
use shop_integrations::openid::{OpenId, OpenIdStartError};
use shop_integrations::purging::{Purger, PurgerStartError};
use shop_integrations::smtp::{SmtpMailer, SmtpStartError};
use shop_integrations::square::{ClientError, Patience, Square};
use shop_platform::audit::head::Head;
use shop_platform::builds::service::OtherBuilds;
use shop_platform::jobs::state::WorkerState;
use shop_platform::mail::mailer::Mailer;
use shop_platform::mail::service::MailService;
use shop_platform::media::{Media, MediaError};
use shop_platform::metrics::limit_hits;
use shop_platform::settings::texts::{Settings, Texts};
use shop_platform::web::cookies::CookieKeys;
use shop_platform::web::known_pages::KnownPages;
use shop_platform::web::limit::NetworkLimiter;
use shop_platform::web::site::{Site, SiteError, StartedAt};
use shop_platform::webhooks::sender::{Sender, SenderError};

use self::commits::follow_commits;

/// Rate limit for the activity of one network.
const EVENTS_PER_MINUTE: u32 = 600;

/// All dependencies, of which each handler takes its part. Cheap to clone.
#[derive(Clone)]
pub struct App {
    cx: Context,
    pub parts: Arc<Parts>,
}

/// The shared singletons.
pub struct Parts {
    pub catalog: Arc<Catalog>,
    /// Import files that this node is currently reading.
    pub imports: Arc<Running>,
    pub media: Arc<Media>,
    pub pages: PageCache,
    pub turns: Arc<AllTurns>,
    /// None unless a shared cache in front of the shop can be purged.
    pub purger: Option<Purger>,
    pub users: Users,
    pub settings: Arc<Settings>,
    pub identity: Arc<Identity>,
    pub providers: Arc<Providers>,
    pub settled: Settled,
    pub network_locks: Arc<NetworkLocks>,
    pub jobs: Arc<WorkerState>,
    pub webhooks: Arc<Sender>,
    pub cookie_keys: CookieKeys,
    pub security_headers: Arc<SecurityHeaders>,
    pub client_errors: Arc<ClientErrorLimiter>,
    /// Those of the log about what anybody can cause.
    pub lines: Arc<Lines>,
    pub limits: Arc<Limits>,
    pub activity: Arc<ActivityReceiver>,
    pub reports: Arc<Freshness>,
    pub audit_head: Arc<Head>,
    /// None when the settings are missing; then no mail is sent.
    pub mailer: Option<Arc<dyn Mailer>>,
    pub reloads: Arc<Reloads>,
    pub drain: Arc<Drain>,
    pub told: Arc<Told>,
    pub requests: Arc<RequestFigures>,
    pub started_at: StartedAt,
    pub sitemaps: Arc<Sitemaps>,
    pub icons: Arc<Icons>,
    pub other_builds: Arc<OtherBuilds>,
    site: Arc<ArcSwap<Site>>,
}

/// Why the shop could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("the database: {0}")]
    Db(#[from] DbError),
    #[error("the catalog: {0}")]
    Catalog(#[from] ListingError),
    #[error("the pictures: {0}")]
    Media(#[from] MediaError),
    #[error("sign-in: {0}")]
    Identity(#[from] IdentityError),
    #[error("sign-in: {0}")]
    OpenId(#[from] OpenIdStartError),
    #[error("card payment: {0}")]
    Square(#[from] ClientError),
    #[error("the app: {0}")]
    Site(#[from] SiteError),
    #[error("the mail settings: {0}")]
    Mail(#[from] SmtpStartError),
    #[error("webhooks: {0}")]
    Webhooks(#[from] SenderError),
    #[error("purging: {0}")]
    Purging(#[from] PurgerStartError),
}

/// The parts that need no database. They are made before it is opened, so that a first start that the settings prevent makes none.
pub struct FirstParts {
    media: Media,
    purger: Option<Purger>,
    identity: Identity,
    providers: Providers,
    webhooks: Sender,
    mailer: Option<Arc<dyn Mailer>>,
}

impl FirstParts {
    pub fn make(config: &Config, clock: &Arc<dyn Clock>) -> Result<Self, StartError> {
        Ok(Self {
            media: Media::open(&config.data)?,
            purger: purger(config)?,
            identity: Identity::new(config, identity_provider(config, clock)?)?,
            providers: providers(config)?,
            webhooks: Sender::new(config)?,
            mailer: open_mailer(config)?,
        })
    }
}

impl App {
    /// Builds a shop on an open database. `site` starts the isolates, beside which the catalog is loaded.
    pub async fn build(
        config: Config,
        clock: Arc<dyn Clock>,
        db: Db,
        site: impl Future<Output = Result<Site, SiteError>>,
    ) -> Result<Self, StartError> {
        let first = FirstParts::make(&config, &clock)?;
        Self::complete(config, clock, first, db, site).await
    }

    /// The same with the parts that were made before the database was opened.
    pub async fn complete(
        config: Config,
        clock: Arc<dyn Clock>,
        first: FirstParts,
        db: Db,
        site: impl Future<Output = Result<Site, SiteError>>,
    ) -> Result<Self, StartError> {
        let FirstParts { media, purger, identity, providers, webhooks, mailer } = first;
        let catalog = Arc::new(Catalog::load(db.clone(), Arc::clone(&clock)).await?);
        // All is read with the connection that the catalog was read with: for each new one, SQLite reads the definitions of all tables.
        let reading = db.of(Purpose::Lists);
        let texts = Texts::load(&reading, &config, clock.as_ref()).await?;
        let config = Arc::new(config);
        let site = site.await?;
        let parts = Arc::new(Parts {
            pages: PageCache::new(Arc::clone(&catalog.changes)),
            turns: Arc::default(),
            purger,
            users: Users::default(),
            identity: Arc::new(identity),
            providers: Arc::new(providers),
            settled: Settled::default(),
            network_locks: Arc::new(NetworkLocks::default()),
            jobs: Arc::default(),
            webhooks: Arc::new(webhooks),
            cookie_keys: CookieKeys::new(&config),
            security_headers: Arc::new(SecurityHeaders::new(&config)),
            client_errors: Arc::default(),
            lines: Arc::new(Lines::new(Arc::clone(&clock))),
            limits: Arc::default(),
            activity: Arc::new(ActivityReceiver {
                queue: ActivityQueue::start(db.of(Purpose::Jobs)),
                limiter: NetworkLimiter::per_minute(EVENTS_PER_MINUTE, &limit_hits::ACTIVITY),
            }),
            reports: Arc::default(),
            audit_head: Arc::default(),
            mailer,
            settings: Arc::new(Settings::new(texts)),
            reloads: Arc::default(),
            drain: Arc::default(),
            told: Arc::default(),
            requests: Arc::default(),
            started_at: StartedAt(clock.now_ms()),
            sitemaps: Arc::default(),
            icons: Arc::default(),
            other_builds: Arc::default(),
            site: Arc::new(ArcSwap::from_pointee(site)),
            catalog,
            imports: Arc::default(),
            media: Arc::new(media),
        });
        follow_commits(&parts, &config, &clock, &db);
        let app = Self { cx: Context { clock, config, db }, parts };
        app.parts.audit_head.log(&reading).await?;
        Ok(app)
    }

    /// The same shop with the database connections for staff.
    #[must_use]
    pub fn for_staff(&self) -> Self {
        self.of(Purpose::Staff)
    }

    /// The same shop with the database connections for jobs.
    #[must_use]
    pub fn for_jobs(&self) -> Self {
        self.of(Purpose::Jobs)
    }

    fn of(&self, purpose: Purpose) -> Self {
        Self { cx: self.cx.of(purpose), parts: Arc::clone(&self.parts) }
    }

    pub fn payments(&self) -> Payments {
        let Parts { providers, settled, network_locks, .. } = self.parts.as_ref();
        Payments {
            cx: self.cx.clone(),
            providers: Arc::clone(providers),
            settled: settled.clone(),
            network_locks: Arc::clone(network_locks),
        }
    }

    /// The intake of activity reports.
    pub fn intake<'a>(&'a self, listing: &'a Listing, pages: KnownPages) -> Intake<'a> {
        Intake { clock: self.clock.as_ref(), queue: &self.parts.activity.queue, listing, pages }
    }

    pub fn mail(&self) -> MailService {
        let Parts { mailer, settings, site, .. } = self.parts.as_ref();
        MailService {
            cx: self.cx.clone(),
            mailer: mailer.clone(),
            settings: Arc::clone(settings),
            renderer: site.load().renderer.clone(),
        }
    }

    /// What the metrics of this node are read from.
    pub fn metrics(&self, connections: Connections) -> MetricsParts {
        let Parts { site, pages, turns, catalog, media, jobs, requests, started_at, .. } = self.parts.as_ref();
        MetricsParts {
            cx: self.cx.of(Purpose::Staff),
            site: Arc::clone(site),
            pages: pages.clone(),
            turns: Arc::clone(turns),
            catalog: Arc::clone(catalog),
            media: Arc::clone(media),
            jobs: Arc::clone(jobs),
            requests: Arc::clone(requests),
            connections,
            started_at: *started_at,
        }
    }

    /// The bundle that is being served.
    pub fn site(&self) -> Arc<Site> {
        self.parts.site.load_full()
    }

    /// The texts that pages may use.
    pub fn texts(&self) -> Arc<Texts> {
        self.parts.settings.texts()
    }

    pub fn replace_site(&self, site: Arc<Site>) {
        self.parts.site.store(site);
    }
}

fn purger(config: &Config) -> Result<Option<Purger>, PurgerStartError> {
    let purging = config.cdn.as_ref().and_then(|cdn| cdn.purging.clone());
    purging.map(Purger::new).transpose()
}

/// The identity provider, if one is configured.
pub fn identity_provider(
    config: &Config,
    clock: &Arc<dyn Clock>,
) -> Result<Option<Arc<dyn IdentityProvider>>, OpenIdStartError> {
    let Some(settings) = &config.identity else { return Ok(None) };
    let provider = OpenId::new(settings.clone(), config.http.origin(), Arc::clone(clock))?;
    Ok(Some(Arc::new(provider)))
}

/// The configured payment providers.
pub fn providers(config: &Config) -> Result<Providers, ClientError> {
    let square = match &config.square {
        Some(square) => Some(Arc::new(Square::new(square, Patience::default())?) as Arc<dyn PaymentProvider>),
        None => None,
    };
    Ok(Providers { square, pickup: Arc::new(Pickup) })
}

fn open_mailer(config: &Config) -> Result<Option<Arc<dyn Mailer>>, SmtpStartError> {
    let Some(settings) = &config.mail else { return Ok(None) };
    Ok(Some(Arc::new(SmtpMailer::new(settings)?)))
}

impl Deref for App {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.cx
    }
}
