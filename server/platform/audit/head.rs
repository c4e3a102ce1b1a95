//! The chain's head where who can write to the database cannot: in the log of the server, and in the memory of its nodes.
//!
//! A chain that was cut off at its end is sound by itself. What a node has seen committed it remembers until it stops, so it notices what
//! is missing afterward; what was cut while no node ran shows by comparing with the lines of the log.

use shop_base::db::{Db, DbError};
use tokio::sync::Mutex;

use super::service::{Chain, hex, verify};
use super::store;

/// Number and hash of the last entry that this node has seen.
#[derive(Debug, Default)]
pub struct Head(Mutex<Option<(i64, Vec<u8>)>>);

impl Head {
    /// Writes the entries to the log that were committed since the last time, each with its number and hash; at the first time the head alone.
    /// What is not committed is not seen here.
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

    /// How the chain stands, compared with what this node has seen of it.
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
