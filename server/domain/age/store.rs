//! SQL of age proofs.

use shop_base::db::{Conn, DbError};
use shop_base::sql;
use sqlx::{query, query_as};
use uuid::Uuid;

use super::model::AgeProof;

pub async fn upsert_age_proof(conn: &mut Conn<'_>, user_id: Uuid, proof: &AgeProof) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO age_proofs (user_id, method, preferred_state, verified_at, expires_at)
        VALUES ($1, 'declared', $2, $3, $4)
        ON CONFLICT (user_id) DO UPDATE SET method = excluded.method,
            preferred_state = COALESCE(excluded.preferred_state, age_proofs.preferred_state),
            verified_at = excluded.verified_at, expires_at = excluded.expires_at";
    sql!(conn, c => query(SQL)
        .bind(user_id)
        .bind(&proof.preferred_state)
        .bind(proof.verified_at)
        .bind(proof.expires_at)
        .execute(c).await.map(drop))?;
    Ok(())
}

pub async fn find_age_proof(conn: &mut Conn<'_>, user_id: Uuid, now: i64) -> Result<Option<AgeProof>, DbError> {
    const SQL: &str = "SELECT preferred_state, verified_at, expires_at FROM age_proofs
        WHERE user_id = $1 AND expires_at > $2";
    let row: Option<(Option<String>, i64, i64)> =
        sql!(conn, c => query_as(SQL).bind(user_id).bind(now).fetch_optional(c).await)?;
    Ok(row.map(|(preferred_state, verified_at, expires_at)| AgeProof { preferred_state, verified_at, expires_at }))
}

pub async fn delete_age_proof(conn: &mut Conn<'_>, user_id: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM age_proofs WHERE user_id = $1";
    sql!(conn, c => query(SQL).bind(user_id).execute(c).await.map(drop))?;
    Ok(())
}
