//! One database interface for two systems: SQLite on one machine, PostgreSQL for several.
//!
//! Stores write each statement once, in SQL that both accept (`$1` parameters, `RETURNING`, `ON CONFLICT`), and run it through
//! [`sql!`](crate::sql), which expands the body for both drivers. Where the dialects differ there is an explicit `match`.
//!
//! SQLite has one writer connection and pools of readers (WAL lets them run in parallel); every write transaction begins with
//! `BEGIN IMMEDIATE`, so it waits for its turn ([`turns`]) instead of failing halfway.

pub mod backup;
mod conn;
pub mod diagnosis;
mod effects;
mod error;
mod ids;
mod lazy;
pub mod list;
mod locks;
mod meters;
mod migrate;
mod notify;
mod open;
mod outage;
mod pooled;
mod pools;
mod presence;
pub mod purge;
mod purpose;
mod readiness;
mod statistics;
mod stored;
mod table;
mod transaction;
mod turns;
mod unheard;
mod writer_tests;

pub use self::conn::{Conn, Limit, Reader, Session, statement};
pub use self::effects::Effect;
pub use self::error::{DbError, WriteError};
pub use self::ids::PushIds;
pub use self::lazy::LazyReader;
pub use self::locks::Lock;
pub use self::meters::PoolUse;
pub use self::notify::Heard;
pub use self::pools::{Db, PoolFigures};
pub use self::purpose::Purpose;
pub use self::transaction::{Tries, Tx};
pub use crate::stored;

/// Converts a failure to decode a column's text into a database error.
pub fn decoded<T, E>(column: &str, value: Result<T, E>) -> Result<T, DbError>
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    value.map_err(|error| DbError::Sql(sqlx::Error::ColumnDecode { index: column.to_owned(), source: error.into() }))
}

/// Text from elsewhere, such as another program's answer, without its control characters except line ends and tabs: PostgreSQL stores no NUL.
pub fn storable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

#[cfg(test)]
mod tests {
    use super::storable;

    #[test]
    fn text_from_elsewhere_can_be_stored_and_read() {
        assert_eq!(storable("a\0b\n\tc<\u{1b}>\r\u{fffd}é"), "ab\n\tc<>\u{fffd}é");
    }
}
