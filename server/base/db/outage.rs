//! Detects that PostgreSQL is down or cannot be reached, so that requests fail at once instead of each waiting for its own timeout.
//!
//! No check is made while connections are available quickly and statements are answered quickly. When a caller waits, or a connection is
//! refused or lost, a separate connection finds out whether the server is away, or only busy. That it cannot be made is not enough, since it may
//! be for a reason on this side, such as a name that is not found or a certificate that is not trusted anymore: a connection that is open must be
//! without an answer, too. While the server is away all callers are rejected, also those whose statement is running: sqlx has no timeouts, so on a
//! connection whose other end is gone without a word they would wait for a quarter of an hour. One task checks when the server is back.
//! Connections from before are not used again.
//!
//! Where a separate connection can be made while statements wait, those that are open may all have fallen silent, or the statements are slow.
//! The server knows: it is asked how long it has worked on what this node asked last. What has begun later never arrived, or its answer did not.

use std::future::{Future, poll_fn};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Wake, Waker};
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
/// Between two looks that both miss a statement: what was lost on the way is sent again meanwhile.
const RESENT: Duration = Duration::from_millis(1500);
/// By so much, and by this part of it, may a time be longer by the clock of the server: clocks are set, and this node may be suspended.
const CLOCKS_DIFFER: (Duration, u32) = (Duration::from_secs(2), 8);

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
    /// For how long the server had worked on the youngest statement of this node when it was asked; the longest time where it worked on none.
    youngest: watch::Sender<Duration>,
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
            youngest: watch::Sender::new(Duration::ZERO),
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

    /// The result of a statement, or an error if the server is away, does not work on it or does not answer within the limit. Its connection is
    /// then replaced.
    pub async fn answered<T>(
        self: &Arc<Self>,
        limit: Duration,
        running: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, sqlx::Error> {
        let began = Instant::now();
        tokio::pin!(running);
        if let Ok(answer) = timeout(PATIENCE_FOR_STATEMENT, &mut running).await {
            return self.explained(self.noted(answer)).await;
        }
        let _waiting = Waiting::of(&self.unanswered);
        let arrivals = Arc::<AtomicUsize>::default();
        let running = poll_fn(|context| {
            let waker = Waker::from(Arc::new(Arrival { count: Arc::clone(&arrivals), waker: context.waker().clone() }));
            running.as_mut().poll(&mut Context::from_waker(&waker))
        });
        let mut causes = self.cause.subscribe();
        self.look();
        tokio::select! {
            biased;
            answer = running => self.explained(self.noted(answer)).await,
            cause = away(&mut causes) => Err(of_outage(cause)),
            () = self.lost(began, &arrivals) => {
                self.doubt();
                Err(silent("the server does not work on a statement whose answer has not arrived"))
            }
            () = sleep(limit) => Err(silent("a statement was not answered")),
        }
    }

    /// Resolves when look after look the server does not work on a statement that began then, and nothing arrives for it in between: in the
    /// first one it or its answer may be on its way.
    async fn lost(&self, began: Instant, arrivals: &AtomicUsize) {
        let mut looks = self.youngest.subscribe();
        let mut missed: Option<(Instant, usize)> = None;
        // The sender lives as long as this.
        while looks.changed().await.is_ok() {
            let arrived = arrivals.load(Ordering::Relaxed);
            if !is_missing(*looks.borrow_and_update(), began.elapsed()) {
                missed = None;
                continue;
            }
            match missed {
                Some((first, before)) if before == arrived => {
                    if first.elapsed() >= RESENT {
                        return;
                    }
                }
                _ => missed = Some((Instant::now(), arrived)),
            }
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

    /// A new connection, or why none can be made. None of both where the server refuses it: any other error is a response from it.
    async fn try_to_connect(&self) -> Result<Option<PgConnection>, String> {
        match timeout(LOOK_LIMIT, PgConnection::connect_with(&self.options)).await {
            Ok(Err(error)) if is_outage(&error) => Err(error.to_string()),
            Ok(outcome) => Ok(outcome.ok()),
            Err(_) => Err("it does not answer".to_owned()),
        }
    }

    /// Asks the server what it works on, for those who wait for an answer. Without one they wait for their limit.
    async fn ask_what_runs(&self, mut conn: PgConnection) {
        // Where a pooler gives its connections other names, this one is not found either, so that nothing is said of those that are not seen. A
        // server that keeps no account of statements (`track_activities`) tells no state, and may work on all of them.
        const SQL: &str = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp() -
                MAX(COALESCE(query_start, clock_timestamp()))
                    FILTER (WHERE pid <> pg_backend_pid() AND COALESCE(state, '') NOT LIKE 'idle%')) AS DOUBLE PRECISION)
            FROM pg_stat_activity WHERE application_name = $1 HAVING bool_or(pid = pg_backend_pid())";
        if self.unanswered.load(Ordering::Acquire) > 0 {
            let name = self.options.get_application_name();
            let asking = sqlx::query_scalar::<_, Option<f64>>(SQL).bind(name).fetch_optional(&mut conn);
            // A later answer could be from before a statement began.
            if let Ok(Ok(Some(seconds))) = timeout(PATIENCE_FOR_STATEMENT, asking).await {
                let known = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok());
                self.youngest.send_replace(known.unwrap_or(Duration::MAX));
            }
        }
        // Over TLS this waits for the other end.
        drop(timeout(LOOK_LIMIT, conn.close()).await);
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
        let (connected, is_answered) = tokio::select! {
            connected = &mut connecting => {
                let is_answered = connected.is_err() && asking.await;
                (connected, is_answered)
            }
            is_answered = &mut asking => (connecting.await, is_answered),
        };
        let cause = match connected {
            Ok(Some(conn)) => {
                self.ask_what_runs(conn).await;
                None
            }
            Ok(None) => None,
            Err(cause) => (!is_answered).then_some(cause),
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

/// The waker of a statement that waits: it is woken when something of the answer has arrived.
struct Arrival {
    count: Arc<AtomicUsize>,
    waker: Waker,
}

impl Wake for Arrival {
    fn wake(self: Arc<Self>) {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.waker.wake_by_ref();
    }
}

/// Resolves when the server is away, with the cause.
async fn away(causes: &mut watch::Receiver<Option<Arc<str>>>) -> Arc<str> {
    causes.wait_for(Option::is_some).await.ok().and_then(|cause| cause.clone()).unwrap_or_default()
}

/// Whether the server, which has worked for so long on the youngest statement, does not work on one that has waited for so long.
fn is_missing(youngest: Duration, waited: Duration) -> bool {
    let (slack, part) = CLOCKS_DIFFER;
    youngest > waited + waited / part + slack
}

/// Whether what was so long ago was before that moment.
fn is_before(moment: &Mutex<Option<Instant>>, ago: Duration) -> bool {
    lock(moment).is_some_and(|moment| ago >= moment.elapsed())
}

pub(super) fn silent(reason: &str) -> sqlx::Error {
    sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, reason))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::is_missing;

    #[test]
    fn clocks_that_differ_end_no_statement() {
        let seconds = Duration::from_secs_f64;
        for (youngest, waited, missing) in
            [(3.0, 3.0, false), (5.3, 3.0, false), (5.4, 3.0, true), (68.0, 60.0, false), (70.0, 60.0, true)]
        {
            assert_eq!(is_missing(seconds(youngest), seconds(waited)), missing, "{youngest} s, {waited} s");
        }
        assert!(is_missing(Duration::MAX, seconds(1.0)), "it works on none");
    }
}
