//! Migrations are embedded in the binary; both databases have files with the same numbers and names.
//!
//! A program also runs on tables newer than itself, as long as the table `schema_needs` allows it: during a deployment, nodes of two
//! releases share one database, and a rollback to the previous release stays possible. See `docs/decisions/013-releases.md`.

use std::sync::LazyLock;
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::{Connection, PgConnection};

use super::pools::Kind;
use super::{Db, DbError};

static SQLITE: LazyLock<Migrator> = LazyLock::new(|| tolerant(sqlx::migrate!("../../migrations/sqlite")));
static POSTGRES: LazyLock<Migrator> = LazyLock::new(|| tolerant(sqlx::migrate!("../../migrations/postgres")));

/// An arbitrary number that no other advisory lock uses.
const LOCK: i64 = 0x6d69_6772_6174_6521;
const NEEDS: &str = "SELECT MAX(migration) FROM schema_needs";
/// Between two attempts to get the lock.
const PAUSE: Duration = Duration::from_millis(100);
/// How long a migration waits for the lock of a table, since all others would queue behind it.
const LOCK_LIMIT: &str = "10s";
/// An index that is built or dropped concurrently waits for the transactions that began before, and nobody waits for it.
const NO_LIMIT: &str = "0";

/// Ignores applied migrations that this program does not know.
fn tolerant(mut migrator: Migrator) -> Migrator {
    migrator.set_ignore_missing(true);
    // sqlx's own lock makes other nodes wait inside a statement, which would block PostgreSQL's `CREATE INDEX CONCURRENTLY`.
    migrator.set_locking(false);
    migrator
}

impl Db {
    /// Applies missing migrations. Nodes that start together wait for one another, however long it takes. A migration in a transaction gives
    /// up after [`LOCK_LIMIT`].
    pub(super) async fn migrate(&self) -> Result<(), DbError> {
        match &self.pools.kind {
            Kind::Sqlite { writer, .. } => {
                let mut conn = writer.acquire().await?;
                let there = "SELECT COUNT(*) FROM sqlite_master WHERE name = 'schema_needs'";
                let there: i64 = sqlx::query_scalar(there).fetch_one(&mut *conn).await?;
                if there > 0 {
                    check_needs(sqlx::query_scalar(NEEDS).fetch_one(&mut *conn).await?, &SQLITE)?;
                }
                SQLITE.run(&mut *conn).await?;
            }
            Kind::Postgres { outage, .. } => {
                let mut conn = PgConnection::connect_with(&outage.options).await?;
                lock(&mut conn).await?;
                // Each run of the migrator would say that its table is there already; and the server may limit statements by itself.
                for setting in ["SET client_min_messages = 'warning'", "SET statement_timeout = 0"] {
                    sqlx::query(setting).execute(&mut conn).await?;
                }
                let there =
                    "SELECT COUNT(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'schema_needs'";
                let there: i64 = sqlx::query_scalar(there).fetch_one(&mut conn).await?;
                if there > 0 {
                    check_needs(sqlx::query_scalar(NEEDS).fetch_one(&mut conn).await?, &POSTGRES)?;
                }
                drop_unfinished_indexes(&mut conn).await?;
                run(&mut conn).await?;
                // Closing the connection releases the lock, whatever the outcome.
                conn.close().await?;
            }
        }
        Ok(())
    }
}

impl Db {
    /// Makes the tables of PostgreSQL as they were after a certain migration.
    pub(super) async fn migrate_up_to(conn: &mut PgConnection, last: i64) -> Result<(), DbError> {
        check_needs(Some(last), &POSTGRES)?;
        let migrations = POSTGRES.iter().filter(|migration| migration.version <= last).cloned().collect();
        let migrator = Migrator { migrations, locking: false, ..Migrator::DEFAULT };
        Ok(migrator.run(conn).await?)
    }
}

/// Takes the lock by polling, without a statement that waits.
async fn lock(conn: &mut PgConnection) -> Result<(), DbError> {
    while !sqlx::query_scalar::<_, bool>("SELECT pg_try_advisory_lock($1)").bind(LOCK).fetch_one(&mut *conn).await? {
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

/// Calls the migrator once for each stretch of migrations with the same limit.
async fn run(conn: &mut PgConnection) -> Result<(), DbError> {
    for stretch in POSTGRES.iter().as_slice().chunk_by(|one, next| one.no_tx == next.no_tx) {
        let [.., last] = stretch else { continue };
        limit_locks(conn, if last.no_tx { NO_LIMIT } else { LOCK_LIMIT }).await?;
        POSTGRES.run_to(last.version, &mut *conn).await?;
    }
    Ok(())
}

async fn limit_locks(conn: &mut PgConnection, limit: &str) -> Result<(), DbError> {
    sqlx::query("SELECT set_config('lock_timeout', $1, FALSE)").bind(limit).execute(conn).await?;
    Ok(())
}

/// If building an index concurrently is interrupted, an invalid index remains, which would block the next attempt.
async fn drop_unfinished_indexes(conn: &mut PgConnection) -> Result<(), DbError> {
    limit_locks(conn, NO_LIMIT).await?;
    const SQL: &str =
        "SELECT CAST(i.indexrelid::regclass AS TEXT) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE NOT i.indisvalid AND c.relnamespace = CAST(current_schema() AS regnamespace)";
    let unfinished: Vec<String> = sqlx::query_scalar(SQL).fetch_all(&mut *conn).await?;
    for index in unfinished {
        tracing::warn!(index, "an index was not finished: it is made anew");
        let sql = sqlx::AssertSqlSafe(format!("DROP INDEX CONCURRENTLY IF EXISTS {index}"));
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
