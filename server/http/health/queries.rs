//! SQL of the health checks.

use shop_base::db::{Db, DbError};
use shop_base::sql;

/// Whether the database takes no writes from any node, as some services set it while its storage is full. Not so a replica, such as a former
/// primary: only this node may have been led there. An SQLite file has one node.
pub async fn is_read_only(db: &Db) -> Result<bool, DbError> {
    const SQL: &str = "SELECT current_setting('transaction_read_only') = 'on' AND NOT pg_is_in_recovery()";
    if !db.has_many_writers() {
        return Ok(false);
    }
    let mut reader = db.read().await?;
    Ok(sql!(&mut reader.conn(), c => sqlx::query_scalar(SQL).fetch_one(c).await)?)
}
