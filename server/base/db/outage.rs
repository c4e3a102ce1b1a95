//! Detects that PostgreSQL is down or cannot be reached, so that requests fail at once instead of each waiting for its own timeout.
//!
//! No check is made while connections are available quickly and statements are answered quickly. When a caller waits, or a connection is
//! refused or lost, a separate connection finds out whether the server is away, or only busy. That it cannot be made is not enough, since it may
//! be for a reason on this side, such as a name that is not found or a certificate that is not trusted anymore: a connection that is open must be
//! without an answer, too. While the server is away all callers are rejected, also those whose statement is running: sqlx has no timeouts, so on a
//! connection whose other end is gone without a word they would wait for a quarter of an hour. One task checks when the server is back.
//! Connections from before are not used again.

use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use sqlx::postgres::{PgConnectOptions, PgPool};
use sqlx::{Connection, PgConnection};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::error::{is_outage, of_outage};
use super::pooled::Pooled;
use super::{DbError, Purpose};

/// A check starts when a caller waits longer than this for a connection, or for the end of a statement.
const PATIENCE: Duration = Duration::from_millis(200);
const PATIENCE_FOR_STATEMENT: Duration = Duration::from_secs(1);
/// After this time a connection that is asked for nothing but a sign of life is not usable. When one gave none, those of its time are dead,
/// too, or the server is only busy.
const SIGN_OF_LIFE: Duration = Duration::from_secs(2);
const SIGN_OF_LIFE_IN_DOUBT: Duration = Duration::from_millis(200);
/// A connection goes back to its pool with a sign of life. Who takes it within this time needs no other one, which would take as long as a
/// statement.
const FRESH: Duration = Duration::from_secs(1);
/// Then a connection is replaced, with what it has kept.
const LIFETIME: Duration = Duration::from_mins(30);
/// Timeout of the connection that only checks whether the server answers, and of the answer on one that is open.
const LOOK_LIMIT: Duration = Duration::from_secs(2);
const LOOK_AGAIN: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) struct Outage {
    /// For connections outside the pools.
    pub options: PgConnectOptions,
    /// In the order of [`Purpose::ALL`].
    pub pools: [PgPool; Purpose::ALL.len()],
    /// Why no connection is possible; none while the server answers.
    cause: watch::Sender<Option<Arc<str>>>,
    is_looking: AtomicBool,
    /// Connections from before this moment are dead, as the server was away.
    ended: Mutex<Option<Instant>>,
    /// Connections that have given no sign of life since this moment may be dead.
    doubted: Mutex<Option<Instant>>,
    /// Statements that wait for their answer longer than usual. Connections may all have fallen silent, as when a gateway has forgotten them.
    unanswered: AtomicUsize,
}

impl Outage {
    /// `pools` must not keep what they are given alive.
    pub fn new(
        options: PgConnectOptions,
        pools: impl FnOnce(&Weak<Self>) -> [PgPool; Purpose::ALL.len()],
    ) -> Arc<Self> {
        Arc::new_cyclic(|outage| Self {
            options,
            pools: pools(outage),
            cause: watch::Sender::new(None),
            is_looking: AtomicBool::new(false),
            ended: Mutex::default(),
            doubted: Mutex::default(),
            unanswered: AtomicUsize::default(),
        })
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
            return Ok(self.explained(acquired).await?);
        }
        let mut causes = self.cause.subscribe();
        self.look();
        tokio::select! {
            biased;
            acquired = acquiring => Ok(self.explained(acquired).await?),
            cause = away(&mut causes) => Err(DbError::Away(cause)),
        }
    }

    /// The result of a statement, or an error if the server is away or does not answer within the limit. Its connection is then replaced.
    pub async fn answered<T>(
        self: &Arc<Self>,
        limit: Duration,
        running: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, sqlx::Error> {
        tokio::pin!(running);
        if let Ok(answer) = timeout(PATIENCE_FOR_STATEMENT, &mut running).await {
            return self.explained(self.noted(answer)).await;
        }
        let _waiting = Waiting::of(&self.unanswered);
        let mut causes = self.cause.subscribe();
        self.look();
        tokio::select! {
            biased;
            answer = running => self.explained(self.noted(answer)).await,
            cause = away(&mut causes) => Err(of_outage(cause)),
            () = sleep(limit) => Err(silent("a statement was not answered")),
        }
    }

    /// The same result of a statement. Where its connection was lost, those of its time may be, too.
    fn noted<T>(&self, result: Result<T, sqlx::Error>) -> Result<T, sqlx::Error> {
        if result.as_ref().is_err_and(is_outage) {
            self.doubt();
        }
        result
    }

    fn doubt(&self) {
        *lock(&self.doubted) = Some(Instant::now());
    }

    /// The same result; of a connection that was refused or lost, whether that is because the server is away, which it asks.
    async fn explained<T>(self: &Arc<Self>, result: Result<T, sqlx::Error>) -> Result<T, sqlx::Error> {
        match result {
            // All connections are in use, for which there was time to look already.
            Err(sqlx::Error::PoolTimedOut) => Err(sqlx::Error::PoolTimedOut),
            Err(error) if is_outage(&error) => {
                let mut causes = self.cause.subscribe();
                self.look();
                if causes.borrow().is_none() {
                    // Without an answer in this time the error stays what it is.
                    let _ = timeout(LOOK_AGAIN + LOOK_LIMIT, causes.changed()).await;
                }
                let cause = causes.borrow().clone();
                Err(cause.map_or(error, of_outage))
            }
            result => result,
        }
    }

    /// Resolves when the server is not known to be away.
    pub async fn over(&self) {
        // The sender lives as long as this.
        let _ = self.cause.subscribe().wait_for(Option::is_none).await;
    }

    /// Whether a pooled connection of this age, idle for so long, can be used.
    pub async fn is_alive(&self, conn: &mut PgConnection, age: Duration, idle_for: Duration) -> bool {
        if age > LIFETIME || is_before(&self.ended, age) {
            return false;
        }
        // It has given none since.
        let is_doubted = is_before(&self.doubted, idle_for);
        if idle_for < FRESH && !is_doubted && self.unanswered.load(Ordering::Acquire) == 0 {
            return true;
        }
        let limit = if is_doubted { SIGN_OF_LIFE_IN_DOUBT } else { SIGN_OF_LIFE };
        let is_alive = matches!(timeout(limit, conn.ping()).await, Ok(Ok(())));
        // In doubt it had little time, which tells nothing of connections from after that moment.
        if !is_alive && !is_doubted {
            self.doubt();
        }
        is_alive
    }

    /// Starts a task that checks the server as long as a caller waits or the server is down, unless one is running.
    pub fn look(self: &Arc<Self>) {
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

    /// Why no connection can be made, if so.
    async fn try_to_connect(&self) -> Option<String> {
        match timeout(LOOK_LIMIT, PgConnection::connect_with(&self.options)).await {
            Ok(Err(error)) if is_outage(&error) => Some(error.to_string()),
            // Any other error is a response from the server.
            Ok(outcome) => {
                if let Ok(connection) = outcome {
                    drop(connection.close().await);
                }
                None
            }
            Err(_) => Some("it does not answer".to_owned()),
        }
    }

    /// Whether the server answers on a connection that is open and that nobody is using. One of them may be dead for a reason of its own.
    async fn is_answered(&self) -> bool {
        let mut asked = JoinSet::new();
        for conn in self.pools.iter().filter_map(PgPool::try_acquire) {
            asked.spawn(async move {
                let mut conn = Pooled::new(conn);
                matches!(timeout(LOOK_LIMIT, conn.ping()).await, Ok(Ok(())))
            });
        }
        while let Some(answer) = asked.join_next().await {
            if answer.is_ok_and(|is_answered| is_answered) {
                return true;
            }
        }
        false
    }

    /// Checks once; returns whether to check again.
    async fn look_once(&self) -> bool {
        let before = self.cause.borrow().is_some();
        let connecting = self.try_to_connect();
        // While it is away, those that are open are dead, or given up.
        let asking = async { !before && self.is_answered().await };
        tokio::pin!(connecting, asking);
        let cause = tokio::select! {
            refused = &mut connecting => {
                let is_answered = refused.is_some() && asking.await;
                refused.filter(|_| !is_answered)
            }
            is_answered = &mut asking => connecting.await.filter(|_| !is_answered),
        };
        match &cause {
            Some(cause) if !before => {
                tracing::error!(cause, "PostgreSQL is away: requests are refused until it is back")
            }
            None if before => tracing::warn!("PostgreSQL is back"),
            _ => {}
        }
        let is_away = cause.is_some();
        if is_away {
            *lock(&self.ended) = Some(Instant::now());
        }
        self.cause.send_replace(cause.map(Arc::from));
        if is_away || self.cause.receiver_count() > 0 {
            return true;
        }
        self.is_looking.store(false, Ordering::Release);
        // A caller may have started waiting just before.
        self.cause.receiver_count() > 0 && !self.is_looking.swap(true, Ordering::AcqRel)
    }
}

/// Counts as waiting until it is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn of(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::AcqRel);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Resolves when the server is away, with the cause.
async fn away(causes: &mut watch::Receiver<Option<Arc<str>>>) -> Arc<str> {
    causes.wait_for(Option::is_some).await.ok().and_then(|cause| cause.clone()).unwrap_or_default()
}

/// Whether what was so long ago was before that moment.
fn is_before(moment: &Mutex<Option<Instant>>, ago: Duration) -> bool {
    lock(moment).is_some_and(|moment| ago >= moment.elapsed())
}

fn silent(reason: &str) -> sqlx::Error {
    sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, reason))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
