//! Whom connections are for, and their limits.

use std::time::Duration;

use sqlx::PgConnection;

use super::DbError;

/// Who uses the database. Each has its own connections, so that none waits for the others, except for SQLite's writer, which they share by
/// turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Shoppers,
    Staff,
    Jobs,
    /// The catalog in memory, which must follow changes while jobs wait for one another, and health checks.
    Lists,
}

/// Limits on the connections of a purpose. Timeouts apply to PostgreSQL sessions.
pub(super) struct Limits {
    pub name: &'static str,
    pub connections: u32,
    pub readers: u32,
    /// Timeout for a row or table that is locked by another session.
    pub lock: Duration,
    pub statement: Duration,
}

impl Purpose {
    pub(super) const ALL: [Self; 4] = [Self::Shoppers, Self::Staff, Self::Jobs, Self::Lists];

    pub(super) fn limits(self) -> Limits {
        let seconds = Duration::from_secs;
        match self {
            Self::Shoppers => {
                Limits { name: "Shoppers", connections: 10, readers: 6, lock: seconds(3), statement: seconds(10) }
            }
            Self::Staff => {
                Limits { name: "Staff", connections: 3, readers: 3, lock: seconds(5), statement: seconds(30) }
            }
            Self::Jobs => {
                Limits { name: "Jobs", connections: 5, readers: 3, lock: seconds(5), statement: seconds(300) }
            }
            Self::Lists => {
                Limits { name: "Lists", connections: 2, readers: 2, lock: seconds(5), statement: seconds(300) }
            }
        }
    }
}

/// Limits that PostgreSQL 14 and 17 have besides. As parameters of a start, a version of PostgreSQL that does not know them would refuse the connection.
const NEWER_LIMITS: &str = "SELECT set_config(name, '0', FALSE) FROM pg_settings
    WHERE name IN ('transaction_timeout', 'idle_session_timeout')";

/// Lifts them for a connection, where the server has them.
pub(super) async fn lift_newer_limits(conn: &mut PgConnection) -> Result<(), DbError> {
    sqlx::query(NEWER_LIMITS).execute(conn).await?;
    Ok(())
}
