//! Deletes many rows without blocking other writers.

use super::{Db, DbError};
use crate::sql;

/// Rows per transaction: in the table with the most indexes this takes some tens of milliseconds, and waiting writers get their turn before
/// the next.
const AT_ONCE: i64 = 500;

/// Which rows to delete.
#[derive(Clone, Copy, Debug)]
pub struct Over<'a> {
    pub table: &'a str,
    /// The columns of its primary key.
    pub key: &'a str,
    /// SQL on `$1`, supported by an index.
    pub condition: &'a str,
}

/// Deletes the rows in batches; returns how many there were.
pub async fn purge<B>(db: &Db, over: Over<'_>, bound: B) -> Result<u64, DbError>
where
    B: Clone + Send + 'static,
    for<'q> B: sqlx::Encode<'q, sqlx::Sqlite> + sqlx::Type<sqlx::Sqlite>,
    for<'q> B: sqlx::Encode<'q, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
{
    let Over { table, key, condition } = over;
    let statement =
        format!("DELETE FROM {table} WHERE ({key}) IN (SELECT {key} FROM {table} WHERE {condition} LIMIT {AT_ONCE})");
    let mut total = 0;
    loop {
        let mut tx = db.begin().await?;
        let sql = sqlx::AssertSqlSafe(statement.clone());
        let deleted = sql!(&mut tx.conn(), c => sqlx::query(sql).bind(bound.clone()).execute(c).await
            .map(|done| done.rows_affected()))?;
        tx.commit().await?;
        total += deleted;
        if deleted < AT_ONCE.unsigned_abs() {
            return Ok(total);
        }
    }
}
