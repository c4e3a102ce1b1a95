//! `shop serve`: the shop of production. [`build`] and [`start`] are what it shares with the demonstration.

use std::io::Write;
use std::sync::Arc;

use shop::app::{App, FirstParts};
use shop::bundle::BUNDLE;
use shop::dev::Bundler;
use shop::serve::{Listeners, Stop};
use shop::{dev, serve, watchdog};
use shop_base::clock::Clock;
use shop_base::config::Config;
use shop_base::db::Db;
use shop_platform::media::folder;
use shop_platform::web::site::{Site, SiteError};
use tokio::process::Child;
use tokio::task::JoinHandle;

use super::env_file::{EnvFile, Failure};
use crate::{allocator, failpoints};

pub async fn run(env_file: &EnvFile) -> Result<(), Failure> {
    let config = failpoints::configured(env_file.config()?)?;
    for warning in &config.warnings {
        tracing::warn!("{warning}");
    }
    let mut stop = Box::pin(serve::stop_signal()?);
    let starting = async move {
        let site = begin_site(&config);
        let clock = failpoints::clock();
        let first = FirstParts::make(&config, &clock)?;
        migrate_first(&config).await?;
        let listeners = Listeners::bind(&config.http).await?;
        let db = open(&config).await?;
        Ok::<_, Failure>((build(config, clock, first, db, site).await?, listeners))
    };
    let Some(((app, _bundler), listeners)) = unless_stopped(&mut stop, starting).await? else { return Ok(()) };
    start(app, listeners, stop, "").await
}

/// What comes of a start, which may take minutes; none if it is stopped before. The first process of a container hears no signal that it does
/// not wait for.
pub async fn unless_stopped<T>(
    stop: &mut (impl Future<Output = Stop> + Unpin),
    starting: impl Future<Output = Result<T, Failure>>,
) -> Result<Option<T>, Failure> {
    tokio::select! {
        started = starting => started.map(Some),
        _ = stop => {
            tracing::info!("stopping: it was not serving yet");
            Ok(None)
        }
    }
}

/// Applies the migrations that a shop on several nodes lacks before this one listens: a balancer that asks no node whether it is ready, such as
/// nginx, would send it requests for as long as that lasts. Refused, it sends them to the others.
async fn migrate_first(config: &Config) -> Result<(), Failure> {
    let database = config.data.database.expose();
    if Db::migrates_beside_others(database).await? {
        Db::open(database).await?.close().await;
    }
    Ok(())
}

/// Opens the database, unless another shop works on the same SQLite file: neither would know of the other's changes. Warns if another node
/// on PostgreSQL has another folder of pictures.
pub async fn open(config: &Config) -> Result<Db, Failure> {
    let database = config.data.database.expose();
    let folder = folder::of_node(&config.data);
    let id = folder.as_deref().and_then(folder::identify);
    let db = Db::open_labeled(database, id.as_deref().unwrap_or_default()).await?;
    if db.is_shared() {
        return Err(format!("another process works on {database}: only one shop may run on an SQLite file").into());
    }
    if folder.is_some() {
        let mut reader = db.read().await?;
        if folder::is_separate(&mut reader.conn(), id.as_deref()).await? {
            tracing::warn!("{}", folder::SEPARATE);
        }
    }
    Ok(db)
}

/// Starts the isolates, beside which the database is opened and the catalog loaded; for development also the bundler.
pub fn begin_site(config: &Config) -> JoinHandle<Result<(Site, Option<Bundler>), SiteError>> {
    let (rendering, folder) = (config.rendering.clone(), config.dev_bundle.clone());
    tokio::spawn(async move {
        let bundler = match &folder {
            Some(folder) => Some(dev::bundler(folder).await?),
            None => None,
        };
        let site = tokio::task::spawn_blocking(move || match folder {
            Some(folder) => Site::folder(&folder, &rendering, None),
            None => Site::embedded(&BUNDLE, &rendering),
        });
        Ok((site.await.map_err(std::io::Error::other)??, bundler))
    })
}

/// Puts the shop together; also starts what follows the bundler, which stops when its process is dropped.
pub async fn build(
    config: Config,
    clock: Arc<dyn Clock>,
    first: FirstParts,
    db: Db,
    site: JoinHandle<Result<(Site, Option<Bundler>), SiteError>>,
) -> Result<(App, Option<Child>), Failure> {
    let mut bundler = None;
    let site = async {
        let begun = site.await.map_err(std::io::Error::other)??;
        bundler = begun.1;
        Ok(begun.0)
    };
    let app = App::complete(config, clock, first, db, site).await?;
    tokio::spawn(allocator::tend());
    failpoints::obey(&app);
    let bundler = bundler.map(|(child, lines)| {
        tokio::spawn(dev::follow(app.clone(), lines));
        child
    });
    Ok((app, bundler))
}

/// Serves until the process is told to stop. `tour` is printed once the shop is listening.
pub async fn start(
    app: App,
    listeners: Listeners,
    stop: impl Future<Output = Stop> + Send + 'static,
    tour: &str,
) -> Result<(), Failure> {
    watchdog::start();
    // A shop whose output nobody reads serves all the same.
    let _ = writeln!(std::io::stdout(), "The shop is running at {}{tour}", app.config.http.origin());
    serve::serve(app, listeners, stop).await?;
    Ok(())
}
