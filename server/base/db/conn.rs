//! Database connections on which stores run their statements.

use std::future::Future;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::{PgConnection, Postgres, Sqlite, SqliteConnection};
use tracing::Instrument;
use uuid::Uuid;

use super::DbError;
use super::effects::{Effect, Effects};
use super::error::is_outage;
use super::locks::{Held, Lock};
use super::outage::{Outage, silent};
use super::pooled::Pooled;
use crate::metrics::Counter;
use crate::trace_span;

/// A connection on which a store runs its statements, inside a transaction or not.
#[derive(Debug)]
pub enum Conn<'c> {
    Sqlite(Session<'c, SqliteConnection>),
    Postgres(Session<'c, PgConnection>),
}

/// A driver's connection with the state of its transaction.
#[derive(Debug)]
pub struct Session<'c, C> {
    pub(super) conn: &'c mut C,
    /// None outside a transaction.
    pub(super) state: Option<&'c mut TxState>,
    /// None where no network can fail.
    pub(super) limit: Option<&'c Limit>,
}

/// How long the statements of a connection may go without an answer.
#[derive(Debug)]
pub struct Limit {
    outage: Arc<Outage>,
    statement: Duration,
    /// Whether the connection was lost or given up: a rollback, for example, would only wait as long again.
    is_lost: AtomicBool,
}

impl Limit {
    pub(super) fn new(outage: &Arc<Outage>, statement: Duration) -> Self {
        Self { outage: Arc::clone(outage), statement, is_lost: AtomicBool::new(false) }
    }

    pub async fn of<T>(&self, running: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, sqlx::Error> {
        if self.is_lost.load(Ordering::Relaxed) {
            return Err(silent("the connection was lost before"));
        }
        let answer = self.outage.answered(self.statement, running).await;
        if answer.as_ref().is_err_and(is_outage) {
            self.is_lost.store(true, Ordering::Relaxed);
        }
        answer
    }
}

impl<C> Session<'_, C> {
    /// The connection, and the limit for a statement on it.
    pub fn limited(&mut self) -> (&mut C, Option<&Limit>) {
        (self.conn, self.limit)
    }
}

impl Session<'_, PgConnection> {
    /// For what takes as long as a table is large. Statements of all others go through [`sql!`](crate::sql) or [`Self::run`], so that none
    /// waits for a server that is gone.
    pub fn unlimited(&mut self) -> &mut PgConnection {
        self.conn
    }

    /// Runs a statement that only PostgreSQL needs.
    pub async fn run(&mut self, query: Query<'_, Postgres, PgArguments>) -> Result<(), DbError> {
        let (conn, limit) = self.limited();
        statement(limit, query.execute(conn)).await?;
        Ok(())
    }
}

/// For [`sql!`](crate::sql). Traces say where the statement is in the code; sqlx adds its text.
#[track_caller]
pub fn statement<T>(
    limit: Option<&Limit>,
    running: impl Future<Output = Result<T, sqlx::Error>>,
) -> impl Future<Output = Result<T, sqlx::Error>> {
    let code = Location::caller();
    let span = trace_span!("statement", code.file.path = code.file(), code.line.number = code.line());
    let limited = async move {
        match limit {
            Some(limit) => limit.of(running).await,
            None => running.await,
        }
    };
    limited.instrument(span)
}

/// The locks a transaction has taken, the effects of its commit, and what that counts.
#[derive(Debug, Default)]
pub(super) struct TxState {
    pub held: Held,
    pub effects: Effects,
    pub counts: Vec<(&'static Counter, u64)>,
}

impl Conn<'_> {
    /// None outside a transaction, where each statement commits, and releases its locks, at once.
    pub(super) fn state(&mut self) -> Option<&mut TxState> {
        match self {
            Self::Sqlite(session) => session.state.as_deref_mut(),
            Self::Postgres(session) => session.state.as_deref_mut(),
        }
    }
}

impl Conn<'_> {
    /// Registers an effect of this transaction's commit.
    pub fn after_commit(&mut self, effect: Effect) {
        if let Some(state) = self.state() {
            state.effects.entry(effect).or_default();
        }
    }

    /// The same, with the ids of what it is about.
    pub fn after_commit_about(&mut self, effect: Effect, ids: impl IntoIterator<Item = Uuid>) {
        if let Some(state) = self.state() {
            state.effects.entry(effect).or_default().extend(ids);
        }
    }

    /// Counts what this transaction does, once it is committed.
    pub fn count_after_commit(&mut self, counter: &'static Counter, count: u64) {
        if let Some(state) = self.state() {
            state.counts.push((counter, count));
        }
    }

    /// For rows on which others may wait briefly and whose lock may come anywhere before that of the audit log, such as a job with the same
    /// content.
    pub fn precedes_audit(&mut self) {
        #[cfg(debug_assertions)]
        if let Some(state) = self.state() {
            assert!(!state.held.has(Lock::AuditLog), "the audit entry comes last");
        }
    }

    /// Every store statement that takes one of these locks must declare it here. A debug build panics on a wrong order.
    pub fn takes(&mut self, lock: Lock) {
        if let Some(state) = self.state() {
            state.held.add(lock);
        }
    }
}

/// Not for PostgreSQL: a statement on the bare connection would have no limit.
impl Deref for Session<'_, SqliteConnection> {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        self.conn
    }
}

impl DerefMut for Session<'_, SqliteConnection> {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        self.conn
    }
}

/// Runs the same statement body on the connection's driver, whichever it is. On PostgreSQL it ends with an error when the server is away, or
/// does not answer in time.
#[macro_export]
macro_rules! sql {
    ($conn:expr, $c:ident => $body:expr) => {
        match $conn {
            $crate::db::Conn::Sqlite($c) => {
                let $c = &mut **$c;
                $crate::db::statement(None, async { $body }).await
            }
            $crate::db::Conn::Postgres($c) => {
                let ($c, limit) = $c.limited();
                $crate::db::statement(limit, async { $body }).await
            }
        }
    };
}

/// A pooled read connection.
#[derive(Debug)]
pub enum Reader {
    Sqlite(PoolConnection<Sqlite>),
    Postgres(Pooled, Limit),
}

impl Reader {
    pub fn conn(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(conn) => Conn::Sqlite(Session { conn, state: None, limit: None }),
            Self::Postgres(conn, limit) => Conn::Postgres(Session { conn, state: None, limit: Some(limit) }),
        }
    }
}
