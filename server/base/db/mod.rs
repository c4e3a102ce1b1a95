//! One database of two kinds: SQLite on one machine, PostgreSQL for several.
//!
//! Stores write each statement once, in SQL that both take (`$1` parameters, `RETURNING`, `ON CONFLICT`), and run it
//! through [`sql!`](crate::sql), which expands the body for both drivers. Where the dialects differ the `match` is visible.
//!
//! SQLite has one writer connection and pools of readers (WAL lets them run together); every write transaction begins
//! with `BEGIN IMMEDIATE`, so it waits for its turn instead of failing half-way.

mod conn;
mod effects;
mod error;
pub mod list;
mod locks;
mod migrate;
mod notify;
mod outage;
mod pools;
pub mod purge;
mod stored;
mod transaction;

pub use self::conn::{Conn, Reader, Session};
pub use self::effects::Effect;
pub use self::error::{DbError, WriteError};
pub use self::locks::Lock;
pub use self::pools::{Db, PoolFigures, Purpose};
pub use self::transaction::{Tries, Tx};
pub use crate::stored;

/// A column's text as what it stands for.
pub fn decoded<T, E>(column: &str, value: Result<T, E>) -> Result<T, DbError>
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    value.map_err(|error| DbError::Sql(sqlx::Error::ColumnDecode { index: column.to_owned(), source: error.into() }))
}
