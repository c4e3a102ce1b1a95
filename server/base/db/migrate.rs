//! Migrations are embedded in the binary; both databases have files with the same numbers and names.
//!
//! A program also runs on tables newer than itself, as long as the table `schema_needs` allows it: during a deployment, nodes of two
//! releases share one database, and a rollback to the previous release stays possible. See `docs/decisions/013-releases.md`.

use std::sync::LazyLock;
use std::time::Duration;

use sqlx::migrate::{Migration, Migrator};
use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqlitePool;
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqlSafeStr, SqliteConnection};

use super::pools::Kind;
use super::purpose::lift_newer_limits;
use super::{Db, DbError};

static SQLITE: LazyLock<Migrator> = LazyLock::new(|| tolerant(sqlx::migrate!("../../migrations/sqlite")));
static POSTGRES: LazyLock<Migrator> = LazyLock::new(|| tolerant(sqlx::migrate!("../../migrations/postgres")));
/// The same for the copy of a restore.
static OF_COPY: LazyLock<Migrator> = LazyLock::new(|| {
    let migrations = POSTGRES.iter().map(without_waiting).collect();
    tolerant(Migrator { migrations, ..Migrator::DEFAULT })
});

/// An arbitrary number that no other advisory lock uses.
const LOCK: i64 = 0x6d69_6772_6174_6521;
const NEEDS: &str = "SELECT MAX(migration) FROM schema_needs";
/// Between two attempts to get the lock.
const PAUSE: Duration = Duration::from_millis(100);
/// How long a migration waits for the lock of a table, since all others queue behind it: shoppers wait three times as long.
const LOCK_LIMIT: &str = "1s";
/// Before it tries again.
const RETRY: Duration = Duration::from_secs(2);
/// An index that is built or dropped concurrently waits for the transactions that began before, and nobody waits for it.
const NO_LIMIT: &str = "0";

/// Ignores applied migrations that this program does not know.
fn tolerant(mut migrator: Migrator) -> Migrator {
    migrator.set_ignore_missing(true);
    // sqlx's own lock makes other nodes wait inside a statement, which would block PostgreSQL's `CREATE INDEX CONCURRENTLY`.
    migrator.set_locking(false);
    migrator
}

/// An index that is built concurrently waits for all transactions of the database, and spares those who write to its table: nobody else uses
/// that of a copy.
fn without_waiting(migration: &Migration) -> Migration {
    let sql = AssertSqlSafe(migration.sql.as_str().replace(" CONCURRENTLY", "")).into_sql_str();
    Migration { sql, ..migration.clone() }
}

impl Db {
    /// Applies missing migrations. Nodes that start together wait for one another, however long it takes; one that misses none waits for
    /// nobody. A migration in a transaction waits for at most [`LOCK_LIMIT`] at a time, and is tried again until it gets its locks.
    pub(super) async fn migrate(&self) -> Result<(), DbError> {
        match &self.pools.kind {
            Kind::Sqlite { writer, .. } => migrate_sqlite(writer).await?,
            Kind::Postgres { outage, .. } => {
                let mut conn = connect(&outage.options).await?;
                if !missing(&mut conn).await?.is_empty() {
                    lock(&mut conn).await?;
                    // Another node may have applied some meanwhile.
                    let missing = missing(&mut conn).await?;
                    drop_unfinished_indexes(&mut conn, &missing).await?;
                    run(&mut conn).await?;
                }
                // Closing the connection releases the lock, whatever the outcome.
                conn.close().await?;
            }
        }
        Ok(())
    }

    /// The same for the copy of a restore, which nobody else migrates, and whose connections have a limit for locks. False if others use one of
    /// its tables: it may be tried again, and goes on with the migration that was refused.
    pub async fn migrate_copy(&self) -> Result<bool, DbError> {
        let migrated = match &self.pools.kind {
            Kind::Sqlite { writer, .. } => migrate_sqlite(writer).await,
            Kind::Postgres { outage, .. } => {
                let mut conn = connect(&outage.options).await?;
                let migrated = match missing(&mut conn).await?.is_empty() {
                    true => Ok(()),
                    false => OF_COPY.run(&mut conn).await.map_err(DbError::from),
                };
                conn.close().await?;
                migrated
            }
        };
        match migrated {
            Err(error) if error.is_lock_taken() => Ok(false),
            migrated => migrated.map(|()| true),
        }
    }
}

async fn migrate_sqlite(writer: &SqlitePool) -> Result<(), DbError> {
    let mut conn = writer.acquire().await?;
    let there = "SELECT COUNT(*) FROM sqlite_master WHERE name = 'schema_needs'";
    let there: i64 = sqlx::query_scalar(there).fetch_one(&mut *conn).await?;
    if there > 0 {
        check_needs(sqlx::query_scalar(NEEDS).fetch_one(&mut *conn).await?, &SQLITE)?;
    }
    Ok(SQLITE.run(&mut *conn).await?)
}

/// A connection for migrations.
async fn connect(options: &PgConnectOptions) -> Result<PgConnection, DbError> {
    let mut conn = PgConnection::connect_with(options).await?;
    // Each run of the migrator would say that its table is there already; and the server may limit statements by itself.
    for setting in ["SET client_min_messages = 'warning'", "SET statement_timeout = 0"] {
        sqlx::query(setting).execute(&mut conn).await?;
    }
    lift_newer_limits(&mut conn).await?;
    Ok(conn)
}

impl Db {
    /// Makes the tables of the copy of a restore as they were after a certain migration, on PostgreSQL.
    pub(super) async fn migrate_up_to(conn: &mut PgConnection, last: i64) -> Result<(), DbError> {
        check_needs(Some(last), &POSTGRES)?;
        let migrations = OF_COPY.iter().filter(|migration| migration.version <= last).cloned().collect();
        let migrator = Migrator { migrations, locking: false, ..Migrator::DEFAULT };
        Ok(migrator.run(conn).await?)
    }
}

/// Whether this program knows all migrations up to this one.
pub(super) fn knows(last: i64) -> bool {
    check_needs(Some(last), &SQLITE).is_ok()
}

/// Every table with each of its columns as this program's migrations make them, the same on both systems.
pub(super) async fn columns() -> Result<Vec<(String, String)>, DbError> {
    const SQL: &str =
        "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'";
    let mut conn = SqliteConnection::connect("sqlite::memory:").await?;
    SQLITE.run(&mut conn).await?;
    let columns = sqlx::query_as(SQL).fetch_all(&mut conn).await?;
    conn.close().await?;
    Ok(columns)
}

/// Whether a migration of PostgreSQL makes this routine, which is named with the types of its arguments.
pub(super) fn makes_routine(routine: &str) -> bool {
    let statement = format!("CREATE FUNCTION {routine} ");
    POSTGRES.iter().any(|migration| migration.sql.as_str().contains(&statement))
}

/// Whether a PostgreSQL database is a shop's: one of its migrations was applied.
pub(super) async fn is_a_shops(conn: &mut PgConnection) -> Result<bool, DbError> {
    let applied = applied(conn).await?;
    Ok(POSTGRES.iter().any(|migration| is_applied(migration, &applied)))
}

/// The migrations that PostgreSQL misses. One that was applied with other contents is among them, for the migrator to refuse it.
pub(super) async fn missing(conn: &mut PgConnection) -> Result<Vec<&'static Migration>, DbError> {
    if is_there(conn, "schema_needs").await? {
        check_needs(sqlx::query_scalar(NEEDS).fetch_one(&mut *conn).await?, &POSTGRES)?;
    }
    let applied = applied(conn).await?;
    Ok(POSTGRES.iter().filter(|migration| !is_applied(migration, &applied)).collect())
}

/// Numbers and checksums of the migrations that PostgreSQL has.
async fn applied(conn: &mut PgConnection) -> Result<Vec<(i64, Vec<u8>)>, DbError> {
    const SQL: &str = "SELECT version, checksum FROM _sqlx_migrations WHERE success";
    match is_there(conn, "_sqlx_migrations").await? {
        true => Ok(sqlx::query_as(SQL).fetch_all(conn).await?),
        false => Ok(Vec::new()),
    }
}

fn is_applied(migration: &Migration, applied: &[(i64, Vec<u8>)]) -> bool {
    applied.iter().any(|(version, sum)| *version == migration.version && sum[..] == migration.checksum[..])
}

async fn is_there(conn: &mut PgConnection, table: &str) -> Result<bool, DbError> {
    const SQL: &str = "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1)";
    Ok(sqlx::query_scalar(SQL).bind(table).fetch_one(conn).await?)
}

/// Takes the lock by polling, without a statement that waits.
async fn lock(conn: &mut PgConnection) -> Result<(), DbError> {
    let mut is_told = false;
    while !sqlx::query_scalar::<_, bool>("SELECT pg_try_advisory_lock($1)").bind(LOCK).fetch_one(&mut *conn).await? {
        if !is_told {
            tracing::info!("another process applies migrations: waiting for its end");
            is_told = true;
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

/// Calls the migrator once for each stretch of migrations with the same limit.
async fn run(conn: &mut PgConnection) -> Result<(), DbError> {
    for stretch in POSTGRES.iter().as_slice().chunk_by(|one, next| one.no_tx == next.no_tx) {
        let [.., last] = stretch else { continue };
        limit_locks(conn, if last.no_tx { NO_LIMIT } else { LOCK_LIMIT }).await?;
        match last.no_tx {
            // Not again after a failure: `IF NOT EXISTS` would take the unusable index that it leaves for one that is there.
            true => POSTGRES.run_to(last.version, &mut *conn).await?,
            false => run_to(last.version, conn).await?,
        }
    }
    Ok(())
}

/// Tries again as long as others have the locks that a migration in a transaction needs.
async fn run_to(last: i64, conn: &mut PgConnection) -> Result<(), DbError> {
    let mut is_told = false;
    loop {
        let error = match POSTGRES.run_to(last, &mut *conn).await.map_err(DbError::from) {
            Err(error) if error.is_lock_taken() => error,
            done => return done,
        };
        // Also makes the connection send its rollback.
        let oldest = oldest_transaction(conn).await?;
        if !is_told {
            tracing::warn!(%error, oldest, "a migration waits for a table that others use, such as a backup: trying again");
            is_told = true;
        }
        tokio::time::sleep(RETRY).await;
    }
}

/// Of the others in this database, the one that is probably in the way.
pub(super) async fn oldest_transaction(conn: &mut PgConnection) -> Result<Option<String>, DbError> {
    const SQL: &str = "SELECT format('process %s (%s) since %s', pid, application_name, xact_start)
        FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
        ORDER BY xact_start LIMIT 1";
    Ok(sqlx::query_scalar(SQL).fetch_optional(conn).await?)
}

async fn limit_locks(conn: &mut PgConnection, limit: &str) -> Result<(), DbError> {
    sqlx::query("SELECT set_config('lock_timeout', $1, FALSE)").bind(limit).execute(conn).await?;
    Ok(())
}

/// If building an index concurrently is interrupted, an invalid index remains, which the next attempt of its migration would take for a good one.
/// Others may be in the making.
async fn drop_unfinished_indexes(conn: &mut PgConnection, missing: &[&Migration]) -> Result<(), DbError> {
    limit_locks(conn, NO_LIMIT).await?;
    const SQL: &str = "SELECT CAST(c.relname AS TEXT), CAST(i.indexrelid::regclass AS TEXT)
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE NOT i.indisvalid AND c.relnamespace = CAST(current_schema() AS regnamespace)";
    let unfinished: Vec<(String, String)> = sqlx::query_as(SQL).fetch_all(&mut *conn).await?;
    let is_named = |name: &str| missing.iter().any(|one| one.sql.as_str().split_whitespace().any(|word| word == name));
    for (_, index) in unfinished.iter().filter(|(name, _)| is_named(name)) {
        tracing::warn!(index, "an index was not finished: it is made anew");
        let sql = AssertSqlSafe(format!("DROP INDEX CONCURRENTLY IF EXISTS {index}"));
        sqlx::query(sql).execute(&mut *conn).await?;
    }
    Ok(())
}

/// How many migrations are missing where `applied` ones are done. Both systems have the same ones.
pub(super) fn pending(applied: &[i64], needs: Option<i64>) -> Result<usize, DbError> {
    check_needs(needs, &SQLITE)?;
    Ok(SQLITE.iter().filter(|migration| !applied.contains(&migration.version)).count())
}

/// Rejects tables that this program is too old for.
fn check_needs(needs: Option<i64>, migrator: &Migrator) -> Result<(), DbError> {
    let knows = migrator.iter().map(|migration| migration.version).max().unwrap_or_default();
    match needs {
        Some(needs) if needs > knows => Err(DbError::TooOld { needs, knows }),
        _ => Ok(()),
    }
}
