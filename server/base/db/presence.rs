//! Who uses a database, so that no restore replaces the data of a running shop: each process that has opened it holds a shared lock, and a
//! restore an exclusive one. On SQLite it is a lock on a file beside the database, on PostgreSQL an advisory lock of every connection, so
//! that not even a shop that lost its connections gets new ones during a restore.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use sqlx::PgConnection;

use super::DbError;

/// An arbitrary number that no other advisory lock uses.
const IN_USE: i64 = 0x7368_6f70_2d69_6e73;

/// The mark of a process on an SQLite file, until it is released.
#[derive(Debug)]
pub(super) struct Mark {
    /// None where files cannot be locked.
    locks: Mutex<[Option<File>; 2]>,
    /// Whether no other process had the file open.
    pub is_alone: bool,
}

impl Mark {
    pub fn release(&self) {
        *self.locks.lock().unwrap_or_else(PoisonError::into_inner) = [None, None];
    }
}

/// The file that the first process to open the database locks, as in former releases.
fn first(database: &Path) -> std::io::Result<File> {
    File::create(database.with_extension("lock"))
}

/// The file on which all share a lock.
fn shared(database: &Path) -> std::io::Result<File> {
    File::create(database.with_extension("in-use"))
}

/// Marks an SQLite file as in use.
pub(super) fn mark(database: &Path) -> Result<Mark, DbError> {
    let shared = match shared(database).map(|file| (file.try_lock_shared(), file)) {
        Ok((Ok(()), file)) => Some(file),
        Ok((Err(TryLockError::WouldBlock), _)) => return Err(DbError::Restoring),
        Ok((Err(TryLockError::Error(_)), _)) | Err(_) => None,
    };
    let (first, is_alone) = match first(database).map(|file| (file.try_lock(), file)) {
        Ok((Ok(()), file)) => (Some(file), true),
        Ok((Err(TryLockError::WouldBlock), _)) => (None, false),
        Ok((Err(TryLockError::Error(_)), _)) | Err(_) => (None, true),
    };
    Ok(Mark { locks: Mutex::new([first, shared]), is_alone })
}

/// Locks an SQLite file for a restore.
pub(super) fn seize(database: &Path) -> Result<[File; 2], DbError> {
    let lock = |file: std::io::Result<File>| {
        let failed = |cause| DbError::Folder { folder: database.to_owned(), cause };
        let file = file.map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(DbError::InUse),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    };
    Ok([lock(first(database))?, lock(shared(database))?])
}

/// Marks a PostgreSQL database as in use until the connection ends.
pub(super) async fn enter(conn: &mut PgConnection) -> Result<(), DbError> {
    const SQL: &str = "SELECT pg_try_advisory_lock_shared($1)";
    if sqlx::query_scalar(SQL).bind(IN_USE).fetch_one(conn).await? { Ok(()) } else { Err(DbError::Restoring) }
}

/// Locks a PostgreSQL database for a restore until the connection ends.
pub(super) async fn seize_postgres(conn: &mut PgConnection) -> Result<(), DbError> {
    const SQL: &str = "SELECT pg_try_advisory_lock($1)";
    if sqlx::query_scalar(SQL).bind(IN_USE).fetch_one(conn).await? { Ok(()) } else { Err(DbError::InUse) }
}
