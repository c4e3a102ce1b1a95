//! Noticing that PostgreSQL is away, so that requests fail at once instead of each waiting for its own time limit.
//!
//! Nothing is asked while connections are handed out quickly. When somebody waits for one, a connection of its own tells whether the server
//! is away or the pool is only busy. While it is away everybody is refused, and one task looks when it is back.

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

/// Who waits longer for a connection wants to know why.
const PATIENCE: Duration = Duration::from_millis(200);
/// For a connection that is only to tell whether there is a server.
const LOOK_LIMIT: Duration = Duration::from_secs(2);
const LOOK_AGAIN: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) struct Outage {
    /// For connections outside of the pools.
    pub options: PgConnectOptions,
    /// Why nobody can connect; none while the server answers.
    cause: watch::Sender<Option<Arc<str>>>,
    is_looking: AtomicBool,
}

impl Outage {
    pub fn new(options: PgConnectOptions) -> Arc<Self> {
        Arc::new(Self { options, cause: watch::Sender::new(None), is_looking: AtomicBool::new(false) })
    }

    /// What `acquiring` comes to, or that the server is away, whichever is known first.
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

    /// Looks as long as somebody waits or the server is away, unless a task does already.
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

    /// Whether to look again.
    async fn look_once(&self) -> bool {
        let cause = match timeout(LOOK_LIMIT, PgConnection::connect_with(&self.options)).await {
            Ok(Err(error)) if is_outage(&error) => Some(error.to_string()),
            // Another error is an answer.
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
        // Somebody may have begun to wait just before.
        self.cause.receiver_count() > 0 && !self.is_looking.swap(true, Ordering::AcqRel)
    }
}
