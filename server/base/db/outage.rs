//! Detects that PostgreSQL is down, so that requests fail at once instead of each waiting for its own timeout.
//!
//! No check is made while connections are available quickly. When a caller waits for one, a separate connection finds out whether the
//! server is down or the pool is only busy. While the server is down all callers are rejected, and one task checks when it is back.

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::DbError;
use super::error::is_outage;

/// A check starts when a caller waits longer than this for a connection.
const PATIENCE: Duration = Duration::from_millis(200);
/// Timeout of the connection that only checks whether the server answers.
const LOOK_LIMIT: Duration = Duration::from_secs(2);
const LOOK_AGAIN: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) struct Outage {
    /// For connections outside the pools.
    pub options: PgConnectOptions,
    /// Why no connection is possible; none while the server answers.
    cause: watch::Sender<Option<Arc<str>>>,
    is_looking: AtomicBool,
}

impl Outage {
    pub fn new(options: PgConnectOptions) -> Arc<Self> {
        Arc::new(Self { options, cause: watch::Sender::new(None), is_looking: AtomicBool::new(false) })
    }

    /// The result of `acquiring`, or an error that the server is down, whichever comes first.
    pub async fn unless_away<T>(
        self: &Arc<Self>,
        acquiring: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, DbError> {
        if let Some(cause) = self.cause.borrow().clone() {
            return Err(DbError::Away(cause));
        }
        tokio::pin!(acquiring);
        if let Ok(acquired) = timeout(PATIENCE, &mut acquiring).await {
            return Ok(acquired?);
        }
        let mut causes = self.cause.subscribe();
        self.look();
        tokio::select! {
            biased;
            acquired = acquiring => Ok(acquired?),
            away = causes.wait_for(Option::is_some) => {
                let cause = away.ok().and_then(|cause| cause.clone());
                Err(DbError::Away(cause.unwrap_or_default()))
            }
        }
    }

    /// Starts a task that checks the server as long as a caller waits or the server is down, unless one is running.
    fn look(self: &Arc<Self>) {
        if self.is_looking.swap(true, Ordering::AcqRel) {
            return;
        }
        let outage = Arc::downgrade(self);
        tokio::spawn(async move {
            while let Some(outage) = Weak::upgrade(&outage) {
                if !outage.look_once().await {
                    return;
                }
                drop(outage);
                sleep(LOOK_AGAIN).await;
            }
        });
    }

    /// Checks once; returns whether to check again.
    async fn look_once(&self) -> bool {
        let cause = match timeout(LOOK_LIMIT, PgConnection::connect_with(&self.options)).await {
            Ok(Err(error)) if is_outage(&error) => Some(error.to_string()),
            // Any other error is a response from the server.
            Ok(outcome) => {
                if let Ok(connection) = outcome {
                    drop(connection.close().await);
                }
                None
            }
            Err(_) => Some("it does not answer".to_owned()),
        };
        let before = self.cause.borrow().is_some();
        match &cause {
            Some(cause) if !before => {
                tracing::error!(cause, "PostgreSQL is away: requests are refused until it is back")
            }
            None if before => tracing::warn!("PostgreSQL is back"),
            _ => {}
        }
        let is_away = cause.is_some();
        self.cause.send_replace(cause.map(Arc::from));
        if is_away || self.cause.receiver_count() > 0 {
            return true;
        }
        self.is_looking.store(false, Ordering::Release);
        // A caller may have started waiting just before.
        self.cause.receiver_count() > 0 && !self.is_looking.swap(true, Ordering::AcqRel)
    }
}
