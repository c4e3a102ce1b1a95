//! SQL of the health checks.

use shop_base::db::{Db, DbError};
use shop_base::sql;

/// Whether the database takes no writes from any node, as some services set it while its storage is full. It is what a new session would get:
/// this node's own may be older than the setting, or than its end. Not so a replica, such as a former primary: only this node may have been
/// led there. An SQLite file has one node.
pub async fn is_read_only(db: &Db) -> Result<bool, DbError> {
    const SQL: &str = "SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'on' AND EXISTS (
            SELECT 1 FROM pg_settings
            WHERE name = 'default_transaction_read_only' AND reset_val = 'on' AND source IN ('configuration file', 'command line')
            UNION ALL SELECT 1 FROM pg_db_role_setting s WHERE 'default_transaction_read_only=on' = ANY (s.setconfig)
                AND s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
                AND s.setrole IN (0, (SELECT oid FROM pg_roles WHERE rolname = current_user)))";
    if !db.has_many_writers() {
        return Ok(false);
    }
    let mut reader = db.read().await?;
    Ok(sql!(&mut reader.conn(), c => sqlx::query_scalar(SQL).fetch_one(c).await)?)
}
