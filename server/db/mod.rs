//! One database of two kinds: SQLite on one machine, PostgreSQL for several.
//!
//! Stores write each statement once, in SQL that both take (`$1` parameters, `RETURNING`, `ON CONFLICT`), and run it
//! through [`sql!`](crate::sql), which expands the body for both drivers. Where the dialects differ the `match` is visible.
//!
//! SQLite has one writer connection and a pool of readers (WAL lets them run together); every write transaction begins
//! with `BEGIN IMMEDIATE`, so it waits for its turn instead of failing half-way.

pub mod list;
mod migrate;
mod notify;
mod stored;

use std::str::FromStr;
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{PgConnection, Postgres, Sqlite, SqliteConnection, Transaction};

pub(crate) use stored::stored;

/// Why the database did not answer.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    #[error("the database address is neither sqlite: nor postgres:")]
    UnknownScheme,
    #[error(transparent)]
    Sql(#[from] sqlx::Error),
    #[error("the database's folder cannot be made: {0}")]
    Folder(#[from] std::io::Error),
    /// The rows contradict what the code guarantees.
    #[error("the database is inconsistent: {0}")]
    Inconsistent(&'static str),
    #[error("the migrations could not be applied: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
}

impl DbError {
    /// Something that may be there once only is there already.
    pub fn is_unique_violation(&self) -> bool {
        matches!(self, Self::Sql(sqlx::Error::Database(error)) if error.is_unique_violation())
    }
}

/// A column's text as what it stands for.
pub fn decoded<T, E>(column: &str, value: Result<T, E>) -> Result<T, DbError>
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    value.map_err(|error| DbError::Sql(sqlx::Error::ColumnDecode { index: column.to_owned(), source: error.into() }))
}

/// The pools. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Db {
    Sqlite { readers: SqlitePool, writer: SqlitePool },
    Postgres(PgPool),
}

/// Connections of one pool.
#[derive(Clone, Debug, serde::Serialize, utoipa::ToSchema)]
pub struct PoolFigures {
    pub name: &'static str,
    pub in_use: u32,
    pub idle: u32,
    /// More are never opened.
    pub most: u32,
}

impl PoolFigures {
    fn of(name: &'static str, size: u32, idle: usize, most: u32) -> Self {
        let idle = u32::try_from(idle).unwrap_or(u32::MAX);
        Self { name, in_use: size.saturating_sub(idle), idle, most }
    }
}

/// A connection that a store runs its statements on, inside a transaction or not.
#[derive(Debug)]
pub enum Conn<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
}

/// Runs one statement body on whichever driver the connection has.
#[macro_export]
macro_rules! sql {
    ($conn:expr, $c:ident => $body:expr) => {
        match $conn {
            $crate::db::Conn::Sqlite($c) => {
                let $c = &mut **$c;
                $body
            }
            $crate::db::Conn::Postgres($c) => {
                let $c = &mut **$c;
                $body
            }
        }
    };
}

/// A pooled connection for reading.
#[derive(Debug)]
pub enum Reader {
    Sqlite(PoolConnection<Sqlite>),
    Postgres(PoolConnection<Postgres>),
}

impl Reader {
    pub fn conn(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(conn) => Conn::Sqlite(conn),
            Self::Postgres(conn) => Conn::Postgres(conn),
        }
    }
}

/// A write transaction: nothing is kept unless [`Tx::commit`] is called.
#[derive(Debug)]
pub enum Tx {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>),
}

impl Tx {
    pub fn conn(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(tx) => Conn::Sqlite(tx),
            Self::Postgres(tx) => Conn::Postgres(tx),
        }
    }

    pub async fn commit(self) -> Result<(), DbError> {
        match self {
            Self::Sqlite(tx) => tx.commit().await?,
            Self::Postgres(tx) => tx.commit().await?,
        }
        Ok(())
    }
}

impl Db {
    /// Opens the database at `sqlite:PATH` or `postgres://…` and brings its tables up to date.
    pub async fn open(address: &str) -> Result<Self, DbError> {
        let db = Self::connect(address).await?;
        db.migrate().await?;
        Ok(db)
    }

    async fn connect(address: &str) -> Result<Self, DbError> {
        const WAIT: Duration = Duration::from_secs(5);
        if address.starts_with("sqlite:") {
            let options = SqliteConnectOptions::from_str(address)?
                .create_if_missing(true)
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Full)
                .foreign_keys(true)
                .busy_timeout(WAIT);
            if let Some(folder) = options.get_filename().parent() {
                std::fs::create_dir_all(folder)?;
            }
            // The writer goes first: it makes the file and sets WAL, which readers cannot.
            let writer =
                SqlitePoolOptions::new().max_connections(1).acquire_timeout(WAIT).connect_with(options.clone()).await?;
            let readers = SqlitePoolOptions::new()
                .max_connections(8)
                .acquire_timeout(WAIT)
                .connect_with(options.read_only(true))
                .await?;
            Ok(Self::Sqlite { readers, writer })
        } else if address.starts_with("postgres:") || address.starts_with("postgresql:") {
            let options = PgConnectOptions::from_str(address)?;
            let pool = PgPoolOptions::new().max_connections(16).acquire_timeout(WAIT).connect_with(options).await?;
            Ok(Self::Postgres(pool))
        } else {
            Err(DbError::UnknownScheme)
        }
    }

    /// A connection that only reads.
    pub async fn read(&self) -> Result<Reader, DbError> {
        Ok(match self {
            Self::Sqlite { readers, .. } => Reader::Sqlite(readers.acquire().await?),
            Self::Postgres(pool) => Reader::Postgres(pool.acquire().await?),
        })
    }

    /// A transaction that may write.
    pub async fn begin(&self) -> Result<Tx, DbError> {
        Ok(match self {
            Self::Sqlite { writer, .. } => Tx::Sqlite(writer.begin_with("BEGIN IMMEDIATE").await?),
            Self::Postgres(pool) => Tx::Postgres(pool.begin().await?),
        })
    }

    /// Whether a trivial query answers.
    pub async fn ping(&self) -> Result<(), DbError> {
        let mut reader = self.read().await?;
        let mut conn = reader.conn();
        sql!(&mut conn, c => sqlx::query("SELECT 1").execute(c).await.map(drop))?;
        Ok(())
    }

    /// Kind and version, such as `SQLite 3.50.4`.
    pub async fn version(&self) -> Result<String, DbError> {
        let mut reader = self.read().await?;
        Ok(match reader.conn() {
            Conn::Sqlite(conn) => {
                let version: String = sqlx::query_scalar("SELECT sqlite_version()").fetch_one(conn).await?;
                format!("SQLite {version}")
            }
            Conn::Postgres(conn) => {
                let version: String = sqlx::query_scalar("SHOW server_version").fetch_one(conn).await?;
                format!("PostgreSQL {version}")
            }
        })
    }

    /// How the connections of this node stand.
    pub fn pools(&self) -> Vec<PoolFigures> {
        match self {
            Self::Sqlite { readers, writer } => vec![
                PoolFigures::of("Readers", readers.size(), readers.num_idle(), readers.options().get_max_connections()),
                PoolFigures::of("Writer", writer.size(), writer.num_idle(), writer.options().get_max_connections()),
            ],
            Self::Postgres(pool) => {
                vec![PoolFigures::of("All", pool.size(), pool.num_idle(), pool.options().get_max_connections())]
            }
        }
    }

    pub async fn close(&self) {
        match self {
            Self::Sqlite { readers, writer } => {
                readers.close().await;
                writer.close().await;
            }
            Self::Postgres(pool) => pool.close().await,
        }
    }
}
