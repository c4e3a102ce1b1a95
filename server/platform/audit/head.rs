//! Keeps the head of the chain where nobody with write access to the database can change it: in the server's log and in the nodes' memory.
//!
//! A chain with its last entries cut off still verifies. Each node remembers the last committed entry it has seen until it stops, so it
//! notices if later entries go missing; what was cut while no node was running shows by comparing with the log.

use std::time::Duration;

use shop_base::db::{Db, DbError};
use shop_base::record::RECORD;
use tokio::sync::{Mutex, Notify};
use tokio::time::timeout;

use super::service::{Chain, Mark, hex, verify};
use super::store;

/// So often a node looks for entries that it was not told of: those of other nodes and of commands.
const LOOK_EVERY: Duration = Duration::from_secs(60);

/// Number and hash of the last entry that this node has seen.
#[derive(Debug, Default)]
pub struct Head {
    seen: Mutex<Option<(i64, Vec<u8>)>>,
    /// Signals that this node has committed entries.
    recorded: Notify,
}

impl Head {
    /// Lets [`Head::follow`] log what was committed.
    pub fn ring(&self) {
        self.recorded.notify_one();
    }

    /// Logs entries soon after they are committed, so that no request waits for those of a large import. Never returns.
    pub async fn follow(&self, db: &Db) {
        loop {
            // In both cases there may be entries.
            let _ = timeout(LOOK_EVERY, self.recorded.notified()).await;
            if let Err(error) = self.log(db).await {
                tracing::error!(%error, "the head of the audit log could not be read; trying again");
                self.ring();
                db.pause().await;
            }
        }
    }

    /// Logs the entries committed since the last call, each with its number and hash; the first call logs the head only. Uncommitted
    /// entries are not visible here.
    pub async fn log(&self, db: &Db) -> Result<(), DbError> {
        while self.log_some(db).await? {}
        Ok(())
    }

    /// Logs the first of them. False if there are none.
    async fn log_some(&self, db: &Db) -> Result<bool, DbError> {
        const AT_ONCE: i64 = 1_000;
        let mut seen = self.seen.lock().await;
        let mut reader = db.read().await?;
        let mut conn = reader.conn();
        let Some((seq, hash)) = seen.clone() else {
            let (seq, hash) = store::find_last(&mut conn).await?.unwrap_or_default();
            tracing::info!(target: RECORD, seq, hash = hex(&hash), "audit log");
            *seen = Some((seq, hash));
            return Ok(false);
        };
        if seq > 0 && store::find_hash(&mut conn, seq).await?.as_ref() != Some(&hash) {
            tracing::error!(seq, hash = hex(&hash), "the audit log is no longer what it was: this entry was there");
        }
        let entries = store::list_after(&mut conn, seq, AT_ONCE).await?;
        for (entry, hash) in &entries {
            tracing::info!(target: RECORD, seq = entry.seq, action = entry.action, hash = hex(hash), "audit");
        }
        let Some((last, hash)) = entries.last() else { return Ok(false) };
        *seen = Some((last.seq, hash.clone()));
        Ok(true)
    }

    /// The state of the chain after a mark, see [`verify`]; at its end it is compared with what this node has seen of it.
    pub async fn check(&self, db: &Db, from: &Mark) -> Result<Chain, DbError> {
        // Before the entries are read: those that are committed and seen meanwhile may come after their end.
        let seen = self.seen.lock().await.clone().filter(|(seq, _)| *seq > 0);
        let chain = verify(db, from).await?;
        let Some((seen, hash)) = seen else { return Ok(chain) };
        match chain {
            Chain::Sound { entries, .. } if entries < seen => Ok(Chain::Broken { seq: entries + 1 }),
            Chain::Sound { .. } if store::find_hash(&mut db.read().await?.conn(), seen).await? != Some(hash) => {
                Ok(Chain::Broken { seq: seen })
            }
            chain => Ok(chain),
        }
    }
}
