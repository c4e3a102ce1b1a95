//! `shop serve`: the shop of production. [`start`] is what it shares with the demonstration.

use std::io::Write;
use std::sync::Arc;

use shop::app::App;
use shop::bundle::BUNDLE;
use shop::dev::Bundler;
use shop::serve::Listeners;
use shop::{dev, serve};
use shop_base::clock::Clock;
use shop_base::config::Config;
use shop_base::db::Db;
use shop_platform::web::site::{Site, SiteError};
use tokio::task::JoinHandle;

use super::env_file::{EnvFile, Failure};
use crate::{allocator, failpoints};

pub async fn run(env_file: &EnvFile) -> Result<(), Failure> {
    let config = failpoints::configured(env_file.config()?)?;
    for warning in &config.warnings {
        tracing::warn!("{warning}");
    }
    let listeners = Listeners::bind(&config.http).await?;
    let site = begin_site(&config);
    let db = open(&config).await?;
    start(config, failpoints::clock(), db, site, listeners, "").await
}

/// Opens the database, unless another shop works on the same SQLite file: neither would know of the other's changes.
pub async fn open(config: &Config) -> Result<Db, Failure> {
    let db = Db::open(config.data.database.expose()).await?;
    if db.is_shared() {
        let database = config.data.database.expose();
        return Err(format!("another process works on {database}: only one shop may run on an SQLite file").into());
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

/// Serves until the process is told to stop. `tour` is printed once the shop is listening.
pub async fn start(
    config: Config,
    clock: Arc<dyn Clock>,
    db: Db,
    site: JoinHandle<Result<(Site, Option<Bundler>), SiteError>>,
    listeners: Listeners,
    tour: &str,
) -> Result<(), Failure> {
    let origin = config.http.origin().to_owned();
    let mut bundler = None;
    let site = async {
        let begun = site.await.map_err(std::io::Error::other)??;
        bundler = begun.1;
        Ok(begun.0)
    };
    let app = App::build(config, clock, db, site).await?;
    tokio::spawn(allocator::tend());
    failpoints::obey(&app);
    // Stops when this function returns.
    let _bundler = bundler.map(|(child, lines)| {
        tokio::spawn(dev::follow(app.clone(), lines));
        child
    });
    let stop = serve::stop_signal()?;
    writeln!(std::io::stdout(), "The shop is running at {origin}{tour}")?;
    serve::serve(app, listeners, stop).await?;
    Ok(())
}
