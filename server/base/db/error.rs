//! Database errors, and how to react to them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sqlx::migrate::MigrateError;
use sqlx::postgres::PgDatabaseError;

const NOT_ALLOWED: i32 = 3;
const READ_ONLY: i32 = 8;
const CANNOT_OPEN: i32 = 14;
const LOCK_NOT_AVAILABLE: &str = "55P03";

/// Why a database operation failed.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    #[error("the database address is neither sqlite: nor postgres:")]
    UnknownScheme,
    #[error("{}", told(.0))]
    Sql(sqlx::Error),
    /// SQLite has found that its file is not what it has written.
    #[error(
        "the database's file is damaged ({0}): stop the shop, keep the file, and restore a backup with shop restore"
    )]
    Damaged(sqlx::Error),
    /// The database is down. A write that had been sent may have been committed or not.
    #[error("the database is away: {0}")]
    Away(Arc<str>),
    #[error("PostgreSQL at {address} cannot be reached: {cause}")]
    Unreachable { address: String, cause: sqlx::Error },
    #[error("{} cannot be written to: {cause}; give it, the files beside it and their folder to the user of the shop", folder.display())]
    Folder { folder: PathBuf, cause: std::io::Error },
    /// Of PostgreSQL: not every text can be stored, nor be searched for.
    #[error(
        "the database is in {0} and not in UTF-8, so it cannot store every character: make another one with \
         CREATE DATABASE … ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
    )]
    Encoding(String),
    #[error("a shop is running on this database: stop it first")]
    InUse,
    #[error("the database is being restored: try again when that is done")]
    Restoring,
    /// There is no SQLite file at its own path.
    #[error(
        "a restore was interrupted, and the former database is at {}: run shop restore again, which puts it back first",
        .0.display()
    )]
    Interrupted(PathBuf),
    /// The rows violate an invariant of the code.
    #[error("the database is inconsistent: {0}")]
    Inconsistent(&'static str),
    /// A newer release has changed the tables in a way that is incompatible with this one.
    #[error(
        "this release is too old for the database: it knows the migrations up to {knows}, and the tables need {needs}; \
         run the release that made them, or a newer one"
    )]
    TooOld { needs: i64, knows: i64 },
    #[error("the migrations could not be applied: {0}")]
    Migrate(MigrateError),
}

fn told(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::PoolTimedOut => {
            "no connection to the database was free in time (PostgreSQL's max_connections must allow 22 for each node)"
                .to_owned()
        }
        error => error.to_string(),
    }
}

impl From<sqlx::Error> for DbError {
    fn from(error: sqlx::Error) -> Self {
        const CORRUPT: i32 = 11;
        const NOT_A_DATABASE: i32 = 26;
        if let Some(cause) = cause_of_outage(&error) {
            return Self::Away(cause);
        }
        match sqlite_code(&error) {
            Some(CORRUPT | NOT_A_DATABASE) => Self::Damaged(error),
            _ => Self::Sql(error),
        }
    }
}

impl From<MigrateError> for DbError {
    fn from(error: MigrateError) -> Self {
        match error {
            MigrateError::Execute(error) => error.into(),
            error => Self::Migrate(error),
        }
    }
}

/// An error with which a write transaction may end.
pub trait WriteError: From<DbError> {
    /// Another transaction was in the way and nothing was written: an immediate retry may succeed.
    fn is_contention(&self) -> bool;
}

impl WriteError for DbError {
    fn is_contention(&self) -> bool {
        matches!(self, Self::Sql(error) if is_contention(error))
    }
}

impl DbError {
    /// A unique value exists already.
    pub fn is_unique_violation(&self) -> bool {
        matches!(self, Self::Sql(sqlx::Error::Database(error)) if error.is_unique_violation())
    }

    /// PostgreSQL stores no text with a NUL character.
    pub fn is_unstorable_text(&self) -> bool {
        const CHARACTER_NOT_IN_REPERTOIRE: &str = "22021";
        matches!(self, Self::Sql(error) if postgres_code(error) == Some(CHARACTER_NOT_IN_REPERTOIRE))
    }

    /// SQLite may not write its file, or the files beside it, when it opens it.
    pub(super) fn of_opening(self, file: &Path) -> Self {
        match &self {
            Self::Sql(error) if matches!(sqlite_code(error), Some(NOT_ALLOWED | READ_ONLY | CANNOT_OPEN)) => {
                Self::Folder { folder: file.to_owned(), cause: std::io::Error::other(error.to_string()) }
            }
            _ => self,
        }
    }

    /// A migration, or another statement, did not get a lock in time, or waited for another transaction that waited for it.
    pub(super) fn is_lock_taken(&self) -> bool {
        match self {
            Self::Migrate(MigrateError::ExecuteMigration(error, _)) | Self::Sql(error) => {
                is_contention(error) || postgres_code(error) == Some(LOCK_NOT_AVAILABLE)
            }
            _ => false,
        }
    }

    /// It works for others meanwhile: no connection was free, or a lock was not, in time.
    pub(super) fn is_busy(&self) -> bool {
        const BUSY: i32 = 5;
        const QUERY_CANCELED: &str = "57014";
        match self {
            Self::Sql(sqlx::Error::PoolTimedOut) => true,
            Self::Sql(error) => {
                is_contention(error)
                    || matches!(postgres_code(error), Some(LOCK_NOT_AVAILABLE | QUERY_CANCELED))
                    || sqlite_code(error) == Some(BUSY)
            }
            _ => false,
        }
    }

    /// It is known to be down, which the log says once.
    pub fn is_away(&self) -> bool {
        matches!(self, Self::Away(_))
    }

    /// The database is down, full, read-only or too busy. A retry some seconds later may succeed.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Away(_) | Self::Unreachable { .. } => true,
            Self::Sql(error) => is_contention(error) || is_outage(error) || is_short_of_something(error),
            _ => false,
        }
    }
}

/// The code of a PostgreSQL error: https://www.postgresql.org/docs/current/errcodes-appendix.html
fn postgres_code(error: &sqlx::Error) -> Option<&str> {
    let error = error.as_database_error()?.try_downcast_ref::<PgDatabaseError>()?;
    Some(error.code())
}

/// The primary code of an SQLite error: https://www.sqlite.org/rescode.html
fn sqlite_code(error: &sqlx::Error) -> Option<i32> {
    let error = error.as_database_error().filter(|error| error.try_downcast_ref::<PgDatabaseError>().is_none())?;
    error.code()?.parse().ok().map(|code: i32| code & 0xff)
}

fn is_contention(error: &sqlx::Error) -> bool {
    const SERIALIZATION_FAILURE: &str = "40001";
    const DEADLOCK_DETECTED: &str = "40P01";
    matches!(postgres_code(error), Some(SERIALIZATION_FAILURE | DEADLOCK_DETECTED))
}

/// [`DbError::Away`] where only an error of sqlx can be returned.
#[derive(Debug, thiserror::Error)]
#[error("the database is away: {0}")]
struct OfOutage(Arc<str>);

pub(super) fn of_outage(cause: Arc<str>) -> sqlx::Error {
    sqlx::Error::Io(std::io::Error::other(OfOutage(cause)))
}

fn cause_of_outage(error: &sqlx::Error) -> Option<Arc<str>> {
    let sqlx::Error::Io(error) = error else { return None };
    let OfOutage(cause) = error.get_ref()?.downcast_ref::<OfOutage>()?;
    Some(Arc::clone(cause))
}

/// No connection is possible.
pub(super) fn is_outage(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::Protocol(_) | sqlx::Error::PoolTimedOut => true,
        // Connection exceptions; shutting down, crashed, starting up.
        error => postgres_code(error).is_some_and(|code| code.starts_with("08") || code.starts_with("57P")),
    }
}

fn is_short_of_something(error: &sqlx::Error) -> bool {
    const BUSY: i32 = 5;
    const LOCKED: i32 = 6;
    const IO_ERROR: i32 = 10;
    const FULL: i32 = 13;
    match error {
        sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed
        | sqlx::Error::BeginFailed
        | sqlx::Error::InvalidSavePointStatement => true,
        error => {
            // Insufficient resources (such as a full disk); a lock, statement or idle-transaction timeout; an I/O error; read-only, as a
            // replica is, or a managed server whose storage is full.
            postgres_code(error).is_some_and(|code| {
                code.starts_with("53") || matches!(code, "55P03" | "57014" | "25P03" | "25P04" | "58030" | "25006")
            }) || sqlite_code(error)
                .is_some_and(|code| matches!(code, BUSY | LOCKED | READ_ONLY | IO_ERROR | FULL | CANNOT_OPEN))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DbError;

    #[test]
    fn too_few_connections_are_told_with_the_setting() {
        let told = DbError::from(sqlx::Error::PoolTimedOut).to_string();
        assert!(told.contains("max_connections"), "{told}");
        assert_eq!(DbError::from(sqlx::Error::RowNotFound).to_string(), sqlx::Error::RowNotFound.to_string());
    }
}
