//! Whole tables as text, whatever their columns are.

use sqlx::{AssertSqlSafe, Row, query, query_scalar};
use tokio_stream::StreamExt;

use super::{Conn, Db, DbError};
use crate::csv::Rows;
use crate::sql;

impl Db {
    /// The columns of a table, in their order.
    pub async fn columns(&self, table: &str) -> Result<Vec<String>, DbError> {
        let mut reader = self.read().await?;
        let mut conn = reader.conn();
        let sql = match conn {
            Conn::Sqlite(_) => "SELECT name FROM pragma_table_info($1) ORDER BY cid",
            Conn::Postgres(_) => {
                "SELECT CAST(column_name AS TEXT) FROM information_schema.columns
                WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position"
            }
        };
        Ok(sql!(&mut conn, c => query_scalar(sql).bind(table).fetch_all(c).await)?)
    }

    /// Writes all rows of a table as they are at one moment. Null is an empty cell; ids and bytes are written in the same way for both
    /// systems. `table` and `columns` are not checked.
    pub async fn write_table(&self, table: &str, columns: &[String], mut out: Rows) -> Result<Rows, DbError> {
        let mut reader = self.read().await?;
        let mut conn = reader.conn();
        let text = |column: &String| match conn {
            Conn::Sqlite(_) => sqlite_text(column),
            Conn::Postgres(_) => format!("CAST(\"{column}\" AS TEXT)"),
        };
        let cells = columns.iter().map(text).collect::<Vec<_>>().join(", ");
        let sql = AssertSqlSafe(format!("SELECT {cells} FROM \"{table}\""));
        // Without a limit: it takes as long as the table is large, and as the reader takes.
        macro_rules! write {
            ($c:expr) => {
                let mut rows = query(sql).fetch($c);
                while let Some(row) = rows.next().await {
                    let row = row?;
                    let cells = (0..columns.len()).map(|at| row.try_get(at));
                    let cells = cells.collect::<Result<Vec<Option<String>>, _>>()?;
                    if out.write(cells.iter().map(|cell| cell.as_deref().unwrap_or_default())).await.is_err() {
                        break;
                    }
                }
            };
        }
        match &mut conn {
            Conn::Sqlite(c) => {
                write!(&mut **c);
            }
            Conn::Postgres(c) => {
                query("SET statement_timeout = 0").execute(c.unlimited()).await?;
                write!(c.unlimited());
            }
        }
        Ok(out)
    }
}

/// SQLite stores ids as 16 bytes; PostgreSQL writes other bytes as `\x…`.
fn sqlite_text(column: &str) -> String {
    let digits = |from: u8, count: u8| format!("substr(hex(\"{column}\"), {from}, {count})");
    let id = [digits(1, 8), digits(9, 4), digits(13, 4), digits(17, 4), digits(21, 12)].join(" || '-' || ");
    format!(
        "CASE WHEN typeof(\"{column}\") <> 'blob' THEN CAST(\"{column}\" AS TEXT)
            WHEN length(\"{column}\") = 16 THEN lower({id}) ELSE '\\x' || lower(hex(\"{column}\")) END"
    )
}
