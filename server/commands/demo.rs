//! `shop demo`: a shop with a catalog, a history and stand-ins for all external services.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use shop::app::{App, FirstParts};
use shop::serve::{Listeners, stop_signal};
use shop_base::config::Secret;
use shop_demo::mailbox::Mailbox;
use shop_demo::square::StandIn;
use tokio::process::Child;
use url::Url;

use super::env_file::Failure;
use super::serve::{begin_site, build, open, start, unless_stopped};
use crate::failpoints;

#[derive(Args)]
pub struct Arguments {
    /// Port to listen on; the stand-ins take the next three
    #[arg(long, default_value_t = 8787, value_parser = clap::value_parser!(u16).range(1..=65_532))]
    port: u16,
    /// Folder for the database, pictures and caches
    #[arg(long, default_value = "data")]
    data: PathBuf,
    /// Use this database instead of an SQLite file in the folder, such as postgres://user:password@host/name
    #[arg(long)]
    database: Option<String>,
    /// Watch app/ and reload open browsers when it changes
    #[arg(long)]
    dev: bool,
    /// Begin without the orders and visits of the last 90 days
    #[arg(long)]
    empty: bool,
    /// Use the Square stand-in at this address instead of one of its own
    #[arg(long, hide = true)]
    square: Option<Url>,
    /// Isolates that render
    #[arg(long, hide = true)]
    isolates: Option<usize>,
}

pub async fn run(arguments: Arguments) -> Result<(), Failure> {
    let mut stop = Box::pin(stop_signal()?);
    let Some(begun) = unless_stopped(&mut stop, begin(arguments)).await? else { return Ok(()) };
    start(begun.app, begun.listeners, stop, &begun.tour).await
}

/// A demonstration that is about to serve.
struct Begun {
    app: App,
    listeners: Listeners,
    tour: String,
    /// These stop when they are dropped.
    _mailbox: Mailbox,
    _stand_in: Option<StandIn>,
    _bundler: Option<Child>,
}

async fn begin(arguments: Arguments) -> Result<Begun, Failure> {
    let Arguments { port, data, database, dev, empty, square, isolates } = arguments;
    let unwritable = |error| format!("the folder {} cannot be written to: {error}", data.display());
    let mut config = shop_demo::config(port, data.clone(), dev).map_err(unwritable)?;
    if let Some(database) = database {
        config.data.database = Secret::new(database);
    }
    if let Some(isolates) = isolates {
        config.rendering.isolates = isolates;
    }
    let mut config = failpoints::configured(config)?;
    let listeners = Listeners::bind(&config.http).await?;
    let mailbox_port = port.saturating_add(3);
    let mailbox = Mailbox::start(&config.data.folder, mailbox_port)
        .await
        .map_err(|error| format!("the mailbox cannot listen at port {mailbox_port}: {error}"))?;
    config.mail = Some(mailbox.settings(&config.company.email));
    // The history is made with the embedded bundle, whose isolates cannot exist beside those of a bundle under development.
    let early = (!dev).then(|| begin_site(&config));
    let clock = failpoints::clock();
    let db = open(&config).await?;
    shop::demo_data::seed(&db, &config, clock.as_ref()).await?;
    // The payments of the history exist only in the stand-in of this folder.
    if !empty && square.is_none() {
        shop::demo_data::history::seed_history(&db, &config, clock.now_ms()).await?;
    }
    let site = early.unwrap_or_else(|| begin_site(&config));
    let stand_in = match square {
        Some(elsewhere) => {
            config.square = Some(shop_demo::square_config(&elsewhere, &config.http.origin)?);
            None
        }
        None => Some(shop_demo::start_square(&config, Arc::clone(&clock)).await?),
    };
    shop_demo::start_identity(&config, Arc::clone(&clock)).await?;
    let tour = shop_demo::tour(&config, &mailbox.origin());
    let first = FirstParts::make(&config, &clock)?;
    let (app, bundler) = build(config, clock, first, db, site).await?;
    Ok(Begun { app, listeners, tour, _mailbox: mailbox, _stand_in: stand_in, _bundler: bundler })
}
