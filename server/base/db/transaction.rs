//! Transactions.

use std::time::Duration;

use rand::Rng;
use sqlx::{Sqlite, Transaction};
use tracing::Instrument;

use super::conn::{Conn, Limit, Session, TxState};
use super::error::{WriteError, is_outage};
use super::meters::Timer;
use super::pooled::Pooled;
use super::turns::Turn;
use super::{Db, DbError};
use crate::trace_span;

/// When the effects of a commit that was not answered run again.
const LOOK_AGAIN: Duration = Duration::from_secs(30);

/// A write transaction: nothing is stored unless [`Tx::commit`] is called.
#[derive(Debug)]
pub struct Tx {
    pub(super) open: Open,
    state: TxState,
    db: Db,
    timer: Timer,
}

#[derive(Debug)]
pub(super) enum Open {
    /// The turn ends after the transaction, or when that is dropped; then the next who has it waits for the connection.
    Sqlite(Transaction<'static, Sqlite>, Turn),
    Postgres(Pooled, Limit),
}

impl Tx {
    pub(super) fn new(open: Open, db: Db) -> Self {
        let timer = Timer::start(db.meter());
        Self { open, state: TxState::default(), db, timer }
    }

    pub fn conn(&mut self) -> Conn<'_> {
        let state = Some(&mut self.state);
        match &mut self.open {
            Open::Sqlite(conn, _) => Conn::Sqlite(Session { conn, state, limit: None }),
            Open::Postgres(conn, limit) => Conn::Postgres(Session { conn, state, limit: Some(limit) }),
        }
    }

    /// Commits, counts, then runs the registered effects, also when the caller is gone in the meantime: the database commits all the same.
    /// Where it has not answered, they run a second time.
    pub async fn commit(self) -> Result<(), DbError> {
        if self.state.effects.is_empty() && self.state.counts.is_empty() {
            return self.complete().await;
        }
        let completed = tokio::spawn(self.complete().in_current_span()).await;
        completed.unwrap_or_else(|error| match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(DbError::Away("the program is stopping".into())),
        })
    }

    async fn complete(self) -> Result<(), DbError> {
        let committing = async {
            match self.open {
                Open::Sqlite(tx, _turn) => tx.commit().await,
                Open::Postgres(tx, limit) => limit.of(tx.commit()).await,
            }
        };
        let committed = committing.instrument(trace_span!("commit")).await;
        drop(self.timer);
        if committed.is_ok() {
            for (counter, count) in &self.state.counts {
                counter.add(*count);
            }
        }
        // What was not answered may be committed, perhaps only later: then all that has just been looked at was as before.
        let is_unknown = committed.as_ref().err().is_some_and(is_outage);
        if committed.is_ok() || is_unknown {
            self.db.bring_about(&self.state.effects).await;
        }
        if is_unknown {
            let (db, effects) = (self.db, self.state.effects);
            tokio::spawn(async move {
                tokio::time::sleep(LOOK_AGAIN).await;
                db.bring_about(&effects).await;
            });
        }
        Ok(committed?)
    }

    /// Rolls back before this returns; dropping the transaction does so a little later.
    async fn roll_back(self) {
        let ended = match self.open {
            Open::Sqlite(tx, _turn) => tx.rollback().await,
            Open::Postgres(tx, limit) => limit.of(tx.roll_back()).await,
        };
        if let Err(error) = ended {
            tracing::debug!(%error, "a transaction that failed could not be rolled back; its connection is replaced");
        }
    }
}

/// Maximum number of attempts of a transaction that conflicts with others.
const MOST_TRIES: u32 = 5;
/// Maximum pause before the second attempt; longer before each further one.
const PAUSE: Duration = Duration::from_millis(20);

/// Runs a body in a write transaction and commits it; an error rolls it back. After a conflict with another transaction (a deadlock, a
/// serialization failure) the body runs again from the start, so it must have no effects outside the database. The body is an async block
/// that ends with a `Result`.
///
/// It is a macro because the compiler cannot prove yet that the future of an async closure with a borrowed argument is `Send`.
#[macro_export]
macro_rules! transaction {
    ($db:expr, $conn:ident => $body:expr) => {{
        let mut tries = $db.tries();
        loop {
            let mut tx = match tries.begin().await {
                Ok(tx) => tx,
                Err(error) => break Err(From::from(error)),
            };
            let outcome = {
                let $conn = &mut tx.conn();
                async { $body }.await
            };
            if let Some(ended) = tries.end(tx, outcome).await {
                break ended;
            }
        }
    }};
}

/// Counts the attempts of one [`transaction!`](crate::transaction).
#[derive(Debug)]
pub struct Tries<'d> {
    db: &'d Db,
    made: u32,
}

impl Tries<'_> {
    pub async fn begin(&mut self) -> Result<Tx, DbError> {
        self.made += 1;
        self.db.begin().await
    }

    /// Commits or rolls back. None when the transaction must be retried; the pause before the retry is then over.
    pub async fn end<T, E: WriteError>(&self, tx: Tx, outcome: Result<T, E>) -> Option<Result<T, E>> {
        let error = match outcome {
            Ok(value) => match tx.commit().await {
                Ok(()) => return Some(Ok(value)),
                Err(error) => E::from(error),
            },
            Err(error) => {
                tx.roll_back().await;
                error
            }
        };
        if !error.is_contention() || self.made == MOST_TRIES {
            return Some(Err(error));
        }
        self.db.count_retry();
        tracing::info!(attempt = self.made, "a transaction met another one and runs again");
        let pause = PAUSE.mul_f64(rand::rng().random::<f64>() * f64::from(self.made));
        tokio::time::sleep(pause).await;
        None
    }
}

impl Db {
    pub fn tries(&self) -> Tries<'_> {
        Tries { db: self, made: 0 }
    }
}
