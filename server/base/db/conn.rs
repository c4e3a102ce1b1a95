//! Connections that stores run their statements on.

use std::ops::{Deref, DerefMut};

use sqlx::pool::PoolConnection;
use sqlx::{PgConnection, Postgres, Sqlite, SqliteConnection};

use super::effects::{Effect, Effects};
use super::locks::{Held, Lock};

/// A connection that a store runs its statements on, inside a transaction or not.
#[derive(Debug)]
pub enum Conn<'c> {
    Sqlite(Session<'c, SqliteConnection>),
    Postgres(Session<'c, PgConnection>),
}

/// A driver's connection, and how its transaction stands.
#[derive(Debug)]
pub struct Session<'c, C> {
    pub(super) conn: &'c mut C,
    /// None outside of a transaction.
    pub(super) state: Option<&'c mut TxState>,
}

/// What a transaction has taken, and what its commit brings about.
#[derive(Debug, Default)]
pub(super) struct TxState {
    pub held: Held,
    pub effects: Effects,
}

impl Conn<'_> {
    /// None outside of a transaction, where each statement is kept, and lets go, at once.
    pub(super) fn state(&mut self) -> Option<&mut TxState> {
        match self {
            Self::Sqlite(session) => session.state.as_deref_mut(),
            Self::Postgres(session) => session.state.as_deref_mut(),
        }
    }
}

impl Conn<'_> {
    /// Names what the commit of this transaction brings about.
    pub fn after_commit(&mut self, effect: Effect) {
        if let Some(state) = self.state() {
            state.effects.insert(effect);
        }
    }

    /// For what others may wait for a moment and can stand anywhere before the audit log, such as a job of the same content.
    pub fn precedes_audit(&mut self) {
        #[cfg(debug_assertions)]
        if let Some(state) = self.state() {
            assert!(!state.held.has(Lock::AuditLog), "the audit entry comes last");
        }
    }

    /// Every statement of a store that takes one of these says so. A debug build stops at what is out of order.
    pub fn takes(&mut self, lock: Lock) {
        if let Some(state) = self.state() {
            state.held.add(lock);
        }
    }
}

impl<C> Deref for Session<'_, C> {
    type Target = C;

    fn deref(&self) -> &C {
        self.conn
    }
}

impl<C> DerefMut for Session<'_, C> {
    fn deref_mut(&mut self) -> &mut C {
        self.conn
    }
}

/// Runs one statement body on whichever driver the connection has.
#[macro_export]
macro_rules! sql {
    ($conn:expr, $c:ident => $body:expr) => {
        match $conn {
            $crate::db::Conn::Sqlite($c) => {
                let $c = &mut **$c;
                $body
            }
            $crate::db::Conn::Postgres($c) => {
                let $c = &mut **$c;
                $body
            }
        }
    };
}

/// A pooled connection for reading.
#[derive(Debug)]
pub enum Reader {
    Sqlite(PoolConnection<Sqlite>),
    Postgres(PoolConnection<Postgres>),
}

impl Reader {
    pub fn conn(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(conn) => Conn::Sqlite(Session { conn, state: None }),
            Self::Postgres(conn) => Conn::Postgres(Session { conn, state: None }),
        }
    }
}
