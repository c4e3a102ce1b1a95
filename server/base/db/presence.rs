//! Who uses a database, so that no restore replaces the data of a running shop: each process that has opened it holds a shared lock, and a
//! restore an exclusive one. On SQLite it is a lock on a file beside the database, on PostgreSQL an advisory lock of every connection, so
//! that not even a shop that lost its connections gets new ones during a restore.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::PgConnection;

use super::DbError;

/// An arbitrary number that no other advisory lock uses.
const IN_USE: i64 = 0x7368_6f70_2d69_6e73;
/// How long to wait for another process that is just opening the database.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(100);

/// The mark of a process on an SQLite file, for as long as it lives.
#[derive(Debug)]
pub(super) struct Mark {
    /// None where files cannot be locked.
    _file: Option<File>,
    /// Whether no other process had the file open.
    pub is_alone: bool,
}

fn lock_file(database: &Path) -> PathBuf {
    database.with_extension("lock")
}

/// Marks an SQLite file as in use.
pub(super) async fn mark(database: &Path) -> Result<Mark, DbError> {
    let Ok(file) = File::create(lock_file(database)) else { return Ok(Mark { _file: None, is_alone: true }) };
    let is_alone = !matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    // Changing one kind of lock into the other is not portable.
    drop(file.unlock());
    for _ in 0..TRIES {
        match file.try_lock_shared() {
            Ok(()) => return Ok(Mark { _file: Some(file), is_alone }),
            Err(TryLockError::WouldBlock) => tokio::time::sleep(PAUSE).await,
            Err(TryLockError::Error(_)) => return Ok(Mark { _file: None, is_alone: true }),
        }
    }
    Err(DbError::Restoring)
}

/// Locks an SQLite file for a restore.
pub(super) fn seize(database: &Path) -> Result<File, DbError> {
    let path = lock_file(database);
    let failed = |cause| DbError::Folder { folder: path.clone(), cause };
    let file = File::create(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(DbError::InUse),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// Marks a PostgreSQL database as in use until the connection ends.
pub(super) async fn enter(conn: &mut PgConnection) -> Result<(), sqlx::Error> {
    const SQL: &str = "SELECT pg_try_advisory_lock_shared($1)";
    if sqlx::query_scalar(SQL).bind(IN_USE).fetch_one(conn).await? {
        return Ok(());
    }
    Err(sqlx::Error::Configuration(DbError::Restoring.to_string().into()))
}

/// Locks a PostgreSQL database for a restore until the connection ends.
pub(super) async fn seize_postgres(conn: &mut PgConnection) -> Result<(), DbError> {
    const SQL: &str = "SELECT pg_try_advisory_lock($1)";
    if sqlx::query_scalar(SQL).bind(IN_USE).fetch_one(conn).await? { Ok(()) } else { Err(DbError::InUse) }
}
