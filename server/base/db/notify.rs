//! Messages between nodes: PostgreSQL's `LISTEN` and `NOTIFY`. With SQLite there is only one node.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::time::{Instant, timeout, timeout_at};

use super::open::NODE;
use super::outage::Outage;
use super::pools::Kind;
use super::{Conn, Db, DbError, statement};
use crate::clock::Clock;
use crate::sql;

/// A connection whose other end is gone without a word hears nothing, so it is asked for a sign of life.
const ASK_EVERY: Duration = Duration::from_secs(1);
const SIGN_OF_LIFE: Duration = Duration::from_secs(2);
const CONNECT_WITHIN: Duration = Duration::from_secs(2);
/// For so long, in milliseconds, what is in memory is believed while nothing is heard.
const BELIEVED: i64 = 30_000;

/// Receives the messages of a channel, including those of this node.
#[derive(Debug)]
struct Listener {
    listener: PgListener,
    outage: Arc<Outage>,
    ask_at: Instant,
    /// The nodes that were connected when it last asked.
    nodes: BTreeSet<String>,
}

#[derive(Debug)]
pub enum Heard {
    Message(String),
    /// Messages may have been missed: this node has just begun to listen, or another one has stopped or was killed, perhaps before it could say
    /// what it had changed.
    Gap,
    /// It has been impossible to listen for half a minute.
    Nothing,
}

impl Listener {
    /// What comes next. After an error messages may have been missed.
    async fn next(&mut self) -> Result<Heard, DbError> {
        loop {
            match timeout_at(self.ask_at, self.listener.try_recv()).await {
                Ok(Ok(Some(message))) => return Ok(Heard::Message(message.payload().to_owned())),
                Ok(Ok(None)) => return Err(DbError::Away("the connection was lost".into())),
                Ok(Err(error)) => return Err(error.into()),
                Err(_) => {
                    let nodes = self.ask().await?;
                    let before = std::mem::replace(&mut self.nodes, nodes);
                    if !before.is_subset(&self.nodes) {
                        return Ok(Heard::Gap);
                    }
                }
            }
        }
    }

    /// Which nodes are connected, which also shows that this connection is alive.
    async fn ask(&mut self) -> Result<BTreeSet<String>, DbError> {
        const SQL: &str = "SELECT DISTINCT application_name FROM pg_stat_activity
            WHERE datname = current_database() AND starts_with(application_name, $1)";
        let asked = sqlx::query_scalar(SQL).bind(NODE).fetch_all(&mut self.listener);
        let nodes: Result<Vec<String>, _> =
            timeout(SIGN_OF_LIFE, asked).await.unwrap_or(Err(sqlx::Error::PoolTimedOut));
        if nodes.is_err() {
            self.outage.look();
        }
        self.ask_at = Instant::now() + ASK_EVERY;
        Ok(nodes?.into_iter().collect())
    }
}

impl Conn<'_> {
    /// The labels of the connected nodes, also of this one ([`Db::open_labeled`]); none with SQLite, which has only one node.
    pub async fn labels(&mut self) -> Result<Vec<String>, DbError> {
        const SQL: &str = "SELECT DISTINCT split_part(application_name, ' ', 3) FROM pg_stat_activity
            WHERE datname = current_database() AND starts_with(application_name, $1)
                AND split_part(application_name, ' ', 3) <> ''";
        match self {
            Self::Sqlite(_) => Ok(Vec::new()),
            Self::Postgres(session) => {
                let (conn, limit) = session.limited();
                Ok(statement(limit, sqlx::query_scalar(SQL).bind(NODE).fetch_all(conn)).await?)
            }
        }
    }
}

impl Db {
    /// Sends a message to every node that listens to this channel.
    pub async fn notify(&self, channel: &str, message: &str) -> Result<(), DbError> {
        if let Kind::Postgres { .. } = &self.pools.kind {
            let mut reader = self.short().read().await?;
            let mut conn = reader.conn();
            const SQL: &str = "SELECT pg_notify($1, $2)";
            sql!(&mut conn, c => sqlx::query(SQL).bind(channel).bind(message).execute(c).await.map(drop))?;
        }
        Ok(())
    }

    /// Passes on what is heard on a channel. Returns only where there are no other nodes.
    pub async fn hear(&self, channel: &'static str, clock: &dyn Clock, pass_on: impl Fn(Heard)) {
        loop {
            let Some(mut listener) = self.begin_to_listen(channel, clock, &pass_on).await else { return };
            pass_on(Heard::Gap);
            let error = loop {
                match listener.next().await {
                    Ok(heard) => pass_on(heard),
                    Err(error) => break error,
                }
            };
            self.note_unheard(channel, &error);
            self.pause().await;
        }
    }

    async fn begin_to_listen(
        &self,
        channel: &'static str,
        clock: &dyn Clock,
        pass_on: &impl Fn(Heard),
    ) -> Option<Listener> {
        let mut since = clock.now_ms();
        loop {
            match self.listen(channel).await {
                Ok(listener) => {
                    if self.pools.unheard.lock().remove(channel) {
                        tracing::info!(channel, "other nodes are heard again");
                    }
                    return listener;
                }
                Err(error) => self.note_unheard(channel, &error),
            }
            let now = clock.now_ms();
            if !(since..since + BELIEVED).contains(&now) {
                since = now;
                pass_on(Heard::Nothing);
            }
            self.pause().await;
        }
    }

    fn note_unheard(&self, channel: &'static str, error: &DbError) {
        if self.pools.unheard.lock().insert(channel) {
            tracing::warn!(channel, %error, "other nodes are not heard: lists and settings are loaded every 30 s until they are");
        }
    }

    /// Whether what other nodes say arrives here.
    pub fn hears_others(&self) -> bool {
        self.pools.unheard.lock().is_empty()
    }

    /// Listens to a channel on a dedicated connection; `None` where there are no other nodes.
    async fn listen(&self, channel: &str) -> Result<Option<Listener>, DbError> {
        let Kind::Postgres { outage, .. } = &self.pools.kind else { return Ok(None) };
        let listener = outage.unless_away(connect(outage.options.clone(), channel));
        let outage = Arc::clone(outage);
        let mut listener =
            Listener { listener: listener.await?, outage, ask_at: Instant::now(), nodes: BTreeSet::new() };
        listener.nodes = listener.ask().await?;
        Ok(Some(listener))
    }
}

/// A connection that listens to a channel. It is none of a pool, which would lose it permanently.
pub(super) async fn connect(options: PgConnectOptions, channel: &str) -> Result<PgListener, sqlx::Error> {
    let own = PgPoolOptions::new()
        .max_connections(1)
        .max_lifetime(None)
        .idle_timeout(None)
        .acquire_timeout(CONNECT_WITHIN)
        .connect_lazy_with(options);
    let listening = async {
        let mut listener = PgListener::connect_with(&own).await?;
        // A connection that is lost is replaced by the caller, who then knows that messages were missed.
        listener.eager_reconnect(false);
        listener.listen(channel).await?;
        Ok(listener)
    };
    timeout(CONNECT_WITHIN, listening).await.unwrap_or(Err(sqlx::Error::PoolTimedOut))
}
