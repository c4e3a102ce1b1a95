//! Age proofs of signed-in users. A guest's only proof is the cookie.

use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use uuid::Uuid;

use super::model::{AgeProof, PROOF_VALID_MS};
use super::store;
use crate::identity::accounts::lock_own;

/// Stores that the user's age was accepted now, and for which state.
pub async fn prove(cx: &Context, user_id: Uuid, preferred_state: Option<String>) -> Result<(), Error> {
    let now = cx.clock.now_ms();
    let proof = AgeProof { preferred_state, verified_at: now, expires_at: now + PROOF_VALID_MS };
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    lock_own(&mut conn, user_id).await?;
    store::upsert_age_proof(&mut conn, user_id, &proof).await?;
    tx.commit().await?;
    Ok(())
}

/// The user's proof that is valid at `now` (UTC milliseconds).
pub async fn find_age_proof(conn: &mut Conn<'_>, user_id: Uuid, now: i64) -> Result<Option<AgeProof>, DbError> {
    store::find_age_proof(conn, user_id, now).await
}

/// Part of the deletion of an account.
pub async fn erase(conn: &mut Conn<'_>, user_id: Uuid) -> Result<(), Error> {
    Ok(store::delete_age_proof(conn, user_id).await?)
}
