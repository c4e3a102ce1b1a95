//! Whether the database answers and can be written to, for load balancers, which ask each second and soon take no answer for a dead node.
//!
//! A database that is only busy is not down: nobody waits in the queue of those who work with it, and what is not known in time counts as
//! well. That it is away, cannot be written to or is full is known from its errors.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::time::timeout;

use super::{Conn, Db, DbError};
use crate::sql;

/// How long whoever asks is kept waiting: less than the 1 s of a load balancer, and longer than it takes to find that connections are refused.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often writing is tested while it succeeds.
const EVERY: Duration = Duration::from_secs(5);

impl Db {
    /// Whether a trivial query succeeds. No answer in time counts as success.
    pub async fn check_reader(&self) -> Result<(), DbError> {
        match timeout(PATIENCE, self.ping()).await {
            Ok(Err(error)) if !error.is_busy() => Err(error),
            _ => Ok(()),
        }
    }

    /// Whether writes succeed, or the reason of the last one that failed. While they do, this is tested at most every 5 s, by one task,
    /// which may wait for its turn longer than the caller.
    pub async fn check_writer(&self) -> Result<(), Arc<str>> {
        let mut test = {
            let mut found = self.pools.writer_tests.lock();
            if found.worked.is_some_and(|at| at.elapsed() < EVERY) {
                return Ok(());
            }
            let running = found.test.take().filter(|test| test.has_changed().is_ok());
            let test = running.unwrap_or_else(|| self.begin_test());
            found.test = Some(test.clone());
            test
        };
        // It never changes; it is closed.
        let _ = timeout(PATIENCE, test.changed()).await;
        self.pools.writer_tests.lock().problem.clone().map_or(Ok(()), Err)
    }

    fn begin_test(&self) -> watch::Receiver<()> {
        let (running, test) = watch::channel(());
        let db = self.clone();
        tokio::spawn(async move {
            let outcome = db.write_test().await;
            let mut found = db.pools.writer_tests.lock();
            match outcome {
                Ok(()) => {
                    found.worked = Some(Instant::now());
                    found.problem = None;
                }
                Err(error) if error.is_busy() => tracing::warn!(%error, "writing could not be tested yet"),
                Err(error) => {
                    found.worked = None;
                    found.problem = Some(Arc::from(error.to_string()));
                }
            }
            drop(found);
            drop(running);
        });
        test
    }

    async fn write_test(&self) -> Result<(), DbError> {
        let mut tx = self.begin().await?;
        let mut conn = tx.conn();
        // On SQLite this writes 64 KiB and frees them again: if that fails, the disk is full.
        if let Conn::Sqlite(c) = &mut conn {
            sqlx::query("UPDATE writer_checks SET filler = zeroblob(65536)").execute(&mut **c).await?;
        }
        // A node that is gone in the middle of this, and whose transaction the server has not ended yet, must not stop the others.
        const SQL: &str = "UPDATE writer_checks SET filler = NULL, checks = checks + 1";
        const UNLESS_LOCKED: &str = "UPDATE writer_checks SET filler = NULL, checks = checks + 1
            WHERE id IN (SELECT id FROM writer_checks FOR UPDATE SKIP LOCKED)";
        let sql = if self.has_many_writers() { UNLESS_LOCKED } else { SQL };
        sql!(&mut conn, c => sqlx::query(sql).execute(c).await.map(drop))?;
        tx.commit().await
    }
}
