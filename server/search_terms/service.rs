//! Keeping the terms of a thing, in the transaction that changes it.

use uuid::Uuid;

use super::model::{Kind, terms};
use super::store;
use crate::db::{Conn, DbError};

/// Makes the words of these texts the terms of a thing.
pub async fn put(conn: &mut Conn<'_>, kind: Kind, id: Uuid, texts: &[&str]) -> Result<(), DbError> {
    store::replace_terms(conn, kind, id, &terms(texts.iter().copied())).await
}

/// Nobody finds it any more.
pub async fn remove(conn: &mut Conn<'_>, kind: Kind, id: Uuid) -> Result<(), DbError> {
    store::delete_terms(conn, kind, id).await
}
