//! Runs the shop until it is told to stop, then lets running requests finish.

use std::future::IntoFuture;
use std::net::SocketAddr;

use axum::Router;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::app::App;
use crate::router::{PAGES, router};

/// Serves on a bound listener until `stop` resolves. Requests that have begun get the configured grace to finish.
pub async fn serve(
    app: App,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let grace = app.config.http.grace;
    let service: Router = router(app.clone(), PAGES).map_err(std::io::Error::other)?;
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
