//! Who uses a database, so that no restore replaces the data of a running shop: each process that has opened it holds a shared lock, and a
//! restore an exclusive one. On SQLite it is a lock on a file beside the database, on PostgreSQL an advisory lock of every connection, so
//! that not even a shop that lost its connections gets new ones during a restore.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sqlx::PgConnection;
use sqlx::sqlite::SqliteConnectOptions;

use super::DbError;

/// An arbitrary number that no other advisory lock uses.
const IN_USE: i64 = 0x7368_6f70_2d69_6e73;

/// The mark of a process on an SQLite file, until it is released.
#[derive(Debug)]
pub(super) struct Mark {
    /// None where files cannot be locked.
    locks: Mutex<[Option<File>; 2]>,
    /// Whether no other shop had the file open.
    pub is_alone: bool,
}

impl Mark {
    pub fn release(&self) {
        let locks = std::mem::take(&mut *self.locks.lock().unwrap_or_else(PoisonError::into_inner));
        locks.iter().flatten().for_each(unlock);
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        self.release();
    }
}

/// The locks of a restore on an SQLite file, until this is dropped.
#[derive(Debug)]
pub(super) struct Seized([File; 2]);

impl Drop for Seized {
    fn drop(&mut self) {
        self.0.iter().for_each(unlock);
    }
}

/// A process that is just being started has the file open as well, and would keep its lock for a moment after it is closed here.
fn unlock(file: &File) {
    // At the latest when the last process closes it.
    let _ = file.unlock();
}

/// The SQLite file itself, to which symbolic links may lead: by each of its names the same is locked, and replaced by a restore.
pub(super) fn file_of(options: &SqliteConnectOptions) -> PathBuf {
    resolved(options.get_filename())
}

fn resolved(name: &Path) -> PathBuf {
    let is_missing = match name.canonicalize() {
        Ok(file) => return file,
        Err(error) => error.kind() == ErrorKind::NotFound,
    };
    let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (name.read_link(), folder.canonicalize(), name.file_name()) {
        // It leads to a file that is yet to be made.
        (Ok(target), ..) if is_missing => resolved(&folder.join(target)),
        (_, Ok(folder), Some(file)) => folder.join(file),
        // Whoever opens it says what is wrong with it.
        _ => name.to_owned(),
    }
}

/// The file that a shop locks, as in former releases.
fn first(database: &Path) -> PathBuf {
    database.with_extension("lock")
}

/// The file on which all share a lock.
fn shared(database: &Path) -> PathBuf {
    database.with_extension("in-use")
}

/// Opens one of these files. A lock may be held on a file of another user, too, that may only be read.
fn open(file: &Path, database: &Path) -> Result<File, DbError> {
    let opened = File::create(file).or_else(|cause| File::open(file).map_err(|_| cause));
    // Without a lock two shops could use one database.
    opened.map_err(|cause| DbError::Folder { folder: database.to_owned(), cause })
}

/// Marks an SQLite file as in use by a shop, or by what works beside one.
pub(super) fn mark(database: &Path, is_aside: bool) -> Result<Mark, DbError> {
    let file = open(&shared(database), database)?;
    let shared = match file.try_lock_shared() {
        Ok(()) => Some(file),
        Err(TryLockError::WouldBlock) => return Err(DbError::Restoring),
        Err(TryLockError::Error(_)) => None,
    };
    if is_aside {
        return Ok(Mark { locks: Mutex::new([None, shared]), is_alone: true });
    }
    let file = open(&first(database), database)?;
    let (first, is_alone) = match file.try_lock() {
        Ok(()) => (Some(file), true),
        Err(TryLockError::WouldBlock) => (None, false),
        Err(TryLockError::Error(_)) => (None, true),
    };
    Ok(Mark { locks: Mutex::new([first, shared]), is_alone })
}

/// Locks an SQLite file for a restore.
pub(super) fn seize(database: &Path) -> Result<Seized, DbError> {
    let lock = |path: PathBuf| {
        let file = open(&path, database)?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(DbError::InUse),
            Err(TryLockError::Error(cause)) => Err(DbError::Folder { folder: database.to_owned(), cause }),
        }
    };
    Ok(Seized([lock(first(database))?, lock(shared(database))?]))
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

/// Ends the lock of a restore. The server notices only later that its connection has ended: a shop that starts right then would be refused.
pub(super) async fn release_postgres(conn: &mut PgConnection) -> Result<(), DbError> {
    sqlx::query("SELECT pg_advisory_unlock($1)").bind(IN_USE).execute(conn).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{DbError, mark, seize};

    #[test]
    fn files_of_another_user_are_locked_as_well() {
        let folder = std::env::temp_dir().join(format!("shop-presence-{}", std::process::id()));
        let database = folder.join("shop.db");
        // Like files that may only be read, but for root, too.
        for file in ["shop.lock", "shop.in-use"] {
            fs::create_dir_all(folder.join(file)).unwrap();
        }
        let running = mark(&database, false).unwrap();
        assert!(running.is_alone);
        assert!(!mark(&database, false).unwrap().is_alone, "a second shop notices the first");
        assert!(matches!(seize(&database), Err(DbError::InUse)), "nothing is restored under a running shop");
        // As in a process that is just being started.
        let copies = running.locks.lock().unwrap().each_ref().map(|file| file.as_ref().unwrap().try_clone().unwrap());
        running.release();
        let restoring = seize(&database).unwrap();
        assert!(matches!(mark(&database, false), Err(DbError::Restoring)));
        drop((restoring, copies));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn nothing_is_opened_without_a_lock() {
        let database = std::env::temp_dir().join("shop-presence-of-nothing").join("shop.db");
        assert!(matches!(mark(&database, false), Err(DbError::Folder { .. })));
        assert!(matches!(seize(&database), Err(DbError::Folder { .. })));
    }
}
