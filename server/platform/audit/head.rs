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

/// What this node has seen of the log.
#[derive(Debug, Default)]
pub struct Head {
    seen: Mutex<Seen>,
    /// Signals that this node has committed entries.
    recorded: Notify,
}

#[derive(Clone, Debug, Default)]
struct Seen {
    /// Number and hash of the last entry; the hash is empty before the first one.
    last: Option<(i64, Vec<u8>)>,
    /// Those of the first entry that was found to be gone. They are remembered until the node stops: later entries do not hide the gap.
    gone: Option<(i64, Vec<u8>)>,
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
    /// entries are not visible here. Each call says if an entry is gone.
    pub async fn log(&self, db: &Db) -> Result<(), DbError> {
        while self.log_some(db).await? {}
        if let Some((seq, hash)) = &self.seen.lock().await.gone {
            tracing::error!(seq, hash = hex(hash), "the audit log is no longer what it was: this entry was there");
        }
        Ok(())
    }

    /// Logs the first of them. False if there are none.
    async fn log_some(&self, db: &Db) -> Result<bool, DbError> {
        const AT_ONCE: i64 = 1_000;
        let mut seen = self.seen.lock().await;
        let mut reader = db.read().await?;
        let mut conn = reader.conn();
        let Some((mut seq, hash)) = seen.last.clone() else {
            let (seq, hash) = store::find_last(&mut conn).await?.unwrap_or_default();
            tracing::info!(target: RECORD, seq, hash = hex(&hash), "audit log");
            seen.last = Some((seq, hash));
            return Ok(false);
        };
        if !hash.is_empty() && store::find_hash(&mut conn, seq).await?.as_ref() != Some(&hash) {
            seen.gone.get_or_insert((seq, hash));
            // Entries in place of those that are gone have no line yet. Where they begin is not known, so some get a second one.
            let (last, _) = store::find_last(&mut conn).await?.unwrap_or_default();
            seq = (last.min(seq) - AT_ONCE).max(0);
            seen.last = Some((seq, store::find_hash(&mut conn, seq).await?.unwrap_or_default()));
        }
        let entries = store::list_after(&mut conn, seq, AT_ONCE).await?;
        for (entry, hash) in &entries {
            tracing::info!(target: RECORD, seq = entry.seq, action = entry.action, hash = hex(hash), "audit");
        }
        let Some((last, hash)) = entries.last() else { return Ok(false) };
        seen.last = Some((last.seq, hash.clone()));
        Ok(true)
    }

    /// The state of the chain after a mark, see [`verify`]; at its end it is compared with what this node has seen of it.
    pub async fn check(&self, db: &Db, from: &Mark) -> Result<Chain, DbError> {
        // Before the entries are read: those that are committed and seen meanwhile may come after their end.
        let Seen { last, gone } = self.seen.lock().await.clone();
        let chain = verify(db, from).await?;
        let Chain::Sound { entries, .. } = chain else { return Ok(chain) };
        if let Some((seq, _)) = gone {
            return Ok(Chain::Broken { seq: seq.min(entries + 1) });
        }
        let Some((seen, hash)) = last.filter(|(_, hash)| !hash.is_empty()) else { return Ok(chain) };
        if entries < seen {
            return Ok(Chain::Broken { seq: entries + 1 });
        }
        match store::find_hash(&mut db.read().await?.conn(), seen).await? == Some(hash) {
            true => Ok(chain),
            false => Ok(Chain::Broken { seq: seen }),
        }
    }
}
