//! Stores what became of jobs after their runs.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use shop_base::context::Context;
use shop_base::db::{Conn, DbError, Tx};
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;

use super::model::End;
use super::rows::LeasedJob;
use super::store;
use super::store::Again;

pub type Ended = Arc<(LeasedJob, End)>;

/// Outcomes that wait for SQLite's writer. The first who gets it stores those of all others: one transaction instead of dozens.
#[derive(Debug, Default)]
pub struct Ends {
    waiting: Mutex<Vec<(Ended, oneshot::Sender<()>)>>,
    storing: tokio::sync::Mutex<()>,
}

impl Ends {
    fn add(&self, ended: &Ended) -> oneshot::Receiver<()> {
        let (stored, is_stored) = oneshot::channel();
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push((Arc::clone(ended), stored));
        is_stored
    }

    /// Those that somebody still waits for.
    fn take(&self) -> Vec<(Ended, oneshot::Sender<()>)> {
        let mut all = mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        all.retain(|(_, stored)| !stored.is_closed());
        all
    }
}

/// Stores an outcome. On PostgreSQL, where others add jobs at the same time, in a transaction of its own, so that no two wait for each other.
pub async fn store(cx: &Context, ends: &Ends, ended: &Ended) -> Result<(), DbError> {
    if cx.db.has_many_writers() {
        return store_alone(cx, ended).await;
    }
    let mut is_stored = ends.add(ended);
    let storing = ends.storing.lock().await;
    match is_stored.try_recv() {
        Ok(()) => return Ok(()),
        // It was among others that could not be stored.
        Err(TryRecvError::Closed) => {
            drop(storing);
            return store_alone(cx, ended).await;
        }
        Err(TryRecvError::Empty) => {}
    }
    // The more come while it waits for the writer, the more are stored at once.
    let tx = cx.db.short().begin().await?;
    let all = ends.take();
    match store_all(tx, cx, &all).await {
        Ok(()) => {
            for (_, stored) in all {
                // Who has stopped waiting need not know.
                let _ = stored.send(());
            }
            Ok(())
        }
        Err(error) if error.is_passing() => Err(error),
        // It may be another one that can never be stored.
        Err(_) => {
            drop((all, storing));
            store_alone(cx, ended).await
        }
    }
}

async fn store_all(mut tx: Tx, cx: &Context, all: &[(Ended, oneshot::Sender<()>)]) -> Result<(), DbError> {
    for (ended, _) in all {
        store_in(&mut tx.conn(), cx, ended).await?;
    }
    tx.commit().await
}

async fn store_alone(cx: &Context, ended: &Ended) -> Result<(), DbError> {
    let mut tx = cx.db.short().begin().await?;
    store_in(&mut tx.conn(), cx, ended).await?;
    tx.commit().await
}

/// If the same job was added while it ran, perhaps too late for this run to see, it runs once more.
async fn store_in(conn: &mut Conn<'_>, cx: &Context, ended: &Ended) -> Result<(), DbError> {
    let (taken, end) = ended.as_ref();
    let now = cx.clock.now_ms();
    let anew = Again { run_at: now, attempts: 0, error: None };
    match end {
        End::Done => {
            if !store::delete(conn, taken).await? {
                store::release(conn, taken, anew).await?;
            }
        }
        End::Again { wait, attempts, error } => {
            let again = Again { run_at: now + wait, attempts: *attempts, error: error.as_deref() };
            store::release(conn, taken, again).await?;
        }
        End::Dead { error } => {
            if !store::give_up(conn, taken, error, now).await? {
                store::release(conn, taken, anew).await?;
            }
        }
    }
    Ok(())
}
