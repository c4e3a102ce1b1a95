//! Keeps the head of the chain where nobody with write access to the database can change it: in the server's log and in the nodes' memory.
//!
//! A chain with its last entries cut off still verifies. Each node remembers the last committed entry it has seen until it stops, so it
//! notices if later entries go missing; what was cut while no node was running shows by comparing with the log.

use shop_base::db::{Db, DbError};
use tokio::sync::Mutex;

use super::service::{Chain, hex, verify};
use super::store;

/// Number and hash of the last entry that this node has seen.
#[derive(Debug, Default)]
pub struct Head(Mutex<Option<(i64, Vec<u8>)>>);

impl Head {
    /// Logs the entries committed since the last call, each with its number and hash; the first call logs the head only. Uncommitted
    /// entries are not visible here.
    pub async fn log(&self, db: &Db) -> Result<(), DbError> {
        const AT_ONCE: i64 = 1_000;
        let mut head = self.0.lock().await;
        let mut reader = db.read().await?;
        let mut conn = reader.conn();
        let Some((mut seq, hash)) = head.clone() else {
            *head = Some(store::find_last(&mut conn).await?.unwrap_or_default());
            if let Some((seq, hash)) = &*head {
                tracing::info!(seq, hash = hex(hash), "audit log");
            }
            return Ok(());
        };
        if seq > 0 && store::find_hash(&mut conn, seq).await?.as_ref() != Some(&hash) {
            tracing::error!(seq, hash = hex(&hash), "the audit log is no longer what it was: this entry was there");
        }
        loop {
            let entries = store::list_after(&mut conn, seq, AT_ONCE).await?;
            let Some((last, hash)) = entries.last() else { return Ok(()) };
            for (entry, hash) in &entries {
                tracing::info!(seq = entry.seq, action = entry.action, hash = hex(hash), "audit");
            }
            seq = last.seq;
            *head = Some((seq, hash.clone()));
        }
    }

    /// The state of the chain, compared with what this node has seen of it.
    pub async fn check(&self, db: &Db) -> Result<Chain, DbError> {
        let chain = verify(db).await?;
        let Some((seen, hash)) = self.0.lock().await.clone().filter(|(seq, _)| *seq > 0) else {
            return Ok(chain);
        };
        match chain {
            Chain::Sound { entries, .. } if entries < seen => Ok(Chain::Broken { seq: entries + 1 }),
            Chain::Sound { .. } if store::find_hash(&mut db.read().await?.conn(), seen).await? != Some(hash) => {
                Ok(Chain::Broken { seq: seen })
            }
            chain => Ok(chain),
        }
    }
}
