//! SQL of search terms.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::model::Kind;
use crate::db::{Conn, DbError};
use crate::sql;

pub async fn replace_terms(conn: &mut Conn<'_>, kind: Kind, id: Uuid, terms: &BTreeSet<String>) -> Result<(), DbError> {
    delete_terms(conn, kind, id).await?;
    if terms.is_empty() {
        return Ok(());
    }
    sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new("INSERT INTO search_terms (kind, term, subject_id) ");
        query.push_values(terms, |mut row, term| {
            row.push_bind(kind.text()).push_bind(term).push_bind(id);
        });
        query.build().execute(c).await.map(drop)
    })?;
    Ok(())
}

pub async fn delete_terms(conn: &mut Conn<'_>, kind: Kind, id: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM search_terms WHERE subject_id = $1 AND kind = $2";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(kind.text()).execute(c).await.map(drop))?;
    Ok(())
}
