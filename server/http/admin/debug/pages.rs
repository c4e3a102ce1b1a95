//! The state of this node.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use serde::Serialize;
use shop_base::clock::local_time;
use shop_base::config::Config;
use shop_base::context::Context;
use shop_base::db::PoolFigures;
use shop_base::error::Error;
use shop_base::recent_errors;
use shop_domain::catalog::service::Catalog;
use shop_domain::catalog::updates;
use shop_platform::jobs;
use shop_platform::jobs::model::Lane;
use shop_platform::jobs::state::WorkerState;
use shop_platform::media::Media;
use shop_platform::web::page::{Page, PageProps};
use shop_platform::web::site::{Site, StartedAt};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::admin::admin_meta;
use crate::page::cache::PageCache;

const PATH: &str = "/admin/debug";

/// Times are in the shop's time zone, `2026-11-21T12:00:05`.
#[derive(Debug, Serialize, ToSchema)]
pub struct DebugPage {
    pub updated_at: String,
    pub version: &'static str,
    /// Hash of the app's bundle.
    pub build: String,
    pub started_at: String,
    /// Seconds.
    pub uptime: i64,
    pub switches: Vec<Switch>,
    pub renderer: RendererView,
    pub caches: Vec<CacheView>,
    pub kept_pages: KeptPagesView,
    pub listing: ListingView,
    /// Renditions made since the start.
    pub pictures_made: u64,
    /// `SQLite 3.50.4`
    pub database: String,
    pub pools: Vec<PoolFigures>,
    pub lanes: Vec<LaneView>,
    pub jobs: Vec<JobView>,
    /// The last errors logged on this node, newest first.
    pub errors: Vec<ErrorView>,
    /// The effective settings, without secrets.
    pub config: String,
}

impl PageProps for DebugPage {
    const NAME: &'static str = "admin/debug";
}

/// An optional part of the shop, enabled by settings.
#[derive(Debug, Serialize, ToSchema)]
pub struct Switch {
    pub name: &'static str,
    pub is_on: bool,
}

/// Statistics of all isolates since the bundle was loaded, then of each.
#[derive(Debug, Serialize, ToSchema)]
pub struct RendererView {
    pub renders: u64,
    pub thrown: u64,
    pub timed_out: u64,
    pub out_of_memory: u64,
    pub overloaded: u64,
    /// Renders that are waiting now.
    pub queued: usize,
    /// 90th percentile of the render time in microseconds, rounded up to the next histogram bound; null if it is above the last one.
    pub ninety_percent: Option<u64>,
    pub isolates: Vec<IsolateView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct IsolateView {
    /// `starting`, `ready`, `rendering`.
    pub state: String,
    pub renders: u64,
    pub restarts: u64,
    /// Bytes.
    pub heap_used: usize,
    pub heap_total: usize,
    pub heap_limit: usize,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CacheView {
    pub name: &'static str,
    pub entries: u64,
    pub bytes: u64,
}

/// How requests for pages that may be kept were answered since the start.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeptPagesView {
    /// With a kept page.
    pub kept: u64,
    /// With a kept page, after its handler returned the same data again.
    pub confirmed: u64,
    pub rendered: u64,
    /// Visitors who were told to try again.
    pub refused: u64,
}

/// The products in memory that lists show, and how often they were read since the start.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListingView {
    pub products: usize,
    /// After changes of some products.
    pub updates: u64,
    /// How long the last one took, in milliseconds.
    pub updated_in: u64,
    /// Of all products.
    pub loads: u64,
    pub loaded_in: u64,
}

/// Figures of one lane: its jobs running on this node, and those waiting or dead in the whole shop.
#[derive(Debug, Serialize, ToSchema)]
pub struct LaneView {
    pub lane: Lane,
    pub running: usize,
    /// How many may run here at once.
    pub slots: usize,
    /// Due jobs that no node has taken, counted up to ten thousand.
    pub waiting: i64,
    /// Seconds for which the oldest of them has been due.
    pub oldest: Option<u64>,
    /// Jobs that were given up.
    pub dead: i64,
    /// When the first of them was given up.
    pub dead_since: Option<String>,
    /// Seconds since this node looked for work; null when it has no workers.
    pub last_look: Option<u64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct JobView {
    pub id: Uuid,
    pub name: String,
    /// `dead`, `running`, `failed` (will be retried), `waiting`.
    pub state: &'static str,
    pub attempts: i64,
    /// When it is due, or when it died.
    pub at: String,
    pub error: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorView {
    pub at: String,
    pub target: String,
    pub message: String,
    /// One line per field.
    pub detail: String,
}

/// What the debug page reads its data from.
#[derive(Clone)]
pub struct DebugParts {
    pub cx: Context,
    pub site: Arc<Site>,
    pub pages: PageCache,
    pub catalog: Arc<Catalog>,
    pub media: Arc<Media>,
    pub jobs: Arc<WorkerState>,
    pub started_at: StartedAt,
}

/// `GET /admin/debug`
pub async fn debug(State(node): State<DebugParts>) -> Result<Page, Error> {
    Page::new(PATH, &read(&node).await?, admin_meta("Debug"))
}

pub async fn read(node: &DebugParts) -> Result<DebugPage, Error> {
    let (now, zone) = (node.cx.clock.now_ms(), node.cx.zone());
    let site = &node.site;
    let jobs = jobs::service::list(&node.cx.db).await?;
    let job = |job: jobs::rows::Row| JobView {
        state: match (&job.dead_at, &job.last_error) {
            (Some(_), _) => "dead",
            _ if job.is_leased => "running",
            (None, Some(_)) => "failed",
            (None, None) => "waiting",
        },
        at: local_time(job.dead_at.unwrap_or(job.run_at), zone),
        id: job.id,
        name: job.name,
        attempts: job.attempts,
        error: job.last_error,
    };
    let lane = |lane: jobs::service::LaneFigures| LaneView {
        lane: lane.lane,
        running: lane.running,
        slots: lane.lane.slots(),
        waiting: lane.waiting,
        oldest: lane.oldest.map(|oldest| oldest.as_secs()),
        dead: lane.dead,
        dead_since: lane.dead_since.map(|since| local_time(since, zone)),
        last_look: lane.last_look.map(|look| look.as_secs()),
    };
    let error = |error: recent_errors::LoggedError| ErrorView {
        at: local_time(error.at, zone),
        target: error.target,
        message: error.message,
        detail: error.fields.iter().map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>().join("\n"),
    };
    let pages = node.pages.figures();
    let (fragment_entries, fragment_bytes) = site.fragments.figures();
    let (picture_entries, picture_bytes) = node.media.figures();
    Ok(DebugPage {
        updated_at: local_time(now, zone),
        version: env!("CARGO_PKG_VERSION"),
        build: site.manifest.build.clone(),
        started_at: local_time(node.started_at.0, zone),
        uptime: (now - node.started_at.0) / 1000,
        switches: switches(&node.cx.config),
        renderer: renderer(&site.renderer.stats()),
        caches: vec![
            CacheView { name: "Pages", entries: pages.entries, bytes: pages.bytes },
            CacheView { name: "Reused parts of pages", entries: fragment_entries, bytes: fragment_bytes },
            CacheView { name: "Images in memory", entries: picture_entries, bytes: picture_bytes },
        ],
        kept_pages: KeptPagesView {
            kept: pages.kept,
            confirmed: pages.confirmed,
            rendered: pages.rendered,
            refused: pages.refused,
        },
        listing: listing(&node.catalog.figures()),
        pictures_made: node.media.made(),
        database: node.cx.db.version().await?,
        pools: node.cx.db.pools(),
        lanes: jobs::service::lanes(&node.cx, &node.jobs).await?.into_iter().map(lane).collect(),
        jobs: jobs.into_iter().map(job).collect(),
        errors: recent_errors::list().into_iter().map(error).collect(),
        config: format!("{:#?}", node.cx.config),
    })
}

fn listing(figures: &updates::Figures) -> ListingView {
    let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    ListingView {
        products: figures.products,
        updates: figures.updates,
        updated_in: milliseconds(figures.updated_in),
        loads: figures.loads,
        loaded_in: milliseconds(figures.loaded_in),
    }
}

fn switches(config: &Config) -> Vec<Switch> {
    let switches = [
        ("Sign-in", config.identity.is_some()),
        ("Card payment", config.square.is_some()),
        ("Email", config.mail.is_some()),
        ("Traffic beacon", config.analytics.is_some()),
        ("Demo", config.demo),
        ("Development bundle", config.dev_bundle.is_some()),
    ];
    switches.into_iter().map(|(name, is_on)| Switch { name, is_on }).collect()
}

fn renderer(stats: &ssr_runtime::Stats) -> RendererView {
    let isolate = |isolate: &ssr_runtime::IsolateStats| IsolateView {
        state: format!("{:?}", isolate.state).to_lowercase(),
        renders: isolate.renders,
        restarts: isolate.restarts,
        heap_used: isolate.heap_used,
        heap_total: isolate.heap_total,
        heap_limit: isolate.heap_limit,
    };
    let mut counted = 0;
    let ninety = stats.render_time.buckets.iter().find(|bucket| {
        counted += bucket.count;
        counted * 10 >= stats.renders * 9
    });
    RendererView {
        renders: stats.renders,
        thrown: stats.thrown,
        timed_out: stats.timed_out,
        out_of_memory: stats.out_of_memory,
        overloaded: stats.overloaded,
        queued: stats.queued,
        ninety_percent: ninety.and_then(|bucket| bucket.up_to_microseconds),
        isolates: stats.isolates.iter().map(isolate).collect(),
    }
}
