//! A PostgreSQL connection of a pool that goes back within a limit: sqlx asks it for a sign of life first, and where none comes would keep
//! its place in the pool until the operating system gives the connection up.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::{Executor, PgConnection, Postgres};
use tokio::time::timeout;

const RETURNED_WITHIN: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub struct Pooled {
    /// None once it goes back.
    conn: Option<PoolConnection<Postgres>>,
    is_in_transaction: bool,
}

impl Pooled {
    pub fn new(conn: PoolConnection<Postgres>) -> Self {
        Self { conn: Some(conn), is_in_transaction: false }
    }

    /// `statement` begins a transaction.
    pub async fn begin(&mut self, statement: &'static str) -> Result<(), sqlx::Error> {
        // Also if this is not answered.
        self.is_in_transaction = true;
        self.execute(statement).await.map(drop)
    }

    pub async fn commit(mut self) -> Result<(), sqlx::Error> {
        self.execute("COMMIT").await?;
        self.is_in_transaction = false;
        Ok(())
    }

    pub async fn roll_back(mut self) -> Result<(), sqlx::Error> {
        self.execute("ROLLBACK").await?;
        self.is_in_transaction = false;
        Ok(())
    }
}

impl Deref for Pooled {
    type Target = PgConnection;

    #[expect(clippy::expect_used, reason = "only dropping takes it")]
    fn deref(&self) -> &PgConnection {
        self.conn.as_deref().expect("it is there")
    }
}

impl DerefMut for Pooled {
    #[expect(clippy::expect_used, reason = "only dropping takes it")]
    fn deref_mut(&mut self) -> &mut PgConnection {
        self.conn.as_deref_mut().expect("it is there")
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        let Some(mut conn) = self.conn.take() else { return };
        let is_in_transaction = self.is_in_transaction;
        tokio::spawn(async move {
            if is_in_transaction {
                let ended = timeout(RETURNED_WITHIN, conn.execute("ROLLBACK")).await;
                if !matches!(ended, Ok(Ok(_))) {
                    conn.close_on_drop();
                    return;
                }
            }
            // When this is dropped, the connection is closed and its place is free.
            let _ = timeout(RETURNED_WITHIN, conn.return_to_pool()).await;
        });
    }
}
