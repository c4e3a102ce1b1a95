//! Messages between nodes: PostgreSQL's `LISTEN` and `NOTIFY`. With SQLite there is only one node.

use sqlx::postgres::{PgListener, PgPoolOptions};

use super::pools::Kind;
use super::{Db, DbError};
use crate::sql;

/// Receives the messages of a channel, including those of this node.
#[derive(Debug)]
pub struct Listener(PgListener);

impl Listener {
    /// The next message; `None` when the connection was lost and restored, so that messages may have been missed.
    pub async fn next(&mut self) -> Result<Option<String>, DbError> {
        Ok(self.0.try_recv().await?.map(|notification| notification.payload().to_owned()))
    }
}

impl Db {
    /// Sends a message to every node that listens to this channel.
    pub async fn notify(&self, channel: &str, message: &str) -> Result<(), DbError> {
        if let Kind::Postgres { .. } = &self.pools.kind {
            let mut reader = self.read().await?;
            let mut conn = reader.conn();
            const SQL: &str = "SELECT pg_notify($1, $2)";
            sql!(&mut conn, c => sqlx::query(SQL).bind(channel).bind(message).execute(c).await.map(drop))?;
        }
        Ok(())
    }

    /// Listens to a channel on a dedicated connection; `None` where there are no other nodes.
    pub async fn listen(&self, channel: &str) -> Result<Option<Listener>, DbError> {
        let Kind::Postgres { outage, .. } = &self.pools.kind else { return Ok(None) };
        // Not from a pool, which would lose the connection permanently.
        let own = PgPoolOptions::new().max_connections(1).max_lifetime(None).idle_timeout(None);
        let mut listener = PgListener::connect_with(&own.connect_lazy_with(outage.options.clone())).await?;
        listener.listen(channel).await?;
        Ok(Some(Listener(listener)))
    }
}
