//! What SQLite knows of the values in its tables, by which it chooses between the indexes that a statement could use.

use sqlx::AssertSqlSafe;

use super::{Conn, Db, DbError};

/// A table of fewer rows is left alone. Of one that SQLite knows nothing of, it expects many rows, and uses indexes; of one that it has seen
/// when it was small, it would read all rows until this runs again.
const ROWS: i64 = 1_000;

impl Db {
    /// Analyzes the larger tables that never were, or that have grown or shrunk tenfold since; returns their number. Other connections
    /// read the result when they are opened again, within half an hour. PostgreSQL does all this by itself.
    pub async fn update_statistics(&self) -> Result<usize, DbError> {
        let mut analyzed = 0;
        for table in self.list_changed().await? {
            // A transaction for each, so that waiting writers get their turn.
            let mut tx = self.begin().await?;
            if let Conn::Sqlite(c) = &mut tx.conn() {
                let count = format!("SELECT COUNT(*) FROM (SELECT 1 FROM {table} LIMIT {ROWS})");
                let rows: i64 = sqlx::query_scalar(AssertSqlSafe(count)).fetch_one(&mut **c).await?;
                if rows == ROWS {
                    sqlx::query(AssertSqlSafe(format!("ANALYZE {table}"))).execute(&mut **c).await?;
                    analyzed += 1;
                }
            }
            tx.commit().await?;
        }
        Ok(analyzed)
    }

    /// The tables that SQLite itself would analyze.
    async fn list_changed(&self) -> Result<Vec<String>, DbError> {
        // Of all tables (0x10000), by the rules for those that need it (0x02): which statements would be executed (0x01).
        const SQL: &str = "PRAGMA optimize(0x10003)";
        // The writer has read the statistics that are there.
        let mut tx = self.begin().await?;
        let statements: Vec<String> = match &mut tx.conn() {
            Conn::Sqlite(c) => sqlx::query_scalar(SQL).fetch_all(&mut **c).await?,
            Conn::Postgres(_) => Vec::new(),
        };
        tx.commit().await?;
        Ok(statements.iter().filter_map(|statement| statement.strip_prefix("ANALYZE ")).map(str::to_owned).collect())
    }
}
