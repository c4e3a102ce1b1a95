//! The connections of this node.

use std::collections::BTreeSet;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions, PgSslMode};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection, PgConnection};
use tracing::Instrument;
use uuid::Uuid;

use super::backup::check_in_place;
use super::conn::{Limit, Reader};
use super::effects::{Effect, Effects, Handlers};
use super::error::is_outage;
use super::meters::{Meter, PoolUse};
use super::outage::Outage;
use super::pooled::Pooled;
use super::presence::{Mark, enter, mark};
use super::transaction::{Open, Tx};
use super::unheard::Unheard;
use super::writer_tests::WriterTests;
use super::{Conn, DbError};
use crate::{private_file, sql, trace_span};

/// How long a caller waits for a pooled connection.
const WAIT: Duration = Duration::from_secs(5);
/// For SQLite's one writer, which a burst of requests keeps busy for seconds: a late payment is better than a rejected one. A request times
/// out after 30 s.
const WRITER_WAIT: Duration = Duration::from_secs(15);
/// Rows of an index that are read for its statistics: an analysis of the largest table takes some tens of milliseconds, in which no other
/// writer gets its turn.
const ANALYSIS_LIMIT: u32 = 400;
/// How long a start waits for a PostgreSQL that is still starting.
const START_WAIT: Duration = Duration::from_secs(5);

/// SQLite opens a file, too, that it may only read, and says so when something is to be changed, as PostgreSQL does on a replica. This
/// changes nothing, so it works on a full disk.
pub(super) const CHECK_PERMISSION: &str = "UPDATE writer_checks SET checks = checks WHERE checks < 0";

/// Who uses the database. Each has its own connections, so that none waits for the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Shoppers,
    Staff,
    Jobs,
    /// The catalog in memory, which must follow changes while jobs wait for one another, and health checks.
    Lists,
}

/// Limits on the connections of a purpose. Timeouts apply to PostgreSQL sessions.
struct Limits {
    name: &'static str,
    connections: u32,
    readers: u32,
    /// Timeout for a row or table that is locked by another session.
    lock: Duration,
    statement: Duration,
}

impl Purpose {
    const ALL: [Self; 4] = [Self::Shoppers, Self::Staff, Self::Jobs, Self::Lists];

    fn limits(self) -> Limits {
        let seconds = Duration::from_secs;
        match self {
            Self::Shoppers => {
                Limits { name: "Shoppers", connections: 10, readers: 6, lock: seconds(3), statement: seconds(10) }
            }
            Self::Staff => {
                Limits { name: "Staff", connections: 3, readers: 3, lock: seconds(5), statement: seconds(30) }
            }
            Self::Jobs => {
                Limits { name: "Jobs", connections: 5, readers: 3, lock: seconds(5), statement: seconds(300) }
            }
            Self::Lists => {
                Limits { name: "Lists", connections: 2, readers: 2, lock: seconds(5), statement: seconds(300) }
            }
        }
    }
}

/// The pool of SQLite's one writer.
const WRITER: &str = "Writer";

/// A transaction that is idle for this long is aborted: its process is stuck or gone, and others wait for its locks.
const IDLE_TRANSACTION: Duration = Duration::from_secs(5);
/// How the server finds that a node is gone without a word: three questions, 2 s apart, after 5 s of silence; or data that it has sent is
/// not confirmed.
const KEEP_ALIVE: [(&str, &str); 4] = [
    ("tcp_keepalives_idle", "5"),
    ("tcp_keepalives_interval", "2"),
    ("tcp_keepalives_count", "3"),
    ("tcp_user_timeout", "10000"),
];
/// The beginning of the name with which a node's connections are marked.
pub(super) const NODE: &str = "shop ";
/// That of a command which changes nothing that nodes keep in memory: they need not notice its end.
const ASIDE: &str = "shop-command ";
/// What a statement may take beyond the server's limit.
const GRACE: Duration = Duration::from_secs(2);
/// Before a task tries again.
const PAUSE: Duration = Duration::from_millis(200);

/// The database with the connections of one purpose. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Db {
    purpose: Purpose,
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
        /// One connection, handed out in the order of requests.
        writer: SqlitePool,
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
    /// Whether the scheme of this address is supported.
    pub fn knows(address: &str) -> bool {
        matches!(address.split(':').next(), Some("sqlite" | "postgres" | "postgresql"))
    }

    /// The host to which a connection would go without TLS being required, if that is not this machine.
    pub fn plain_host(address: &str) -> Option<String> {
        if !address.starts_with("postgres") {
            return None;
        }
        let options = PgConnectOptions::from_str(address).ok()?;
        let is_required = !matches!(options.get_ssl_mode(), PgSslMode::Disable | PgSslMode::Allow | PgSslMode::Prefer);
        let host = options.get_host();
        let is_local = options.get_socket().is_some()
            || host == "localhost"
            || host.starts_with('/')
            || host.trim_matches(['[', ']']).parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback());
        (!is_required && !is_local).then(|| host.to_owned())
    }

    /// Opens the database at `sqlite:PATH` or `postgres://…` and applies missing migrations. When its connections end, other nodes take it
    /// that anything may have changed.
    pub async fn open(address: &str) -> Result<Self, DbError> {
        Self::open_as(NODE, address).await
    }

    /// The same for who changes nothing that pages show.
    pub async fn open_aside(address: &str) -> Result<Self, DbError> {
        Self::open_as(ASIDE, address).await
    }

    async fn open_as(name: &str, address: &str) -> Result<Self, DbError> {
        match address.split(':').next() {
            Some("sqlite") => {
                let options = SqliteConnectOptions::from_str(address)?;
                create_parent(options.get_filename())?;
                let file = options.get_filename().to_owned();
                let mark = mark(&file)?;
                check_in_place(&file)?;
                // Made by SQLite, others could read it. Where it cannot be made, SQLite says why.
                let is_new = private_file::create(&file).is_ok();
                let open = async {
                    let db = Self::of_kind(open_sqlite(options, Some(mark)).await?);
                    let ready = async {
                        db.migrate().await?;
                        db.check_permission().await
                    };
                    if let Err(error) = ready.await {
                        db.close().await;
                        return Err(error);
                    }
                    Ok(db)
                };
                let opened = open.await.map_err(|error: DbError| error.of_opening(&file));
                if is_new && opened.is_err() {
                    Self::discard(address, &file).await;
                }
                opened
            }
            Some("postgres" | "postgresql") => {
                let options = PgConnectOptions::from_str(address)?;
                reach(&options).await?;
                // No restore can begin between this and the first connection of the pools, which it would shut out.
                let mut entered = PgConnection::connect_with(&options).await?;
                enter(&mut entered).await?;
                let db = Self::of_kind(open_postgres(options, name, true));
                db.migrate().await?;
                db.ping().await?;
                entered.close().await?;
                Ok(db)
            }
            _ => Err(DbError::UnknownScheme),
        }
    }

    fn of_kind(kind: Kind) -> Self {
        let pools = Pools {
            kind,
            handlers: Handlers::default(),
            meters: Default::default(),
            retries: AtomicU64::new(0),
            writer_tests: WriterTests::default(),
            unheard: Unheard::default(),
        };
        Self { purpose: Purpose::Shoppers, pools: Arc::new(pools) }
    }

    /// A file that a restore works on, and has locked itself.
    pub(super) async fn of_restore_sqlite(file: &Path) -> Result<Self, DbError> {
        Ok(Self::of_kind(open_sqlite(SqliteConnectOptions::new().filename(file), None).await?))
    }

    /// A database that a restore works on, and has locked itself.
    pub(super) fn of_restore_postgres(options: PgConnectOptions) -> Self {
        Self::of_kind(open_postgres(options, NODE, false))
    }

    /// Whether another process had the database open already when this one opened it, although its system is for one process only.
    pub fn is_shared(&self) -> bool {
        matches!(&self.pools.kind, Kind::Sqlite { mark: Some(mark), .. } if !mark.is_alone)
    }

    /// The same database with the connections of another purpose.
    #[must_use]
    pub fn of(&self, purpose: Purpose) -> Self {
        Self { purpose, pools: Arc::clone(&self.pools) }
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
                Kind::Sqlite { writer, .. } => {
                    let _waiting = self.writer_meter().wait();
                    Open::Sqlite(writer.begin_with("BEGIN IMMEDIATE").await?)
                }
                Kind::Postgres { pools, outage, .. } => {
                    let _waiting = self.meter().wait();
                    let mut conn = Pooled::new(outage.unless_away(pools[self.purpose as usize].acquire()).await?);
                    let limit = self.limit(outage);
                    limit.of(conn.begin()).await?;
                    Open::Postgres(conn, limit)
                }
            })
        };
        let open = beginning.instrument(trace_span!("begin a transaction")).await?;
        Ok(Tx::new(open, self.clone()))
    }

    fn limit(&self, outage: &Arc<Outage>) -> Limit {
        // The server ends a statement after its own limit, if it can.
        Limit { outage: Arc::clone(outage), statement: self.purpose.limits().statement + GRACE }
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

    async fn check_permission(&self) -> Result<(), DbError> {
        let mut tx = self.begin().await?;
        sql!(&mut tx.conn(), c => sqlx::query(CHECK_PERMISSION).execute(c).await.map(drop))?;
        tx.commit().await
    }

    /// Database system and version, such as `SQLite 3.50.4`.
    pub async fn version(&self) -> Result<String, DbError> {
        let mut reader = self.read().await?;
        Ok(match reader.conn() {
            Conn::Sqlite(mut conn) => {
                let version: String = sqlx::query_scalar("SELECT sqlite_version()").fetch_one(&mut *conn).await?;
                format!("SQLite {version}")
            }
            Conn::Postgres(mut conn) => {
                let version: String = sqlx::query_scalar("SHOW server_version").fetch_one(&mut *conn).await?;
                format!("PostgreSQL {version}")
            }
        })
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

    pub async fn close(&self) {
        match &self.pools.kind {
            Kind::Sqlite { readers, writer, mark } => {
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

/// Makes the folder of a database file.
pub(super) fn create_parent(file: &Path) -> Result<(), DbError> {
    let Some(folder) = file.parent() else { return Ok(()) };
    std::fs::create_dir_all(folder).map_err(|cause| DbError::Folder { folder: folder.to_owned(), cause })
}

async fn open_sqlite(options: SqliteConnectOptions, mark: Option<Mark>) -> Result<Kind, DbError> {
    let options = options
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(WAIT);
    // The writer comes first: it creates the file and enables WAL, which readers cannot.
    let writer = SqlitePoolOptions::new()
        .max_connections(1)
        .acquire_timeout(WRITER_WAIT)
        // On a full disk SQLite ends a transaction by itself without sqlx noticing: the connection could never begin another.
        .after_release(|conn, _| {
            Box::pin(async move {
                // Returns once a requested rollback is done.
                conn.ping().await?;
                Ok(!conn.is_in_transaction())
            })
        })
        .connect_with(options.clone().analysis_limit(ANALYSIS_LIMIT))
        .await?;
    let options = options.read_only(true);
    let readers = Purpose::ALL.map(|purpose| {
        SqlitePoolOptions::new()
            .max_connections(purpose.limits().readers)
            .acquire_timeout(WAIT)
            .connect_lazy_with(options.clone())
    });
    Ok(Kind::Sqlite { readers, writer, mark })
}

/// Connections are marked as those of a running shop, unless a restore uses them.
fn open_postgres(options: PgConnectOptions, name: &str, is_marked: bool) -> Kind {
    #[expect(clippy::disallowed_methods, reason = "it names this node and orders nothing")]
    let node = Uuid::now_v7();
    let options = options.options(KEEP_ALIVE).application_name(&format!("{name}{node}"));
    let outage = Outage::new(options.clone());
    let pools = Purpose::ALL.map(|purpose| {
        let limits = purpose.limits();
        let milliseconds = |time: Duration| time.as_millis().to_string();
        let session = options.clone().options([
            ("lock_timeout", milliseconds(limits.lock)),
            ("statement_timeout", milliseconds(limits.statement)),
            ("idle_in_transaction_session_timeout", milliseconds(IDLE_TRANSACTION)),
        ]);
        PgPoolOptions::new()
            .max_connections(limits.connections)
            .acquire_timeout(WAIT)
            .test_before_acquire(false)
            .before_acquire({
                let outage = Arc::clone(&outage);
                move |conn, found| {
                    let outage = Arc::clone(&outage);
                    Box::pin(async move { Ok(outage.is_alive(conn, found.age).await) })
                }
            })
            .after_connect(move |conn, _| {
                Box::pin(async move {
                    let entered = if is_marked { enter(conn).await } else { Ok(()) };
                    entered.map_err(|error| sqlx::Error::Configuration(error.into()))
                })
            })
            .connect_lazy_with(session)
    });
    Kind::Postgres { pools, outage }
}

/// Waits for a server that is starting; the error contains its address and the cause.
pub(super) async fn reach(options: &PgConnectOptions) -> Result<(), DbError> {
    const LOOK_AGAIN: Duration = Duration::from_millis(100);
    let started = Instant::now();
    loop {
        let connecting = tokio::time::timeout(START_WAIT, PgConnection::connect_with(options));
        let error = match connecting.await {
            Ok(Ok(connection)) => {
                drop(connection.close().await);
                return Ok(());
            }
            Ok(Err(error)) => error,
            Err(_) => sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()),
        };
        if !is_outage(&error) || started.elapsed() >= START_WAIT {
            let database = options.get_database().unwrap_or(options.get_username());
            let address = format!("{}:{}/{database}", options.get_host(), options.get_port());
            return Err(DbError::Unreachable { address, cause: error });
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

impl Db {
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
}
