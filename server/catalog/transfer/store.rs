//! SQL of imports.

use sqlx::FromRow;
use uuid::Uuid;

use crate::db::{Conn, DbError};
use crate::sql;

#[derive(Debug, FromRow)]
pub struct ImportRow {
    pub id: Uuid,
    pub file_name: String,
    pub state: String,
    pub report: String,
    pub digest: String,
    pub problem: String,
    pub created_at: i64,
    pub updated_at: i64,
}

pub async fn insert_import(
    conn: &mut Conn<'_>,
    id: Uuid,
    actor: Uuid,
    name: &str,
    file: &[u8],
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str =
        "INSERT INTO product_imports (id, actor_id, file_name, file, state, report, digest, problem, created_at, updated_at)
        VALUES ($1, $2, $3, $4, 'reading', '', '', '', $5, $5)";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(actor).bind(name).bind(file).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn find_import(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<ImportRow>, DbError> {
    const SQL: &str =
        "SELECT id, file_name, state, report, digest, problem, created_at, updated_at FROM product_imports
        WHERE id = $1";
    Ok(sql!(conn, c => sqlx::query_as::<_, ImportRow>(SQL).bind(id).fetch_optional(c).await)?)
}

pub async fn find_file(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<Vec<u8>>, DbError> {
    const SQL: &str = "SELECT file FROM product_imports WHERE id = $1";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, Vec<u8>>(SQL).bind(id).fetch_optional(c).await)?)
}

/// What became of the reading of a file.
pub async fn set_checked(
    conn: &mut Conn<'_>,
    id: Uuid,
    state: &str,
    report: &str,
    digest: &str,
    problem: &str,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str = "UPDATE product_imports SET state = $2, report = $3, digest = $4, problem = $5, updated_at = $6
        WHERE id = $1 AND state = 'reading'";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(state).bind(report).bind(digest).bind(problem).bind(now).execute(c)
        .await.map(drop))?;
    Ok(())
}

/// Takes a checked import for carrying it out, or one that was left in the middle before `abandoned`. False when another one has it.
pub async fn claim(conn: &mut Conn<'_>, id: Uuid, now: i64, abandoned: i64) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE product_imports SET state = 'applying', updated_at = $2
        WHERE id = $1 AND (state = 'checked' OR (state = 'applying' AND updated_at < $3))";
    let rows = sql!(conn, c => sqlx::query(SQL).bind(id).bind(now).bind(abandoned).execute(c).await
        .map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// How carrying it out has ended. What it wrote commits together with this.
pub async fn finish(conn: &mut Conn<'_>, id: Uuid, state: &str, problem: &str, now: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE product_imports SET state = $2, problem = $3, updated_at = $4 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(state).bind(problem).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Forgets what was read before a time.
pub async fn purge(conn: &mut Conn<'_>, before: i64) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM product_imports WHERE created_at < $1";
    sql!(conn, c => sqlx::query(SQL).bind(before).execute(c).await.map(drop))?;
    Ok(())
}
