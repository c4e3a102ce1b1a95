//! SQL of the audit log.

use shop_base::db::{Conn, DbError, Lock};
use shop_base::sql;
use sqlx::FromRow;
use uuid::Uuid;

use super::model::Entry;

/// An arbitrary number that no other advisory lock uses.
const LOCK: i64 = 0x0061_7564_6974;

/// Keeps others from appending until the transaction ends. On SQLite there is only one writer anyway.
pub async fn lock(conn: &mut Conn<'_>) -> Result<(), DbError> {
    conn.takes(Lock::AuditLog);
    if let Conn::Postgres(c) = conn {
        c.run(sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(LOCK)).await?;
    }
    Ok(())
}

/// Number and hash of the last entry.
pub async fn find_last(conn: &mut Conn<'_>) -> Result<Option<(i64, Vec<u8>)>, DbError> {
    const SQL: &str = "SELECT seq, hash FROM audit_entries ORDER BY seq DESC LIMIT 1";
    Ok(sql!(conn, c => sqlx::query_as(SQL).fetch_optional(c).await)?)
}

/// The hash of an entry.
pub async fn find_hash(conn: &mut Conn<'_>, seq: i64) -> Result<Option<Vec<u8>>, DbError> {
    const SQL: &str = "SELECT hash FROM audit_entries WHERE seq = $1";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(seq).fetch_optional(c).await)?)
}

/// Appends entries with their hashes; at most some hundreds at once.
pub async fn insert_entries(conn: &mut Conn<'_>, entries: &[(Entry, Vec<u8>)]) -> Result<(), DbError> {
    const SQL: &str =
        "INSERT INTO audit_entries (seq, at, actor_id, role, action, subject_kind, subject_id, subject_label,
        before, after, network, device, hash) ";
    // PostgreSQL takes 65,535 parameters.
    for entries in entries.chunks(1_000) {
        sql!(&mut *conn, c => sqlx::QueryBuilder::new(SQL)
            .push_values(entries, |mut row, (entry, hash)| {
                row.push_bind(entry.seq).push_bind(entry.at).push_bind(entry.actor_id).push_bind(entry.role.clone())
                    .push_bind(entry.action.clone()).push_bind(entry.subject_kind.clone())
                    .push_bind(entry.subject_id.clone()).push_bind(entry.subject_label.clone())
                    .push_bind(entry.before.clone()).push_bind(entry.after.clone()).push_bind(entry.network.clone())
                    .push_bind(entry.device.clone()).push_bind(hash.clone());
            })
            .build().execute(c).await.map(drop))?;
    }
    Ok(())
}

#[derive(FromRow)]
struct Row {
    seq: i64,
    at: i64,
    actor_id: Uuid,
    role: String,
    action: String,
    subject_kind: String,
    subject_id: String,
    subject_label: String,
    before: String,
    after: String,
    network: String,
    device: String,
    hash: Vec<u8>,
}

/// The entries that follow a number, in order, with their hashes.
pub async fn list_after(conn: &mut Conn<'_>, seq: i64, limit: i64) -> Result<Vec<(Entry, Vec<u8>)>, DbError> {
    const SQL: &str = "SELECT seq, at, actor_id, role, action, subject_kind, subject_id, subject_label, before, after,
        network, device, hash FROM audit_entries WHERE seq > $1 ORDER BY seq LIMIT $2";
    let rows = sql!(conn, c => sqlx::query_as::<_, Row>(SQL).bind(seq).bind(limit).fetch_all(c).await)?;
    let split = |row: Row| {
        let Row {
            seq,
            at,
            actor_id,
            role,
            action,
            subject_kind,
            subject_id,
            subject_label,
            before,
            after,
            network,
            ..
        } = row;
        let device = row.device;
        let entry = Entry {
            seq,
            at,
            actor_id,
            role,
            action,
            subject_kind,
            subject_id,
            subject_label,
            before,
            after,
            network,
            device,
        };
        (entry, row.hash)
    };
    Ok(rows.into_iter().map(split).collect())
}
