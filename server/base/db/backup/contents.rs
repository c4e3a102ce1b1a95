//! What a copy of a database consists of.

use std::collections::BTreeMap;
use std::io;

use serde::{Deserialize, Serialize};
use sqlx::PgConnection;

use crate::db::DbError;

/// The one part of a copy of SQLite.
pub(super) const FILE: &str = "database.sqlite";
/// The parts of a copy of PostgreSQL are `tables/{table}/{number}`.
pub(super) const TABLES: &str = "tables/";

/// For PostgreSQL, whose own limits are meant for the short statements of others.
pub(super) const WITHOUT_LIMITS: [(&str, &str); 2] =
    [("statement_timeout", "0"), ("idle_in_transaction_session_timeout", "0")];

/// What has to be known of a copy before its parts are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents {
    pub system: System,
    /// The last migration that was applied.
    pub migration: i64,
    /// The columns of each table in the order in which they are copied; empty for SQLite.
    pub tables: Tables,
}

pub(super) type Tables = BTreeMap<String, Vec<String>>;

/// The tables, and columns as `table.column`, that the first ones have and the others lack.
pub(super) fn beyond(tables: &Tables, others: &Tables) -> Vec<String> {
    let mut beyond = Vec::new();
    for (table, columns) in tables {
        match others.get(table) {
            None => beyond.push(table.clone()),
            Some(known) => beyond.extend(lacking(columns, known).map(|column| format!("{table}.{column}"))),
        }
    }
    beyond
}

/// Leaves of the tables and their columns only those that are known.
pub(super) fn retain_known(tables: &mut Tables, known: &Tables) {
    tables.retain(|table, columns| {
        let known = known.get(table);
        columns.retain(|column| known.is_some_and(|known| known.contains(column)));
        known.is_some()
    });
}

/// The columns that are not among the known ones.
pub(super) fn lacking<'a>(columns: &'a [String], known: &'a [String]) -> impl Iterator<Item = &'a String> {
    columns.iter().filter(move |column| !known.contains(column))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum System {
    #[serde(rename = "SQLite")]
    Sqlite,
    #[serde(rename = "PostgreSQL")]
    Postgres,
}

/// Why a database could not be copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("{0}")]
    Refused(String),
}

impl From<sqlx::Error> for CopyError {
    fn from(error: sqlx::Error) -> Self {
        Self::Db(error.into())
    }
}

/// All tables of the current schema except that of the migrations and those of extensions, with their columns.
pub(super) async fn tables(conn: &mut PgConnection) -> Result<Tables, CopyError> {
    const SQL: &str = "SELECT CAST(c.table_name AS TEXT), CAST(c.column_name AS TEXT)
        FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
        WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.table_name <> '_sqlx_migrations'
            AND c.table_name NOT IN (SELECT relname FROM pg_class JOIN pg_depend ON objid = oid
                WHERE relnamespace = CAST(current_schema() AS regnamespace) AND deptype = 'e')
        ORDER BY c.table_name, c.ordinal_position";
    let columns: Vec<(String, String)> = sqlx::query_as(SQL).fetch_all(conn).await?;
    Ok(by_table(columns))
}

pub(super) fn by_table(columns: Vec<(String, String)>) -> Tables {
    let mut tables = Tables::new();
    for (table, column) in columns {
        tables.entry(table).or_default().push(column);
    }
    tables
}

/// The number of the last migration; none in an empty database.
pub(super) const LAST_MIGRATION: &str = "SELECT MAX(version) FROM _sqlx_migrations WHERE success";

/// A name inside of a statement.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

pub(super) fn table_and_columns(table: &str, columns: &[String]) -> String {
    let columns: Vec<String> = columns.iter().map(|column| quoted(column)).collect();
    format!("{} ({})", quoted(table), columns.join(", "))
}
