//! SQL of builds and their files.

use bytes::Bytes;
use shop_base::db::{Conn, DbError};
use shop_base::sql;

use crate::web::site::{Embedded, File};

/// When a node said last that it serves a build, if one has.
pub async fn find_seen(conn: &mut Conn<'_>, build: &str) -> Result<Option<i64>, DbError> {
    const SQL: &str = "SELECT seen_at FROM builds WHERE id = $1";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(build).fetch_optional(c).await)?)
}

/// Notes that a node serves a build; false if it is not known yet.
pub async fn set_seen(conn: &mut Conn<'_>, build: &str, now: i64) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE builds SET seen_at = $2 WHERE id = $1";
    let rows =
        sql!(conn, c => sqlx::query(SQL).bind(build).bind(now).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// Inserts a build without files; false if another node has inserted it.
pub async fn insert_build(conn: &mut Conn<'_>, build: &str, now: i64) -> Result<bool, DbError> {
    const SQL: &str = "INSERT INTO builds (id, seen_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING";
    let rows =
        sql!(conn, c => sqlx::query(SQL).bind(build).bind(now).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

pub async fn has_other_builds(conn: &mut Conn<'_>, build: &str) -> Result<bool, DbError> {
    const SQL: &str = "SELECT EXISTS (SELECT 1 FROM builds WHERE id <> $1)";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(build).fetch_one(c).await)?)
}

pub async fn insert_file(conn: &mut Conn<'_>, build: &str, file: &Embedded) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO build_files (path, build_id, plain, brotli, gzip) VALUES ($1, $2, $3, $4, $5)";
    let Embedded { path, plain, brotli, gzip } = file;
    sql!(conn, c => sqlx::query(SQL).bind(path).bind(build).bind(plain).bind(brotli).bind(gzip).execute(c).await.map(drop))?;
    Ok(())
}

/// The paths of all files.
pub async fn list_paths(conn: &mut Conn<'_>) -> Result<Vec<String>, DbError> {
    const SQL: &str = "SELECT DISTINCT path FROM build_files";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).fetch_all(c).await)?)
}

pub async fn find_file(conn: &mut Conn<'_>, path: &str) -> Result<Option<File>, DbError> {
    type Row = (Vec<u8>, Option<Vec<u8>>, Option<Vec<u8>>);
    const SQL: &str = "SELECT plain, brotli, gzip FROM build_files WHERE path = $1 LIMIT 1";
    let row: Option<Row> = sql!(conn, c => sqlx::query_as(SQL).bind(path).fetch_optional(c).await)?;
    Ok(row.map(|(plain, brotli, gzip)| File {
        plain: plain.into(),
        brotli: brotli.map(Bytes::from),
        gzip: gzip.map(Bytes::from),
    }))
}
