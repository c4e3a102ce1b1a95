//! SQL of published texts and drafts.

use jiff::civil::Date;
use shop_base::db::{Conn, DbError, decoded};
use shop_base::sql;
use uuid::Uuid;

use super::model::Edition;

/// The published editions of a document, the first one first.
pub async fn list_editions(conn: &mut Conn<'_>, document: &str) -> Result<Vec<Edition>, DbError> {
    const SQL: &str =
        "SELECT number, title, body, effective_from FROM legal_versions WHERE document = $1 ORDER BY number";
    type Row = (i64, String, String, String);
    let rows = sql!(conn, c => sqlx::query_as::<_, Row>(SQL).bind(document).fetch_all(c).await)?;
    rows.into_iter()
        .map(|(number, title, body, from)| {
            let effective_from = decoded("effective_from", from.parse::<Date>())?;
            Ok(Edition { number, title, body, effective_from })
        })
        .collect()
}

/// Who published each edition of a document and when: number, UTC milliseconds, name.
pub async fn list_publishers(conn: &mut Conn<'_>, document: &str) -> Result<Vec<(i64, i64, String)>, DbError> {
    const SQL: &str = "SELECT v.number, v.published_at, u.name FROM legal_versions v
        JOIN users u ON u.id = v.published_by WHERE v.document = $1 ORDER BY v.number DESC";
    Ok(sql!(conn, c => sqlx::query_as(SQL).bind(document).fetch_all(c).await)?)
}

pub async fn insert_edition(
    conn: &mut Conn<'_>,
    id: Uuid,
    document: &str,
    edition: &Edition,
    by: Uuid,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO legal_versions (id, document, number, title, body, effective_from, published_at,
        published_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(document).bind(edition.number).bind(&edition.title)
        .bind(&edition.body).bind(edition.effective_from.to_string()).bind(now).bind(by).execute(c).await.map(drop))?;
    Ok(())
}

/// Whether the edition with this id was published for this day, and not withdrawn since.
pub async fn is_published(conn: &mut Conn<'_>, id: Uuid, from: Date) -> Result<bool, DbError> {
    const SQL: &str = "SELECT EXISTS (SELECT 1 FROM legal_versions WHERE id = $1 AND effective_from = $2)";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, bool>(SQL).bind(id).bind(from.to_string()).fetch_one(c).await)?)
}

/// Whether an edition of a document was published at this time (UTC milliseconds) or later.
pub async fn is_published_since(conn: &mut Conn<'_>, document: &str, time: i64) -> Result<bool, DbError> {
    const SQL: &str = "SELECT EXISTS (SELECT 1 FROM legal_versions WHERE document = $1 AND published_at >= $2)";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, bool>(SQL).bind(document).bind(time).fetch_one(c).await)?)
}

/// Takes an edition's day away from it; false if it no longer has that day.
pub async fn withdraw_edition(conn: &mut Conn<'_>, document: &str, edition: &Edition) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE legal_versions SET effective_from = $4
        WHERE document = $1 AND number = $2 AND effective_from = $3";
    let rows = sql!(conn, c => sqlx::query(SQL).bind(document).bind(edition.number)
        .bind(edition.effective_from.to_string()).bind(Edition::NEVER.to_string()).execute(c).await
        .map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// Title, text and version of the draft.
pub async fn find_draft(conn: &mut Conn<'_>, document: &str) -> Result<Option<(String, String, i64)>, DbError> {
    const SQL: &str = "SELECT title, body, version FROM legal_drafts WHERE document = $1";
    Ok(sql!(conn, c => sqlx::query_as(SQL).bind(document).fetch_optional(c).await)?)
}

/// Replaces the draft of this version (0 for none); false when the stored one has another version. The first version of a draft is the time
/// in milliseconds, so that no version of an earlier draft, deleted since, is one of this.
pub async fn put_draft(
    conn: &mut Conn<'_>,
    document: &str,
    title: &str,
    body: &str,
    version: i64,
    now: i64,
) -> Result<bool, DbError> {
    const FIRST: &str =
        "INSERT INTO legal_drafts (document, title, body, version, updated_at) VALUES ($1, $2, $3, $4 + $5, $5)
        ON CONFLICT (document) DO NOTHING";
    const NEXT: &str = "UPDATE legal_drafts SET title = $2, body = $3, version = version + 1, updated_at = $5
        WHERE document = $1 AND version = $4";
    let sql = if version == 0 { FIRST } else { NEXT };
    let rows = sql!(conn, c => sqlx::query(sql).bind(document).bind(title).bind(body).bind(version).bind(now)
        .execute(c).await.map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// Deletes the draft of this version; returns its title and text.
pub async fn delete_draft(
    conn: &mut Conn<'_>,
    document: &str,
    version: i64,
) -> Result<Option<(String, String)>, DbError> {
    const SQL: &str = "DELETE FROM legal_drafts WHERE document = $1 AND version = $2 RETURNING title, body";
    Ok(sql!(conn, c => sqlx::query_as(SQL).bind(document).bind(version).fetch_optional(c).await)?)
}
