//! The command line.

mod allocator;
#[cfg(feature = "failpoints")]
mod failpoints;

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, Subcommand};
use shop::app::App;
use shop::bundle::BUNDLE;
use shop::serve::Listeners;
use shop::{dev, openapi, serve};
use shop_base::clock::{Clock, SystemClock};
use shop_base::config::{Config, Secret};
use shop_base::db::Db;
use shop_base::recent_errors::RecentErrors;
use shop_demo::mailbox::Mailbox;
use shop_demo::square::{Options, StandIn};
use shop_platform::web::site::Site;
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use url::Url;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// An online shop in one binary.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve a demonstration shop with a seeded catalog, on this machine only
    Demo {
        /// Port to listen on
        #[arg(long, default_value_t = 8787)]
        port: u16,
        /// Folder for the database, pictures and caches
        #[arg(long, default_value = "data")]
        data: PathBuf,
        /// Watch app/ and reload open browsers when it changes
        #[arg(long)]
        dev: bool,
        /// Begin without the orders and visits of the last 90 days
        #[arg(long)]
        empty: bool,
        /// Use the Square stand-in at this address instead of one of its own
        #[arg(long, hide = true)]
        square: Option<Url>,
        /// Use this database instead of one in the folder
        #[arg(long, hide = true)]
        database: Option<String>,
        /// Isolates that render
        #[arg(long, hide = true)]
        isolates: Option<usize>,
    },
    /// Run only the Square stand-in, in memory
    #[command(hide = true)]
    SquareStandIn {
        #[arg(long)]
        port: u16,
        /// Where its events go
        #[arg(long)]
        webhook_url: Option<String>,
        /// What one minute of the webhooks' retry table lasts
        #[arg(long, default_value_t = 60)]
        retry_minute_ms: u64,
    },
    /// Serve the shop as configured by SHOP_* variables
    Serve {
        /// File of NAME=value lines; variables that are set already win
        #[arg(long)]
        env_file: Option<PathBuf>,
    },
    /// Bring the configured database's tables up to date, then end
    Migrate {
        #[arg(long)]
        env_file: Option<PathBuf>,
    },
    /// Print the OpenAPI document of the JSON API and the page props
    Openapi,
}

fn main() -> ExitCode {
    allocator::set_up();
    let arguments = Arguments::parse();
    // A demonstration prints its log to the terminal, so it is short; operators want much more.
    let is_demo = matches!(arguments.command, Command::Demo { .. });
    let usual = if is_demo { "warn,shop::demo_data=info" } else { "info" };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(usual));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    if std::io::stderr().is_terminal() {
        log.finish().with(RecentErrors).init();
    } else if is_demo {
        let log = log.with_ansi(false);
        log.finish().with(RecentErrors).init();
    } else {
        log.json().finish().with(RecentErrors).init();
    }
    match run(arguments.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Demo { port, data, dev, empty, square, database, isolates } => {
            let mut config = shop_demo::config(port, data, dev)?;
            if let Some(database) = database {
                config.data.database = Secret::new(database);
            }
            if let Some(isolates) = isolates {
                config.rendering.isolates = isolates;
            }
            #[cfg(feature = "failpoints")]
            failpoints::configure(&mut config);
            let mailbox_port = port.saturating_add(3);
            let mailbox = Mailbox::start(&config.data.folder, mailbox_port)
                .await
                .map_err(|error| format!("the mailbox cannot listen at port {mailbox_port}: {error}"))?;
            config.mail = Some(mailbox.settings(&config.company.email));
            let listeners = Listeners::bind(&config.http).await?;
            let clock = clock();
            let db = Db::open(config.data.database.expose()).await?;
            shop::demo_data::seed(&db, &config, clock.as_ref()).await?;
            // The payments of the history exist only in the stand-in of this folder.
            if !empty && square.is_none() {
                shop::demo_data::history::seed_history(&db, &config, clock.now_ms()).await?;
            }
            // Stops when this function returns.
            let _stand_in = match square {
                Some(elsewhere) => {
                    config.square = Some(shop_demo::square_config(&elsewhere, &config.http.origin)?);
                    None
                }
                None => Some(shop_demo::start_square(&config, Arc::clone(&clock)).await?),
            };
            shop_demo::start_identity(&config, Arc::clone(&clock)).await?;
            let tour = shop_demo::tour(&config, &mailbox.origin());
            start(config, clock, db, listeners, &tour).await
        }
        Command::SquareStandIn { port, webhook_url, retry_minute_ms } => {
            let listener = TcpListener::bind(("127.0.0.1", port)).await?;
            let base_url: Url = format!("http://{}", listener.local_addr()?).parse()?;
            let options = Options { retry_minute_ms, ..Options::fast(webhook_url) };
            let stand_in = StandIn::start(listener, base_url, Arc::new(SystemClock), options).await?;
            writeln!(std::io::stdout(), "The Square stand-in is running at {}", stand_in.base_url)?;
            serve::stop_signal().await;
            Ok(())
        }
        Command::Serve { env_file } => {
            let config = configured(env_file)?;
            let listeners = Listeners::bind(&config.http).await?;
            let db = Db::open(config.data.database.expose()).await?;
            start(config, clock(), db, listeners, "").await
        }
        Command::Migrate { env_file } => {
            let config = configured(env_file)?;
            Db::open(config.data.database.expose()).await?.close().await;
            Ok(())
        }
        Command::Openapi => {
            writeln!(std::io::stdout(), "{}", openapi::document()?)?;
            Ok(())
        }
    }
}

fn clock() -> Arc<dyn Clock> {
    #[cfg(feature = "failpoints")]
    return failpoints::clock();
    #[cfg(not(feature = "failpoints"))]
    Arc::new(SystemClock)
}

fn configured(env_file: Option<PathBuf>) -> Result<Config, Failure> {
    if let Some(file) = env_file {
        dotenvy::from_path(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(Config::read(&|name| std::env::var(name).ok())?)
}

/// Serves until the process is told to stop. `tour` is printed once the shop is listening.
async fn start(config: Config, clock: Arc<dyn Clock>, db: Db, listeners: Listeners, tour: &str) -> Result<(), Failure> {
    let bundler = match &config.dev_bundle {
        Some(folder) => Some(dev::bundler(folder).await?),
        None => None,
    };
    let (rendering, folder) = (config.rendering.clone(), config.dev_bundle.clone());
    let site = tokio::task::spawn_blocking(move || match folder {
        Some(folder) => Site::folder(&folder, &rendering, None),
        None => Site::embedded(&BUNDLE, &rendering),
    });
    let origin = config.http.origin().to_owned();
    let app = App::build(config, clock, db, async { site.await.map_err(std::io::Error::other)? }).await?;
    tokio::spawn(allocator::tend());
    #[cfg(feature = "failpoints")]
    failpoints::obey(&app);
    // Stops when this function returns.
    let _bundler = bundler.map(|(child, lines)| {
        tokio::spawn(dev::follow(app.clone(), lines));
        child
    });
    writeln!(std::io::stdout(), "The shop is running at {origin}{tour}")?;
    serve::serve(app, listeners, serve::stop_signal()).await?;
    Ok(())
}
