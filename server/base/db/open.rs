//! Opens a database with the pools of this node.

use std::path::Path;
use std::str::FromStr;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use sqlx::postgres::{PgConnectOptions, PgPoolOptions, PgSslMode};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection, PgConnection};
use uuid::Uuid;

use super::backup::check_in_place;
use super::error::is_outage;
use super::migrate::is_a_shops;
use super::outage::Outage;
use super::pools::{Kind, WRITER_WAIT};
use super::presence::{Mark, enter, file_of, mark};
use super::purpose::{Limits, Purpose, lift_newer_limits};
use super::{Db, DbError};
use crate::{private_file, sql};

/// How long a caller waits for a pooled connection.
const WAIT: Duration = Duration::from_secs(5);
/// So many statements each connection keeps prepared: more than run all the time. One that is not prepared costs PostgreSQL two more round trips,
/// and a plan.
const STATEMENTS_OF_SQLITE: usize = 400;
const STATEMENTS_OF_POSTGRES: usize = 250;
/// Rows of an index that are read for its statistics: an analysis of the largest table takes some tens of milliseconds, in which no other
/// writer gets its turn.
const ANALYSIS_LIMIT: u32 = 400;
/// How long a start waits for a PostgreSQL that is still starting.
const START_WAIT: Duration = Duration::from_secs(5);

/// SQLite opens a file, too, that it may only read, and says so when something is to be changed, as PostgreSQL does on a replica. This
/// changes nothing, so it works on a full disk.
pub(super) const CHECK_PERMISSION: &str = "UPDATE writer_checks SET checks = checks WHERE checks < 0";

/// A transaction that is idle for this long is aborted: its process is stuck or gone, and others wait for its locks.
const IDLE_TRANSACTION: Duration = Duration::from_secs(5);
/// How the server finds that a node is gone without a word: three questions, 2 s apart, after 5 s of silence; or data that it has sent is
/// not confirmed.
pub(super) const KEEP_ALIVE: [(&str, &str); 4] = [
    ("tcp_keepalives_idle", "5"),
    ("tcp_keepalives_interval", "2"),
    ("tcp_keepalives_count", "3"),
    ("tcp_user_timeout", "10000"),
];
/// The beginning of the name with which a node's connections are marked.
pub(super) const NODE: &str = "shop ";
/// That of a command which changes nothing that nodes keep in memory: they need not notice its end, and a shop on SQLite may start beside it.
const ASIDE: &str = "shop-command ";

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
    /// that anything may have changed. Of an SQLite file on which another shop works no migration may be missing.
    pub async fn open(address: &str) -> Result<Self, DbError> {
        Self::open_labeled(address, "").await
    }

    /// The same with a label of at most 21 letters and digits, which other nodes see ([`Conn::labels`](super::Conn::labels)).
    pub async fn open_labeled(address: &str, label: &str) -> Result<Self, DbError> {
        Self::open_as(NODE, label, address).await
    }

    /// The same for who changes nothing that pages show, and has looked that no migration is missing.
    pub async fn open_aside(address: &str) -> Result<Self, DbError> {
        Self::open_as(ASIDE, "", address).await
    }

    async fn open_as(name: &str, label: &str, address: &str) -> Result<Self, DbError> {
        match address.split(':').next() {
            Some("sqlite") => {
                let options = SqliteConnectOptions::from_str(address)?;
                create_parent(options.get_filename())?;
                let file = file_of(&options);
                let mark = mark(&file, name == ASIDE)?;
                check_in_place(&file)?;
                // Made by SQLite, others could read it. Where it cannot be made, SQLite says why.
                let is_new = private_file::create(&file).is_ok();
                let open = async {
                    // A shop that runs may be too old for what would be changed under it.
                    if !mark.is_alone && Self::lacks_migrations(address).await? {
                        return Err(DbError::InUse);
                    }
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
                let mut entered = reach(&options).await?;
                check_encoding(&mut entered).await?;
                // No restore can begin between this and the first connection of the pools, which it would shut out.
                enter(&mut entered).await?;
                let db = Self::of_kind(open_postgres(options, name, label, true));
                db.migrate().await?;
                db.ping().await?;
                entered.close().await?;
                Ok(db)
            }
            _ => Err(DbError::UnknownScheme),
        }
    }

    /// A file that a restore works on, and has locked itself.
    pub(super) async fn of_restore_sqlite(file: &Path) -> Result<Self, DbError> {
        Ok(Self::of_kind(open_sqlite(SqliteConnectOptions::new().filename(file), None).await?))
    }

    /// A database that a restore works on, and has locked itself.
    pub(super) fn of_restore_postgres(options: PgConnectOptions) -> Self {
        Self::of_kind(open_postgres(options, NODE, "", false))
    }

    async fn check_permission(&self) -> Result<(), DbError> {
        let mut tx = self.begin().await?;
        sql!(&mut tx.conn(), c => sqlx::query(CHECK_PERMISSION).execute(c).await.map(drop))?;
        tx.commit().await
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
        .busy_timeout(WAIT)
        .statement_cache_capacity(STATEMENTS_OF_SQLITE);
    // The writer comes first: it creates the file and enables WAL, which readers cannot.
    let writer = SqlitePoolOptions::new()
        .max_connections(1)
        .acquire_timeout(WRITER_WAIT)
        // It is this process: nothing between them can break.
        .test_before_acquire(false)
        // On a full disk SQLite ends a transaction by itself without sqlx noticing: the connection could never begin another.
        .after_release(|conn, _| {
            Box::pin(async move {
                // It was committed, or rolled back. A transaction that nobody waited for any more when it began is rolled back at once, and sqlx
                // waits for that: it sends a ping itself.
                if !conn.is_in_transaction() {
                    return Ok(true);
                }
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
            .test_before_acquire(false)
            .connect_lazy_with(options.clone())
    });
    Ok(Kind::Sqlite { readers, writer, turns: Arc::default(), mark })
}

/// Connections are marked as those of a running shop, unless a restore uses them, whose transactions may take long.
fn open_postgres(options: PgConnectOptions, name: &str, label: &str, is_marked: bool) -> Kind {
    #[expect(clippy::disallowed_methods, reason = "it names this node and orders nothing")]
    let node = Uuid::now_v7();
    let options = options
        .application_name(format!("{name}{node} {label}").trim_end())
        .statement_cache_capacity(STATEMENTS_OF_POSTGRES);
    let make_pool = |purpose: Purpose, outage: &Weak<Outage>| {
        let limits = purpose.limits();
        let session = limited(options.clone(), &limits);
        PgPoolOptions::new()
            .max_connections(limits.connections)
            .acquire_timeout(WAIT)
            // Otherwise sqlx calls all of them used each time it has looked at them.
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
            .before_acquire({
                let outage = Weak::clone(outage);
                move |conn, found| {
                    let outage = outage.upgrade();
                    Box::pin(async move {
                        Ok(match outage {
                            Some(outage) => outage.is_alive(conn, found.age, found.idle_for).await,
                            None => false,
                        })
                    })
                }
            })
            .after_connect(move |conn, _| {
                Box::pin(async move {
                    let entered = if is_marked { enter(conn).await } else { lift_newer_limits(conn).await };
                    entered.map_err(|error| sqlx::Error::Configuration(error.into()))
                })
            })
            .connect_lazy_with(session)
    };
    let outage = Outage::new(options.clone().options(KEEP_ALIVE), |outage| {
        Purpose::ALL.map(|purpose| make_pool(purpose, outage))
    });
    Kind::Postgres { pools: outage.pools.clone(), outage }
}

/// A connection's parameters, which it is started with.
pub(super) fn limited(options: PgConnectOptions, limits: &Limits) -> PgConnectOptions {
    let milliseconds = |time: Duration| time.as_millis().to_string();
    options.options(KEEP_ALIVE).options([
        ("lock_timeout", milliseconds(limits.lock)),
        ("statement_timeout", milliseconds(limits.statement)),
        ("idle_in_transaction_session_timeout", milliseconds(IDLE_TRANSACTION)),
    ])
}

/// Refuses a database in another encoding than UTF-8, which cannot be changed later, unless it is a shop's already: that goes on as before.
pub(super) async fn check_encoding(conn: &mut PgConnection) -> Result<(), DbError> {
    let Some(encoding) = other_encoding(conn).await? else { return Ok(()) };
    if is_a_shops(conn).await? { Ok(()) } else { Err(DbError::Encoding(encoding)) }
}

/// The encoding of a database that is not in UTF-8.
pub(super) async fn other_encoding(conn: &mut PgConnection) -> Result<Option<String>, DbError> {
    let encoding: String = sqlx::query_scalar("SHOW server_encoding").fetch_one(conn).await?;
    Ok((encoding != "UTF8").then_some(encoding))
}

/// A connection, for which it waits while the server is starting; the error contains its address and the cause.
pub(super) async fn reach(options: &PgConnectOptions) -> Result<PgConnection, DbError> {
    const LOOK_AGAIN: Duration = Duration::from_millis(100);
    let started = Instant::now();
    loop {
        let connecting = tokio::time::timeout(START_WAIT, PgConnection::connect_with(options));
        let error = match connecting.await {
            Ok(Ok(connection)) => return Ok(connection),
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
