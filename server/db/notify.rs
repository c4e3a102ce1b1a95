//! What one node tells the others: PostgreSQL's `LISTEN` and `NOTIFY`. SQLite has one node, so nobody to tell.

use sqlx::postgres::PgListener;

use super::{Db, DbError};

/// Hears what is told on a channel, by this node as well.
#[derive(Debug)]
pub struct Listener(PgListener);

impl Listener {
    /// The next message; `None` when the connection was lost and made anew, so that some may have been missed.
    pub async fn next(&mut self) -> Result<Option<String>, DbError> {
        Ok(self.0.try_recv().await?.map(|told| told.payload().to_owned()))
    }
}

impl Db {
    /// Tells every node that listens to this channel.
    pub async fn notify(&self, channel: &str, message: &str) -> Result<(), DbError> {
        if let Self::Postgres(pool) = self {
            sqlx::query("SELECT pg_notify($1, $2)").bind(channel).bind(message).execute(pool).await?;
        }
        Ok(())
    }

    /// Listens to a channel on a connection of its own; `None` where there are no other nodes.
    pub async fn listen(&self, channel: &str) -> Result<Option<Listener>, DbError> {
        let Self::Postgres(pool) = self else { return Ok(None) };
        let mut listener = PgListener::connect_with(pool).await?;
        listener.listen(channel).await?;
        Ok(Some(Listener(listener)))
    }
}
