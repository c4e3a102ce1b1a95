//! What can be said of a database without migrating it.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, PgConnection, SqliteConnection};
use tokio::time::timeout;

use super::backup::{MISSING_GRANT as MISSING_DATABASE_GRANT, check_in_place, remove_database};
use super::migrate::{is_a_shops, missing, pending};
use super::notify::connect;
use super::open::{CHECK_PERMISSION, limited, other_encoding, reach};
use super::presence::{file_of, seize};
use super::{Conn, Db, DbError, Purpose, Session};
use crate::clock::{Clock, SystemClock};
use crate::sql;

/// The state of a database.
#[derive(Debug)]
pub struct Diagnosis {
    /// Such as `SQLite 3.50.4`.
    pub system: String,
    /// Whether no migration was ever applied: it is no shop's yet.
    pub is_new: bool,
    /// How many migrations the next start applies.
    pub pending: usize,
    /// With which statement the owner of the schema lets the shop's user apply them, if it may not create tables.
    pub grant: Option<String>,
    /// The same for the schema that a restore makes.
    pub database_grant: Option<String>,
    /// In which encoding texts are stored, if not in UTF-8.
    pub other_encoding: Option<String>,
    /// The time of its machine, UTC milliseconds; none where that is this machine.
    pub now_ms: Option<i64>,
}

/// A connection that leaves the tables as they are: no migration is applied.
#[derive(Debug)]
pub enum Look {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Look {
    /// At a database that exists.
    pub async fn at(address: &str) -> Result<Self, DbError> {
        Ok(if address.starts_with("sqlite:") {
            Self::Sqlite(SqliteConnection::connect(address).await?)
        } else {
            Self::Postgres(PgConnection::connect(address).await?)
        })
    }

    pub fn conn(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(conn) => Conn::Sqlite(Session { conn, state: None, limit: None }),
            Self::Postgres(conn) => Conn::Postgres(Session { conn, state: None, limit: None }),
        }
    }

    pub async fn close(self) -> Result<(), DbError> {
        match self {
            Self::Sqlite(conn) => conn.close().await?,
            Self::Postgres(conn) => conn.close().await?,
        }
        Ok(())
    }
}

/// The SQLite file at an address, to which symbolic links may lead; none for PostgreSQL.
pub fn find_file(address: &str) -> Option<PathBuf> {
    let options = address.starts_with("sqlite:").then(|| SqliteConnectOptions::from_str(address))?;
    options.ok().map(|options| file_of(&options))
}

/// What is wrong with the pages of an SQLite file, if anything: all of them are read.
pub async fn find_damage(address: &str) -> Result<Option<String>, DbError> {
    let mut conn = SqliteConnection::connect(address).await?;
    let found: String = sqlx::query_scalar("PRAGMA quick_check(1)").fetch_one(&mut conn).await?;
    conn.close().await?;
    Ok((found != "ok").then_some(found))
}

/// Whether connections to PostgreSQL get the limits that the shop starts them with. A pooler in between may refuse or ignore them.
pub async fn are_limited(address: &str) -> Result<bool, DbError> {
    const SQL: &str = "SELECT CAST(setting AS BIGINT) FROM pg_settings WHERE name = 'lock_timeout'";
    let limits = Purpose::Shoppers.limits();
    let options = limited(PgConnectOptions::from_str(address)?, &limits);
    let mut conn = PgConnection::connect_with(&options).await?;
    let milliseconds: i64 = sqlx::query_scalar(SQL).fetch_one(&mut conn).await?;
    conn.close().await?;
    Ok(u128::try_from(milliseconds).is_ok_and(|found| found == limits.lock.as_millis()))
}

/// Whether a commit is answered only when it is on the server's disk.
pub async fn keeps_commits(address: &str) -> Result<bool, DbError> {
    let options = limited(PgConnectOptions::from_str(address)?, &Purpose::Shoppers.limits());
    let mut conn = PgConnection::connect_with(&options).await?;
    let level: String = sqlx::query_scalar("SHOW synchronous_commit").fetch_one(&mut conn).await?;
    conn.close().await?;
    Ok(level != "off")
}

/// Whether a message of one connection arrives at another, like those with which nodes of PostgreSQL tell one another what they have changed.
pub async fn messages_arrive(address: &str) -> Result<bool, DbError> {
    const CHANNEL: &str = "shop_doctor";
    const ARRIVES_WITHIN: Duration = Duration::from_secs(2);
    let mut listener = connect(PgConnectOptions::from_str(address)?, CHANNEL).await?;
    let mut other = PgConnection::connect(address).await?;
    sqlx::query("SELECT pg_notify($1, '')").bind(CHANNEL).execute(&mut other).await?;
    let heard = timeout(ARRIVES_WITHIN, listener.try_recv()).await;
    other.close().await?;
    Ok(matches!(heard, Ok(Ok(Some(_)))))
}

const NOW: &str = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
const APPLIED: &str = "SELECT version FROM _sqlx_migrations WHERE success";
const NEEDS: &str = "SELECT MAX(migration) FROM schema_needs";
/// Without `USAGE` there is no current schema either.
const MISSING_GRANT: &str =
    "SELECT format('GRANT USAGE, CREATE ON SCHEMA %I TO %I', COALESCE(CAST(current_schema() AS TEXT), 'public'), current_user)
    WHERE NOT COALESCE(has_schema_privilege(CAST(current_schema() AS TEXT), 'CREATE'), FALSE)";

impl Db {
    /// Removes the file that a failed start has made, if nothing is in it yet and nobody else has opened it: it would pass for a shop's.
    pub(super) async fn discard(address: &str, file: &Path) {
        let Ok(_locks) = seize(file) else { return };
        let is_empty = match diagnose(address).await {
            Ok(found) => found.is_some_and(|found| found.is_new),
            Err(_) => std::fs::metadata(file).is_ok_and(|file| file.len() == 0),
        };
        if is_empty {
            // Why the start has failed is told.
            drop(remove_database(file));
        }
    }

    /// Whether opening the database applies migrations.
    pub(super) async fn lacks_migrations(address: &str) -> Result<bool, DbError> {
        Ok(diagnose(address).await?.is_some_and(|found| found.pending > 0))
    }

    /// Whether opening the database applies migrations to a shop that other nodes may be serving meanwhile. SQLite has no others, and a shop whose
    /// tables are yet to be made none that serve.
    pub async fn migrates_beside_others(address: &str) -> Result<bool, DbError> {
        if !address.starts_with("postgres") {
            return Ok(false);
        }
        let mut conn = reach(&PgConnectOptions::from_str(address)?).await?;
        let is_so = is_a_shops(&mut conn).await? && !missing(&mut conn).await?.is_empty();
        conn.close().await?;
        Ok(is_so)
    }

    /// By how many milliseconds the clock of this machine is ahead of the database's. SQLite has none of its own.
    pub async fn clock_ahead(&self) -> Result<i64, DbError> {
        if !self.has_many_writers() {
            return Ok(0);
        }
        let mut reader = self.short().read().await?;
        let theirs: i64 = sql!(&mut reader.conn(), c => sqlx::query_scalar(NOW).fetch_one(c).await)?;
        Ok(SystemClock.now_ms() - theirs)
    }
}

/// None if there is no database yet, and the next start makes one.
pub async fn diagnose(address: &str) -> Result<Option<Diagnosis>, DbError> {
    if address.starts_with("sqlite:") {
        let options = SqliteConnectOptions::from_str(address)?;
        let file = file_of(&options);
        check_in_place(&file)?;
        if !file.exists() {
            return Ok(None);
        }
        return diagnose_sqlite(&options).await.map(Some).map_err(|error| error.of_opening(&file));
    }
    let options = PgConnectOptions::from_str(address)?;
    let mut conn = reach(&options).await?;
    let version: String = sqlx::query_scalar("SHOW server_version").fetch_one(&mut conn).await?;
    let now_ms: i64 = sqlx::query_scalar(NOW).fetch_one(&mut conn).await?;
    let (mut applied, mut needs) = (Vec::new(), None);
    if sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL").fetch_one(&mut conn).await? {
        applied = sqlx::query_scalar(APPLIED).fetch_all(&mut conn).await?;
    }
    // Former releases had none.
    if sqlx::query_scalar("SELECT to_regclass('schema_needs') IS NOT NULL").fetch_one(&mut conn).await? {
        needs = sqlx::query_scalar(NEEDS).fetch_one(&mut conn).await?;
    }
    if sqlx::query_scalar("SELECT to_regclass('writer_checks') IS NOT NULL").fetch_one(&mut conn).await? {
        // A replica takes no writes, nor may every user write.
        sqlx::query(CHECK_PERMISSION).execute(&mut conn).await?;
    }
    let pending = pending(&applied, needs)?;
    let grant = match pending {
        0 => None,
        1.. => sqlx::query_scalar(MISSING_GRANT).fetch_optional(&mut conn).await?,
    };
    let database_grant = sqlx::query_scalar(MISSING_DATABASE_GRANT).fetch_optional(&mut conn).await?;
    let other_encoding = other_encoding(&mut conn).await?;
    conn.close().await?;
    let (system, is_new) = (format!("PostgreSQL {version}"), applied.is_empty());
    Ok(Some(Diagnosis { system, is_new, pending, grant, database_grant, other_encoding, now_ms: Some(now_ms) }))
}

async fn diagnose_sqlite(options: &SqliteConnectOptions) -> Result<Diagnosis, DbError> {
    const EXISTS: &str = "SELECT COUNT(*) > 0 FROM sqlite_master WHERE name = $1";
    let mut conn = SqliteConnection::connect_with(options).await?;
    let version: String = sqlx::query_scalar("SELECT sqlite_version()").fetch_one(&mut conn).await?;
    let (mut applied, mut needs) = (Vec::new(), None);
    if sqlx::query_scalar(EXISTS).bind("_sqlx_migrations").fetch_one(&mut conn).await? {
        applied = sqlx::query_scalar(APPLIED).fetch_all(&mut conn).await?;
    }
    if sqlx::query_scalar(EXISTS).bind("schema_needs").fetch_one(&mut conn).await? {
        needs = sqlx::query_scalar(NEEDS).fetch_one(&mut conn).await?;
    }
    if sqlx::query_scalar(EXISTS).bind("writer_checks").fetch_one(&mut conn).await? {
        let checked = sqlx::query(CHECK_PERMISSION).execute(&mut conn).await;
        let checked = checked.map_err(|error| DbError::from(error).of_opening(options.get_filename()));
        // That it is busy says nothing about the permission.
        if let Err(error) = checked
            && !error.is_passing()
        {
            return Err(error);
        }
    }
    conn.close().await?;
    let pending = pending(&applied, needs)?;
    let (system, is_new) = (format!("SQLite {version}"), applied.is_empty());
    Ok(Diagnosis { system, is_new, pending, grant: None, database_grant: None, other_encoding: None, now_ms: None })
}
