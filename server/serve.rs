//! Runs the shop until it is told to stop, then lets running requests finish.

use std::net::SocketAddr;
use std::time::Duration;

use shop_base::config::Http;
use shop_base::db::DbError;
use shop_base::supervise::supervise;
use shop_domain::catalog::changes::Change;
use shop_http::connections::Connections;
use shop_http::connections::limits::Limits;
use shop_http::connections::listener::ClosingListener;
use shop_http::metrics::endpoint;
use shop_http::metrics::endpoint::MetricsParts;
use shop_platform::builds;
use shop_platform::jobs;
use shop_platform::jobs::model::Pace;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::app::App;
use crate::router::{PAGES, router};

/// How long a stop waits for connections to the database. What still uses one, such as a download whose reader has stalled, ends with the process.
const CLOSE_WITHIN: Duration = Duration::from_secs(2);

/// How long a stop waits for the entries of the audit log to be in the server's log.
const LOG_WITHIN: Duration = Duration::from_secs(2);

/// Before what a start writes is tried again.
const AGAIN: Duration = Duration::from_secs(5);

/// Before jobs are added: the first visitors of a shop that starts do not wait for that.
const BEFORE_JOBS: Duration = Duration::from_millis(100);

/// How many connections may wait to be accepted. The system drops what comes beyond, and may have a lower limit of its own, such as
/// `net.core.somaxconn`.
const BACKLOG: u32 = 1024;

/// How to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Immediately: somebody is waiting for the process to end.
    Now,
    /// After load balancers had time to notice.
    Drained,
}

/// Where the node listens.
#[derive(Debug)]
pub struct Listeners {
    pub shop: TcpListener,
    /// Where `/metrics` is, if anywhere.
    pub metrics: Option<TcpListener>,
}

impl Listeners {
    pub async fn bind(http: &Http) -> std::io::Result<Self> {
        let metrics = match http.metrics {
            Some(address) => Some(TcpListener::bind(address).await.map_err(|error| {
                std::io::Error::new(error.kind(), format!("SHOP_METRICS_ADDRESS {address}: {error}"))
            })?),
            None => None,
        };
        let shop = listen(http.address).map_err(|error| {
            std::io::Error::new(error.kind(), format!("the shop cannot listen at {}: {error}", http.address))
        })?;
        Ok(Self { shop, metrics })
    }
}

/// Like [`TcpListener::bind`], whose backlog of 128 is too short for a burst of visitors.
fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // The next process gets the address at once. On Windows it would let others take it while it is in use.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

impl From<TcpListener> for Listeners {
    fn from(shop: TcpListener) -> Self {
        Self { shop, metrics: None }
    }
}

/// Serves until `stop` resolves. Running requests then get the configured grace period to finish.
pub async fn serve(
    app: App,
    listeners: Listeners,
    stop: impl Future<Output = Stop> + Send + 'static,
) -> std::io::Result<()> {
    let grace = app.config.http.grace;
    let service = router(app.clone(), PAGES).map_err(std::io::Error::other)?;
    let preparer = prepare(&app).await.map_err(std::io::Error::other)?;
    let (jobs, site) = (app.for_jobs(), app.site());
    let publisher =
        tokio::spawn(supervise("builds", move |_| builds::service::publish_daily((*jobs).clone(), site.clone())));
    let worker = app.for_jobs().worker();
    let (stop_work, work_stops) = watch::channel(false);
    let worker = tokio::spawn(jobs::worker::run(worker, Pace::default(), work_stops));
    let following = app.clone();
    let follower = tokio::spawn(supervise("catalog", move |again| follow_catalog(following.clone(), again)));
    let purging = app.clone();
    let purger = tokio::spawn(supervise("purging", move |_| purge(purging.clone())));
    let following = app.for_jobs();
    let settings_follower = tokio::spawn(supervise("settings", move |again| follow_settings(following.clone(), again)));
    let recording = app.for_jobs();
    let audit_follower = tokio::spawn(supervise("audit log", move |_| follow_audit_log(recording.clone())));
    let telling = app.clone();
    let teller = tokio::spawn(supervise("security log", move |_| tell_of_lines(telling.clone())));
    let (close, must_close) = watch::channel(false);
    tokio::spawn(drain(app.clone(), stop, close));
    let connections = Connections::new(Limits::of_process(), app.config.http.trusted_proxies.clone());
    let metrics =
        listeners.metrics.map(|listener| tokio::spawn(serve_metrics(listener, app.metrics(connections.clone()))));
    connections.accept(ClosingListener::new(listeners.shop, must_close), service).await;
    tracing::info!("stopping: no new connections, running requests finish");
    if tokio::time::timeout(grace, connections.finish()).await.is_err() {
        tracing::warn!(connections = connections.count(), "some requests did not finish in time");
    }
    follower.abort();
    settings_follower.abort();
    teller.abort();
    purger.abort();
    publisher.abort();
    preparer.abort();
    // The receiver is gone only if the worker has ended.
    let _ = stop_work.send(true);
    if tokio::time::timeout(grace, worker).await.is_err() {
        tracing::warn!("some jobs did not finish in time; they are taken up again");
    }
    if tokio::time::timeout(grace, app.parts.activity.queue.flush()).await.is_err() {
        tracing::warn!("some activity could not be written in time");
    }
    audit_follower.abort();
    // Those of the last requests and jobs.
    if !matches!(tokio::time::timeout(LOG_WITHIN, app.parts.audit_head.log(&app.db)).await, Ok(Ok(()))) {
        tracing::warn!("some entries of the audit log are not in this log");
    }
    if let Some(metrics) = metrics {
        metrics.abort();
    }
    if tokio::time::timeout(CLOSE_WITHIN, app.db.close()).await.is_err() {
        tracing::warn!("some connections to the database were still in use");
    }
    Ok(())
}

/// Leaves the files of this build to other nodes, before its pages name them, and begins a task that stores what else a start writes. Pages can
/// be shown while the database takes no writes.
async fn prepare(app: &App) -> Result<JoinHandle<()>, DbError> {
    let published = publish(app).await;
    let is_published = published.is_ok();
    if let Err(error) = published {
        if !error.is_passing() {
            return Err(error);
        }
        tracing::warn!(%error, "what a start writes could not be stored: serving all the same, it is tried again");
    }
    let app = app.clone();
    Ok(tokio::spawn(supervise("start", move |_| store_at_start(app.clone(), is_published))))
}

async fn publish(app: &App) -> Result<(), DbError> {
    builds::service::publish(&app.for_jobs(), &app.site()).await
}

/// Stores what a start writes, again and again until the database takes it.
async fn store_at_start(app: App, mut is_published: bool) {
    let mut is_late = !is_published;
    tokio::time::sleep(if is_late { AGAIN } else { BEFORE_JOBS }).await;
    loop {
        if is_late {
            app.db.pause().await;
        }
        let storing = async {
            if !is_published {
                publish(&app).await?;
                is_published = true;
            }
            add_jobs(&app).await
        };
        match storing.await {
            Ok(()) if is_late => return tracing::info!("what a start writes is stored"),
            Ok(()) => return,
            Err(error) if error.is_passing() => {
                if !is_late {
                    tracing::warn!(%error, "what a start writes could not be stored: it is tried again");
                }
                is_late = true;
            }
            Err(error) => {
                tracing::error!(%error, "what a start writes could not be stored: it is tried again");
                is_late = true;
            }
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// The recurring jobs, and those that are done once at each start.
pub async fn add_jobs(app: &App) -> Result<(), DbError> {
    let jobs = app.for_jobs();
    let worker = jobs.worker();
    jobs::service::add_recurring(&worker).await?;
    jobs::service::add_at_start(&worker).await
}

async fn serve_metrics(listener: TcpListener, parts: MetricsParts) {
    if let Err(error) = axum::serve(listener, endpoint::router(parts)).await {
        tracing::error!(%error, "metrics are no longer served");
    }
}

/// Keeps the lists up to date. `again`: an earlier task panicked, and nobody knows which changes it had taken on.
pub async fn follow_catalog(app: App, again: bool) {
    if again {
        app.parts.catalog.changed(Change::everything());
    }
    app.parts.catalog.follow().await;
}

/// Applies settings changed on other nodes to this one. `again` as above.
async fn follow_settings(app: App, again: bool) {
    if again {
        app.parts.settings.changed(&app).await;
        app.parts.catalog.changes.note(&Change::everything());
    }
    app.parts.settings.follow(&app, || app.parts.catalog.changes.note(&Change::everything())).await;
}

/// Writes the entries of the audit log to the server's log.
async fn follow_audit_log(app: App) {
    app.parts.audit_head.follow(&app.db).await;
}

/// Tells how many lines of the security log were left out.
async fn tell_of_lines(app: App) {
    app.parts.lines.follow().await;
}

/// Drops changed pages from the shared cache, if there is one.
async fn purge(app: App) {
    if let Some(purger) = &app.parts.purger {
        purger.run(app.parts.catalog.changes.subscribe()).await;
    }
}

/// Waits until the shop is told to stop, gives load balancers time to notice, then closes the listener.
async fn drain(app: App, stop: impl Future<Output = Stop>, close: watch::Sender<bool>) {
    let how = stop.await;
    app.parts.drain.begin();
    let time = app.config.http.drain;
    if how == Stop::Drained && !time.is_zero() {
        let again = async {
            match stop_signal() {
                Ok(signal) => drop(signal.await),
                Err(_) => std::future::pending().await,
            }
        };
        tracing::info!(seconds = time.as_secs(), "stopping: no longer ready, serving on until load balancers know");
        tokio::select! {
            () = tokio::time::sleep(time) => {}
            () = again => {}
        }
    }
    close.send_replace(true);
}

/// Resolves on SIGINT, which is sent from a terminal where somebody is waiting, or on SIGTERM. From the call on, neither ends the process by
/// itself.
#[cfg(unix)]
pub fn stop_signal() -> std::io::Result<impl Future<Output = Stop> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! { _ = interrupt.recv() => Stop::Now, _ = terminate.recv() => Stop::Drained }
    })
}

#[cfg(not(unix))]
pub fn stop_signal() -> std::io::Result<impl Future<Output = Stop> + Send + 'static> {
    let mut interrupt = tokio::signal::windows::ctrl_c()?;
    Ok(async move {
        interrupt.recv().await;
        Stop::Now
    })
}
