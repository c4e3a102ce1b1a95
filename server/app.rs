//! A running shop: everything that handlers reach, made once by the same builder for the program and for tests.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use arc_swap::ArcSwap;
use axum::extract::FromRef;

use crate::activity::queue::ActivityQueue;
use crate::age;
use crate::audit;
use crate::audit::head::Head;
use crate::catalog;
use crate::catalog::listing::ListingError;
use crate::catalog::service::Catalog;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::{Db, DbError, Purpose};
use crate::identity::{Identity, IdentityError};
use crate::integrations::smtp::{SmtpMailer, SmtpStartError};
use crate::integrations::square::{ClientError, Patience, Square};
use crate::jobs;
use crate::jobs::state::WorkerState;
use crate::mail::mailer::Mailer;
use crate::media::{Media, MediaError};
use crate::notifications::sender::{Sender, SenderError};
use crate::payments::attempts::Settled;
use crate::payments::limits::Turns;
use crate::payments::pickup::Pickup;
use crate::payments::provider::PaymentProvider;
use crate::payments::service::Providers;
use crate::reports::service::Freshness;
use crate::settings;
use crate::settings::service::{News, Texts};
use crate::stock;
use crate::web::cache::PageCache;
use crate::web::dev::Reloads;
use crate::web::drain::Drain;
use crate::web::headers::SecurityHeaders;
use crate::web::limit::NetworkLimiter;
use crate::web::site::{Site, SiteError};

/// Activity of one network.
const EVENTS_PER_MINUTE: u32 = 600;

/// The handle that handlers take. Cheap to clone.
#[derive(Clone)]
pub struct App {
    shop: Arc<Shop>,
    /// Through the connections of those whom this handle serves: shoppers, unless it was made for others.
    pub db: Db,
}

pub struct Shop {
    pub config: Config,
    pub clock: Arc<dyn Clock>,
    pub catalog: Catalog,
    pub media: Arc<Media>,
    pub pages: PageCache,
    pub settings: News,
    pub identity: Identity,
    pub payments: Providers,
    pub settled: Settled,
    pub turns_to_pay: Turns,
    pub jobs: WorkerState,
    pub webhooks: Sender,
    pub cookie_key: cookie::Key,
    pub security_headers: SecurityHeaders,
    pub client_error_limiter: NetworkLimiter,
    pub activity: ActivityQueue,
    pub activity_limiter: NetworkLimiter,
    pub reports: Freshness,
    pub audit_head: Head,
    /// None when the settings are missing: then no mail is sent.
    pub mailer: Option<Arc<dyn Mailer>>,
    pub reloads: Reloads,
    pub drain: Drain,
    /// UTC milliseconds.
    pub started_at: i64,
    site: ArcSwap<Site>,
    texts: ArcSwap<Texts>,
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
    #[error("card payment: {0}")]
    Square(#[from] ClientError),
    #[error("the app: {0}")]
    Site(#[from] SiteError),
    #[error("the mail settings: {0}")]
    Mail(#[from] SmtpStartError),
    #[error("webhooks: {0}")]
    Webhooks(#[from] SenderError),
}

impl App {
    /// Puts a shop together on an open database. `site` starts the isolates.
    pub async fn build(config: Config, clock: Arc<dyn Clock>, db: Db, site: Site) -> Result<Self, StartError> {
        let media = Arc::new(open_media(&config.data.folder)?);
        let catalog = Catalog::load(db.clone(), Arc::clone(&clock)).await?;
        let texts = Texts::load(&db, &config, clock.as_ref()).await?;
        let shop = Arc::new(Shop {
            pages: PageCache::default(),
            settings: News::default(),
            identity: Identity::new(&config, &clock)?,
            payments: providers(&config)?,
            settled: Settled::default(),
            turns_to_pay: Turns::default(),
            jobs: WorkerState::default(),
            webhooks: Sender::new(&config)?,
            cookie_key: age::cookie::key(config.secret.expose()),
            security_headers: SecurityHeaders::new(&config),
            client_error_limiter: NetworkLimiter::per_minute(30),
            activity: ActivityQueue::start(db.of(Purpose::Jobs)),
            activity_limiter: NetworkLimiter::per_minute(EVENTS_PER_MINUTE),
            reports: Freshness::default(),
            audit_head: Head::default(),
            mailer: open_mailer(&config, &texts)?,
            texts: ArcSwap::from_pointee(texts),
            reloads: Reloads::default(),
            drain: Drain::default(),
            started_at: clock.now_ms(),
            site: ArcSwap::from_pointee(site),
            config,
            clock,
            catalog,
            media,
        });
        follow_commits(&shop, &db);
        let app = Self { shop, db };
        audit::head::log(&app).await?;
        Ok(app)
    }

    /// The same shop for those who work in it, with database connections of their own.
    #[must_use]
    pub fn for_staff(&self) -> Self {
        Self { shop: Arc::clone(&self.shop), db: self.db.of(Purpose::Staff) }
    }

    /// Likewise, for what it does by itself.
    #[must_use]
    pub fn for_jobs(&self) -> Self {
        Self { shop: Arc::clone(&self.shop), db: self.db.of(Purpose::Jobs) }
    }

    /// The bundle in service.
    pub fn site(&self) -> Arc<Site> {
        self.site.load_full()
    }

    /// What every page may say.
    pub fn texts(&self) -> Arc<Texts> {
        self.texts.load_full()
    }

    pub fn replace_texts(&self, texts: Texts) {
        self.texts.store(Arc::new(texts));
    }

    pub fn replace_site(&self, site: Arc<Site>) {
        self.site.store(site);
    }
}

/// Has the shop act on what is committed.
fn follow_commits(shop: &Arc<Shop>, db: &Db) {
    let on = |effect, act: fn(&Shop)| {
        // The database is a part of the shop, so it must not keep it alive.
        let shop = Arc::downgrade(shop);
        db.after_commit(effect, move |_| {
            if let Some(shop) = shop.upgrade() {
                act(&shop);
            }
            std::future::ready(())
        });
    };
    let show_at_once = |shop: &Shop| {
        shop.pages.clear();
        shop.catalog.changed();
    };
    on(jobs::service::ADDED, |shop| shop.jobs.ring());
    on(stock::service::MOVED, |shop| shop.catalog.changed());
    on(stock::adjust::ADJUSTED, show_at_once);
    on(catalog::service::CHANGED, |shop| shop.catalog.changed());
    on(catalog::service::EDITED, show_at_once);
    let shop = Arc::downgrade(shop);
    db.after_commit(settings::service::CHANGED, move |db| {
        let app = shop.upgrade().map(|shop| App { shop, db });
        async move {
            if let Some(app) = app {
                settings::service::changed(&app).await;
            }
        }
    });
}

/// Who takes money, as far as it is configured.
fn providers(config: &Config) -> Result<Providers, ClientError> {
    let square = match &config.square {
        Some(square) => Some(Arc::new(Square::new(square, Patience::default())?) as Arc<dyn PaymentProvider>),
        None => None,
    };
    Ok(Providers { square, pickup: Arc::new(Pickup) })
}

fn open_mailer(config: &Config, texts: &Texts) -> Result<Option<Arc<dyn Mailer>>, SmtpStartError> {
    let Some(settings) = &config.mail else { return Ok(None) };
    let mailer = SmtpMailer::new(settings, &texts.company.name, &texts.company.email)?;
    Ok(Some(Arc::new(mailer)))
}

/// The picture pipeline over a data folder.
pub fn open_media(folder: &Path) -> Result<Media, MediaError> {
    Media::open(folder)
}

impl Deref for App {
    type Target = Shop;

    fn deref(&self) -> &Shop {
        &self.shop
    }
}

impl FromRef<App> for Arc<Media> {
    fn from_ref(app: &App) -> Self {
        Arc::clone(&app.media)
    }
}
