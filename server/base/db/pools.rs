//! The connections of this node.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sqlx::postgres::PgPool;
use sqlx::sqlite::SqlitePool;
use tokio::time::timeout;
use tracing::Instrument;
use uuid::Uuid;

use super::DbError;
use super::conn::{Limit, Reader};
use super::effects::{Effect, Effects, Handlers};
use super::meters::{Meter, PoolUse};
use super::outage::Outage;
use super::pooled::Pooled;
use super::presence::Mark;
use super::purpose::Purpose;
use super::transaction::{Open, Tx};
use super::turns::Turns;
use super::unheard::Unheard;
use super::writer_tests::WriterTests;
use crate::{sql, trace_span};

/// The pool of SQLite's one writer.
const WRITER: &str = "Writer";
/// For a turn with it, and for its connection: a burst of requests keeps it busy for seconds, and a late payment is better than a rejected
/// one. A request times out after 30 s.
pub(super) const WRITER_WAIT: Duration = Duration::from_secs(15);
/// What a statement may take beyond the server's limit.
const GRACE: Duration = Duration::from_secs(2);
/// The limit for statements of [`Db::short`].
const SHORT: Duration = Duration::from_secs(10);
/// Otherwise the server would go on with a statement that nobody waits for any more, and keep the transaction's locks.
const BEGIN_SHORT: &str = "BEGIN; SET LOCAL statement_timeout = '10s'";
/// Before a task tries again.
const PAUSE: Duration = Duration::from_millis(200);

/// The database with the connections of one purpose. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Db {
    purpose: Purpose,
    /// See [`Self::short`].
    is_short: bool,
    pub(super) pools: Arc<Pools>,
}

#[derive(Debug)]
pub(super) struct Pools {
    pub kind: Kind,
    pub handlers: Handlers<Db>,
    /// Those of [`Purpose::ALL`], then that of SQLite's writer.
    meters: [Arc<Meter>; Purpose::ALL.len() + 1],
    retries: AtomicU64,
    pub writer_tests: WriterTests,
    pub unheard: Unheard,
}

/// Pools are in the order of [`Purpose::ALL`].
#[derive(Debug)]
pub(super) enum Kind {
    Sqlite {
        readers: [SqlitePool; Purpose::ALL.len()],
        /// One connection, for whom it is the turn.
        writer: SqlitePool,
        turns: Arc<Turns>,
        /// None for a database that is being restored.
        mark: Option<Mark>,
    },
    Postgres {
        pools: [PgPool; Purpose::ALL.len()],
        outage: Arc<Outage>,
    },
}

/// Connections of one pool.
#[derive(Clone, Debug, serde::Serialize, utoipa::ToSchema)]
pub struct PoolFigures {
    pub name: &'static str,
    pub in_use: u32,
    pub idle: u32,
    /// The maximum number of connections.
    pub most: u32,
}

impl PoolFigures {
    fn of<D: sqlx::Database>(name: &'static str, pool: &sqlx::Pool<D>) -> Self {
        let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX);
        Self { name, in_use: pool.size().saturating_sub(idle), idle, most: pool.options().get_max_connections() }
    }
}

impl Db {
    pub(super) fn of_kind(kind: Kind) -> Self {
        let pools = Pools {
            kind,
            handlers: Handlers::default(),
            meters: Default::default(),
            retries: AtomicU64::new(0),
            writer_tests: WriterTests::default(),
            unheard: Unheard::default(),
        };
        Self { purpose: Purpose::Shoppers, is_short: false, pools: Arc::new(pools) }
    }

    /// Whether another process had the database open already when this one opened it, although its system is for one process only.
    pub fn is_shared(&self) -> bool {
        matches!(&self.pools.kind, Kind::Sqlite { mark: Some(mark), .. } if !mark.is_alone)
    }

    /// The same database with the connections of another purpose.
    #[must_use]
    pub fn of(&self, purpose: Purpose) -> Self {
        Self { purpose, is_short: false, pools: Arc::clone(&self.pools) }
    }

    /// The same connections, for statements that take milliseconds, also where those of the purpose may take minutes: a connection that alone has
    /// fallen silent, while the server answers on others, is given up soon.
    #[must_use]
    pub fn short(&self) -> Self {
        Self { is_short: true, ..self.clone() }
    }

    /// Whether transactions that write different rows run in parallel.
    pub fn has_many_writers(&self) -> bool {
        matches!(self.pools.kind, Kind::Postgres { .. })
    }

    /// A connection that only reads.
    pub async fn read(&self) -> Result<Reader, DbError> {
        let _waiting = self.meter().wait();
        let acquiring = async {
            Ok(match &self.pools.kind {
                Kind::Sqlite { readers, .. } => Reader::Sqlite(readers[self.purpose as usize].acquire().await?),
                Kind::Postgres { pools, outage, .. } => {
                    let conn = outage.unless_away(pools[self.purpose as usize].acquire()).await?;
                    Reader::Postgres(Pooled::new(conn), self.limit(outage))
                }
            })
        };
        acquiring.instrument(trace_span!("wait for a connection")).await
    }

    /// A write transaction. Where it may conflict with others, use [`transaction!`](crate::transaction), which retries.
    pub async fn begin(&self) -> Result<Tx, DbError> {
        let beginning = async {
            Ok::<_, DbError>(match &self.pools.kind {
                Kind::Sqlite { writer, turns, .. } => {
                    let _waiting = self.writer_meter().wait();
                    let taking = async {
                        let turn = turns.take(self.purpose).await?;
                        // If the one before was dropped, its connection comes back only when SQLite has ended what it was doing.
                        Ok::<_, sqlx::Error>(Open::Sqlite(writer.begin_with("BEGIN IMMEDIATE").await?, turn))
                    };
                    timeout(WRITER_WAIT, taking).await.map_err(|_| sqlx::Error::PoolTimedOut)??
                }
                Kind::Postgres { pools, outage, .. } => {
                    let _waiting = self.meter().wait();
                    let mut conn = Pooled::new(outage.unless_away(pools[self.purpose as usize].acquire()).await?);
                    let limit = self.limit(outage);
                    limit.of(conn.begin(if self.is_short { BEGIN_SHORT } else { "BEGIN" })).await?;
                    Open::Postgres(conn, limit)
                }
            })
        };
        let open = beginning.instrument(trace_span!("begin a transaction")).await?;
        Ok(Tx::new(open, self.clone()))
    }

    fn limit(&self, outage: &Arc<Outage>) -> Limit {
        // The server ends a statement after its own limit, if it can.
        let most = self.purpose.limits().statement;
        let statement = if self.is_short { most.min(SHORT) } else { most };
        Limit::new(outage, statement + GRACE)
    }

    /// For a task of this node that tries again what has failed: waits a moment, and as long as the database is known to be away.
    pub async fn pause(&self) {
        tokio::time::sleep(PAUSE).await;
        if let Kind::Postgres { outage, .. } = &self.pools.kind {
            outage.over().await;
        }
    }

    /// Whether a trivial query succeeds.
    pub async fn ping(&self) -> Result<(), DbError> {
        let mut reader = self.read().await?;
        let mut conn = reader.conn();
        sql!(&mut conn, c => sqlx::query("SELECT 1").execute(c).await.map(drop))?;
        Ok(())
    }

    /// Database system and version, such as `SQLite 3.50.4`.
    pub async fn version(&self) -> Result<String, DbError> {
        let (system, statement) = match self.pools.kind {
            Kind::Sqlite { .. } => ("SQLite", "SELECT sqlite_version()"),
            Kind::Postgres { .. } => ("PostgreSQL", "SHOW server_version"),
        };
        let mut reader = self.read().await?;
        let version: String = sql!(&mut reader.conn(), c => sqlx::query_scalar(statement).fetch_one(c).await)?;
        Ok(format!("{system} {version}"))
    }

    /// The state of this node's connection pools.
    pub fn pools(&self) -> Vec<PoolFigures> {
        let names = Purpose::ALL.map(|purpose| purpose.limits().name);
        match &self.pools.kind {
            Kind::Sqlite { readers, writer, .. } => {
                let readers = names.iter().zip(readers).map(|(name, pool)| PoolFigures::of(name, pool));
                readers.chain([PoolFigures::of(WRITER, writer)]).collect()
            }
            Kind::Postgres { pools, .. } => {
                names.iter().zip(pools).map(|(name, pool)| PoolFigures::of(name, pool)).collect()
            }
        }
    }

    /// How the pools of this node were used.
    pub fn uses(&self) -> Vec<PoolUse> {
        let pools = Purpose::ALL.iter().map(|purpose| self.pools.meters[*purpose as usize].read(purpose.limits().name));
        match self.pools.kind {
            Kind::Sqlite { .. } => pools.chain([self.writer_meter().read(WRITER)]).collect(),
            Kind::Postgres { .. } => pools.collect(),
        }
    }

    pub(super) fn meter(&self) -> &Arc<Meter> {
        &self.pools.meters[self.purpose as usize]
    }

    fn writer_meter(&self) -> &Meter {
        &self.pools.meters[Purpose::ALL.len()]
    }

    /// How often transactions of this node were retried because of a conflict.
    pub fn retries(&self) -> u64 {
        self.pools.retries.load(Ordering::Relaxed)
    }

    pub(super) fn count_retry(&self) {
        self.pools.retries.fetch_add(1, Ordering::Relaxed);
    }

    /// Registers a handler that runs on this node after each commit with the effect. The committing caller waits for it, so it must be
    /// short or only wake a task. It gets the database, which it must not keep alive, and the ids of what the effect is about.
    pub fn after_commit<Task>(&self, effect: Effect, run: impl Fn(Self, BTreeSet<Uuid>) -> Task + Send + Sync + 'static)
    where
        Task: Future<Output = ()> + Send + 'static,
    {
        self.pools.handlers.add(effect, run);
    }

    pub(super) async fn bring_about(&self, effects: &Effects) {
        for (run, about) in self.pools.handlers.of(effects) {
            run(self.clone(), about).await;
        }
    }

    pub async fn close(&self) {
        match &self.pools.kind {
            Kind::Sqlite { readers, writer, mark, .. } => {
                for pool in readers {
                    pool.close().await;
                }
                writer.close().await;
                if let Some(mark) = mark {
                    mark.release();
                }
            }
            Kind::Postgres { pools, .. } => {
                for pool in pools {
                    pool.close().await;
                }
            }
        }
    }
}
