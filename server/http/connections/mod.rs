//! Accepts connections and serves requests on them. Nobody can use up the process's connections by opening many of them, or by sending
//! requests that never end: see [`limits`].

mod body;
mod connection;
pub mod limits;
pub mod listener;
mod open;
#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::response::Response;
use shop_base::config::Networks;
use tokio::time::{MissedTickBehavior, interval};
use tower::Service;

use limits::Limits;
use listener::ClosingListener;
use open::Open;

/// How often connections are closed while the server stops.
const CHECK_WHEN_STOPPING: Duration = Duration::from_millis(50);

/// All open connections of a server.
#[derive(Clone, Debug)]
pub struct Connections(Arc<Open>);

impl Connections {
    /// `proxies` may have any number of connections: their clients are many.
    pub fn new(limits: Limits, proxies: Networks) -> Self {
        Self(Arc::new(Open::new(limits, proxies)))
    }

    /// Accepts connections until the listener is closed, and serves requests on them, also afterward. The service must always be ready.
    pub async fn accept<S>(&self, mut listener: ClosingListener, service: S)
    where
        S: Service<Request, Response = Response, Error = Infallible, Future: Send + Unpin> + Clone + Send + 'static,
    {
        let mut check = interval(self.0.check_every());
        check.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let (stream, address) = tokio::select! {
                accepted = listener.accept() => match accepted {
                    Some(accepted) => accepted,
                    None => return,
                },
                _ = check.tick() => {
                    self.0.close_overdue();
                    continue;
                }
            };
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "a connection goes on with Nagle's algorithm");
            }
            // Otherwise it is dropped, which closes it.
            if let Some(place) = self.0.add(address.ip()) {
                tokio::spawn(connection::run(stream, address, place, service.clone()));
            }
        }
    }

    /// Lets running requests finish and closes all connections. Requests that have not arrived completely are not waited for.
    pub async fn finish(&self) {
        let mut check = interval(CHECK_WHEN_STOPPING);
        while !self.0.is_empty() {
            check.tick().await;
            self.0.close_quiet();
        }
    }

    /// The number of connections now.
    pub fn count(&self) -> usize {
        self.0.count()
    }
}
