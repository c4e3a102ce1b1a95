//! Reads a whole database as it was at one moment, while others write to it.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, PgConnection, SqliteConnection};
use tokio_stream::StreamExt;

use super::contents::{
    Contents, CopyError, FILE, LAST_MIGRATION, System, TABLES, WITHOUT_LIMITS, beyond, by_table, retain_known,
    table_and_columns, tables,
};
use super::files::check_in_place;
use crate::db::DbError;
use crate::db::migrate;
use crate::db::open::reach;
use crate::db::presence::file_of;
use crate::db::purpose::lift_newer_limits;
use crate::private_file;

/// A part is about this large, so that a table of any size needs little memory.
const PART: usize = 8 * 1024 * 1024;

/// A database at one moment.
#[derive(Debug)]
pub struct Source {
    kind: Kind,
    pub contents: Contents,
    /// What is not copied: tables, and columns as `table.column`, that no migration has made. Of SQLite all is copied.
    pub foreign: Vec<String>,
    /// What the query of [`Self::open`] lists.
    pub rows: Vec<(String, String)>,
}

#[derive(Debug)]
enum Kind {
    Sqlite(Copied),
    /// In a transaction that sees a snapshot.
    Postgres(Box<PgConnection>),
}

/// A copy of a database, which is not encrypted.
#[derive(Debug)]
struct Copied {
    file: File,
    /// Removed after the file is closed, where an open one must have a name.
    _scratch: Scratch,
}

/// A file that is deleted when it is no longer needed.
#[derive(Debug)]
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(remove_scratch(&self.0));
    }
}

/// Removes a copy that [`Source::open`] has made of an SQLite file, with the journal that SQLite has beside it while it writes.
pub fn remove_scratch(scratch: &Path) -> std::io::Result<()> {
    let mut journal = scratch.as_os_str().to_owned();
    journal.push("-journal");
    for file in [scratch.as_os_str(), journal.as_os_str()] {
        match std::fs::remove_file(file) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

impl Source {
    /// `scratch` is a file to be, on a disk that has room for a copy of an SQLite file. `query` lists two texts per row, of the same moment.
    pub async fn open(address: &str, scratch: &Path, query: &'static str) -> Result<Self, CopyError> {
        match address.split(':').next() {
            Some("sqlite") => {
                let options = SqliteConnectOptions::from_str(address)?;
                check_in_place(&file_of(&options))?;
                if !options.get_filename().exists() {
                    let file = options.get_filename().display();
                    return Err(CopyError::Refused(format!("{file} does not exist: there is nothing to back up")));
                }
                Self::of_sqlite(options, scratch, query).await
            }
            Some("postgres" | "postgresql") => {
                let options = PgConnectOptions::from_str(address)?.options(WITHOUT_LIMITS);
                Self::of_postgres(options, query).await
            }
            _ => Err(DbError::UnknownScheme.into()),
        }
    }

    async fn of_sqlite(options: SqliteConnectOptions, scratch: &Path, query: &'static str) -> Result<Self, CopyError> {
        let name = Scratch(scratch.to_owned());
        // SQLite writes into an empty file, but not into one with content.
        remove_scratch(scratch)?;
        private_file::create(scratch)?;
        let mut conn = SqliteConnection::connect_with(&options).await?;
        // Reads in one transaction, beside which the shop goes on writing.
        sqlx::query("VACUUM INTO $1").bind(scratch.to_string_lossy().as_ref()).execute(&mut conn).await?;
        conn.close().await?;
        let mut conn = SqliteConnection::connect_with(&SqliteConnectOptions::new().filename(scratch)).await?;
        let migration: Option<i64> = sqlx::query_scalar(LAST_MIGRATION).fetch_one(&mut conn).await?;
        let rows: Vec<(String, String)> = sqlx::query_as(query).fetch_all(&mut conn).await?;
        conn.close().await?;
        let migration = migration.unwrap_or_default();
        let contents = Contents { system: System::Sqlite, migration, tables: Default::default() };
        let file = File::open(scratch)?;
        // From now on even a process that is killed leaves no copy.
        #[cfg(unix)]
        remove_scratch(scratch)?;
        Ok(Self { kind: Kind::Sqlite(Copied { file, _scratch: name }), contents, foreign: Vec::new(), rows })
    }

    async fn of_postgres(options: PgConnectOptions, query: &'static str) -> Result<Self, CopyError> {
        let mut conn = reach(&options).await?;
        lift_newer_limits(&mut conn).await?;
        sqlx::query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").execute(&mut conn).await?;
        let is_made: bool =
            sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL").fetch_one(&mut conn).await?;
        if !is_made {
            return Err(CopyError::Refused("the database has no tables: there is nothing to back up".to_owned()));
        }
        let migration: Option<i64> = sqlx::query_scalar(LAST_MIGRATION).fetch_one(&mut conn).await?;
        let migration = migration.unwrap_or_default();
        let mut contents = Contents { system: System::Postgres, migration, tables: tables(&mut conn).await? };
        let mut foreign = Vec::new();
        // `COPY` cannot read all that others may have added. Without all migrations nobody can say what that is.
        if migrate::knows(migration) {
            let known = by_table(migrate::columns().await?);
            foreign = beyond(&contents.tables, &known);
            retain_known(&mut contents.tables, &known);
        }
        let rows: Vec<(String, String)> = sqlx::query_as(query).fetch_all(&mut conn).await?;
        Ok(Self { kind: Kind::Postgres(Box::new(conn)), contents, foreign, rows })
    }

    /// Calls `write` with the name, the size and the bytes of each part.
    pub async fn read(
        self,
        mut write: impl FnMut(&str, u64, &mut dyn Read) -> std::io::Result<()>,
    ) -> Result<(), CopyError> {
        match self.kind {
            Kind::Sqlite(mut copied) => {
                let size = copied.file.metadata()?.len();
                write(FILE, size, &mut copied.file)?;
            }
            Kind::Postgres(mut conn) => {
                for (table, columns) in &self.contents.tables {
                    let mut number = 0;
                    let mut part = |rows: &[u8]| {
                        number += 1;
                        write(&format!("{TABLES}{table}/{number:05}"), rows.len() as u64, &mut { rows })
                    };
                    copy_table(&mut conn, table, columns, &mut part).await?;
                }
                conn.close().await?;
            }
        }
        Ok(())
    }
}

async fn copy_table(
    conn: &mut PgConnection,
    table: &str,
    columns: &[String],
    part: &mut impl FnMut(&[u8]) -> std::io::Result<()>,
) -> Result<(), CopyError> {
    let statement = format!("COPY {} TO STDOUT", table_and_columns(table, columns));
    let mut messages = conn.copy_out_raw(&statement).await?;
    let mut rows = Vec::new();
    while let Some(message) = messages.next().await {
        rows.extend_from_slice(&message?);
        // Line ends within values are escaped, so this is the end of a row.
        if rows.len() >= PART && rows.ends_with(b"\n") {
            part(&rows)?;
            rows.clear();
        }
    }
    if !rows.is_empty() {
        part(&rows)?;
    }
    Ok(())
}
