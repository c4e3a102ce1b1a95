//! Writes to the audit log, and verifies that no entry is missing or changed.

use shop_base::clock::Clock;
use shop_base::context::Context;
use shop_base::db::{Conn, Db, DbError, Effect};

use super::model::{Actor, Change, Entry};
use super::store;
use crate::metrics::audit_entries;

/// Entries were committed.
pub const RECORDED: Effect = Effect("audit entries recorded");

/// Records a change in the transaction that makes it.
pub async fn record(conn: &mut Conn<'_>, clock: &dyn Clock, actor: &Actor, change: &Change) -> Result<(), DbError> {
    record_all(conn, clock, actor, std::slice::from_ref(change)).await
}

/// Records what changes nothing in the database.
pub async fn record_now(cx: &Context, actor: &Actor, change: &Change) -> Result<(), DbError> {
    let mut tx = cx.db.begin().await?;
    record(&mut tx.conn(), cx.clock.as_ref(), actor, change).await?;
    tx.commit().await
}

/// Writes many changes at once, in their order.
pub async fn record_all(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    actor: &Actor,
    changes: &[Change],
) -> Result<(), DbError> {
    if changes.is_empty() {
        return Ok(());
    }
    store::lock(conn).await?;
    let (mut seq, mut previous) = store::find_last(conn).await?.unwrap_or_default();
    let mut entries = Vec::with_capacity(changes.len());
    for change in changes {
        seq += 1;
        let entry = Entry {
            seq,
            at: clock.now_ms(),
            actor_id: actor.user_id,
            role: actor.role.name().to_owned(),
            action: change.action.to_owned(),
            subject_kind: change.subject.kind.to_owned(),
            subject_id: change.subject.id.clone(),
            subject_label: change.subject.label.clone(),
            before: change.before.to_string(),
            after: change.after.to_string(),
            network: actor.network.clone(),
            device: actor.device.clone(),
        };
        previous = entry.hash(&previous).to_vec();
        entries.push((entry, previous.clone()));
    }
    conn.count_after_commit(&audit_entries::ALL, entries.len() as u64);
    conn.after_commit(RECORDED);
    store::insert_entries(conn, &entries).await
}

/// Whether the log of one database goes on from where that of another one ends.
pub async fn continues(db: &Db, other: &Db) -> Result<bool, DbError> {
    let last = store::find_last(&mut other.read().await?.conn()).await?;
    let Some((seq, hash)) = last else { return Ok(true) };
    Ok(store::find_hash(&mut db.read().await?.conn(), seq).await? == Some(hash))
}

/// An entry, by its number and its hash in hexadecimal; the default one is before the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    pub seq: i64,
    pub hash: String,
}

/// The state of the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chain {
    /// Every entry is intact. The head is the last hash, in hexadecimal.
    Sound { entries: i64, head: String },
    /// Every entry up to this one is intact, and others follow.
    SoundUntil(Mark),
    /// The first entry that is not what was written.
    Broken { seq: i64 },
}

/// How many entries one call verifies: a request must be answered in time, however long the log is.
pub const PIECE: i64 = 5_000;

/// Checks the hashes of the entries after a mark that was reached before, of so many as one call may. It cannot notice entries missing at the
/// end, see [`super::head`].
pub async fn verify(db: &Db, from: &Mark) -> Result<Chain, DbError> {
    const AT_ONCE: i64 = 1_000;
    let mut last = from.seq;
    let found = store::find_hash(&mut db.read().await?.conn(), last).await?;
    let mut previous = match found {
        Some(hash) if hex(&hash) == from.hash => hash,
        None if *from == Mark::default() => Vec::new(),
        // It has changed since.
        _ => return Ok(Chain::Broken { seq: last }),
    };
    while last < from.seq + PIECE {
        let mut reader = db.read().await?;
        let entries = store::list_after(&mut reader.conn(), last, AT_ONCE).await?;
        drop(reader);
        if entries.is_empty() {
            return Ok(Chain::Sound { entries: last, head: hex(&previous) });
        }
        for (entry, hash) in entries {
            if entry.seq != last + 1 || entry.hash(&previous)[..] != hash[..] {
                return Ok(Chain::Broken { seq: last + 1 });
            }
            (last, previous) = (entry.seq, hash);
        }
    }
    Ok(Chain::SoundUntil(Mark { seq: last, hash: hex(&previous) }))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
