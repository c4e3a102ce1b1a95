//! Runs the shop until it is told to stop, then lets running requests finish.

use std::future::IntoFuture;
use std::net::SocketAddr;

use axum::Router;
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};

use crate::app::App;
use crate::router::{PAGES, router};
use crate::{jobs, settings};

/// Serves on a bound listener until `stop` resolves. Requests that have begun get the configured grace to finish.
pub async fn serve(
    app: App,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let grace = app.config.http.grace;
    let service: Router = router(app.clone(), PAGES).map_err(std::io::Error::other)?;
    jobs::service::add_recurring(&app.db, app.clock.as_ref()).await.map_err(std::io::Error::other)?;
    jobs::service::add_at_start(&app.db, app.clock.as_ref()).await.map_err(std::io::Error::other)?;
    let (stop_work, work_stops) = watch::channel(false);
    let worker = tokio::spawn(jobs::worker::run(app.clone(), work_stops));
    let follower = app.clone();
    let follower = tokio::spawn(async move { follower.catalog.follow(|| follower.pages.clear()).await });
    let settings_follower = tokio::spawn(settings::service::follow(app.clone()));
    let (stopping, stopped) = oneshot::channel();
    let server = axum::serve(listener, service.into_make_service_with_connect_info::<SocketAddr>())
        .with_graceful_shutdown(async move {
            stop.await;
            tracing::info!("stopping: no new connections, running requests finish");
            // The receiver lives as long as the server.
            let _ = stopping.send(());
        });
    let overdue = async {
        // An error means that the server ended by itself.
        if stopped.await.is_ok() {
            tokio::time::sleep(grace).await;
        } else {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        result = server.into_future() => result?,
        () = overdue => tracing::warn!("some requests did not finish in time"),
    }
    follower.abort();
    settings_follower.abort();
    // The receiver is gone only when the worker has ended.
    let _ = stop_work.send(true);
    if tokio::time::timeout(grace, worker).await.is_err() {
        tracing::warn!("some jobs did not finish in time; they are taken up again");
    }
    if tokio::time::timeout(grace, app.activity.flush()).await.is_err() {
        tracing::warn!("some activity could not be written in time");
    }
    app.db.close().await;
    Ok(())
}

/// Resolves on SIGINT or SIGTERM.
pub async fn stop_signal() {
    let interrupt = async { tokio::signal::ctrl_c().await.is_ok() };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => signal.recv().await.is_some(),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<bool>();
    tokio::select! { _ = interrupt => {}, _ = terminate => {} }
}
