//! SQL of search terms.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::model::Kind;
use crate::db::{Conn, DbError};
use crate::sql;

/// Rows of one statement: SQLite takes 32,766 parameters.
const AT_ONCE: usize = 5_000;

/// Makes these the terms of each thing.
pub async fn replace_terms(
    conn: &mut Conn<'_>,
    kind: Kind,
    things: &[(Uuid, BTreeSet<String>)],
) -> Result<(), DbError> {
    for things in things.chunks(AT_ONCE) {
        sql!(&mut *conn, c => {
            let mut query = sqlx::QueryBuilder::new("DELETE FROM search_terms WHERE kind = ");
            query.push_bind(kind.text()).push(" AND subject_id IN (");
            let mut list = query.separated(", ");
            for (id, _) in things {
                list.push_bind(*id);
            }
            query.push(")").build().execute(c).await.map(drop)
        })?;
    }
    let rows: Vec<(Uuid, &String)> =
        things.iter().flat_map(|(id, terms)| terms.iter().map(move |term| (*id, term))).collect();
    for rows in rows.chunks(AT_ONCE) {
        sql!(&mut *conn, c => sqlx::QueryBuilder::new("INSERT INTO search_terms (kind, term, subject_id) ")
            .push_values(rows, |mut row, (id, term)| {
                row.push_bind(kind.text()).push_bind(*term).push_bind(*id);
            })
            .build().execute(c).await.map(drop))?;
    }
    Ok(())
}

pub async fn delete_terms(conn: &mut Conn<'_>, kind: Kind, id: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM search_terms WHERE subject_id = $1 AND kind = $2";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(kind.text()).execute(c).await.map(drop))?;
    Ok(())
}

/// How many terms are in a range, counted up to a limit.
pub async fn count_subjects(
    conn: &mut Conn<'_>,
    kind: Kind,
    (from, to): (&str, &str),
    limit: i64,
) -> Result<i64, DbError> {
    const SQL: &str = "SELECT COUNT(*) FROM
        (SELECT 1 FROM search_terms WHERE kind = $1 AND term >= $2 AND term < $3 LIMIT $4) counted";
    Ok(sql!(conn, c => {
        sqlx::query_scalar(SQL).bind(kind.text()).bind(from).bind(to).bind(limit).fetch_one(c).await
    })?)
}

/// The next things that staff may search for and cannot find, by their ids.
pub async fn list_without_terms(
    conn: &mut Conn<'_>,
    kind: Kind,
    after: Uuid,
    limit: i64,
) -> Result<Vec<Uuid>, DbError> {
    let things = match kind {
        Kind::Order => "orders s WHERE (s.placed_at IS NOT NULL OR s.attention IS NOT NULL)",
        Kind::Product => "products s WHERE TRUE",
        Kind::Customer => "users s WHERE s.deleted_at IS NULL",
        Kind::Draft => "draft_orders s WHERE TRUE",
    };
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT s.id FROM {things} AND s.id > $1
         AND NOT EXISTS (SELECT 1 FROM search_terms t WHERE t.subject_id = s.id AND t.kind = $2) ORDER BY s.id LIMIT $3"
    ));
    Ok(sql!(conn, c => sqlx::query_scalar(sql).bind(after).bind(kind.text()).bind(limit).fetch_all(c).await)?)
}
