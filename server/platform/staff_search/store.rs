//! SQL of search terms.

use std::collections::BTreeSet;

use shop_base::db::{Conn, DbError};
use shop_base::sql;
use sqlx::FromRow;
use uuid::Uuid;

use super::model::{FORMER_MAX_TERMS, Kind};

/// Rows per statement: SQLite takes 32,766 parameters.
const AT_ONCE: usize = 5_000;

/// Deletes the terms of records of any kind.
pub async fn delete_all_terms(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<(), DbError> {
    for ids in ids.chunks(AT_ONCE) {
        sql!(&mut *conn, c => {
            // Ids are unique across kinds. With the kind as another condition, PostgreSQL would read all terms of that kind while its
            // statistics lag behind a growing table.
            let mut query = sqlx::QueryBuilder::new("DELETE FROM search_terms WHERE subject_id IN (");
            let mut list = query.separated(", ");
            for id in ids {
                list.push_bind(*id);
            }
            query.push(")").build().execute(c).await.map(drop)
        })?;
    }
    Ok(())
}

/// Inserts the terms of records that have none.
pub async fn insert_terms(conn: &mut Conn<'_>, kind: Kind, things: &[(Uuid, BTreeSet<String>)]) -> Result<(), DbError> {
    // One statement for any number of rows, which PostgreSQL has prepared; SQLite has no arrays.
    const ARRAYS: &str =
        "INSERT INTO search_terms (kind, term, subject_id) SELECT $1, * FROM UNNEST($2::TEXT[], $3::UUID[])";
    const ROWS: &str = "INSERT INTO search_terms (kind, term, subject_id) ";
    let rows: Vec<(Uuid, &str)> =
        things.iter().flat_map(|(id, terms)| terms.iter().map(move |term| (*id, term.as_str()))).collect();
    for rows in rows.chunks(AT_ONCE) {
        match &mut *conn {
            Conn::Postgres(c) => {
                let (ids, terms): (Vec<Uuid>, Vec<&str>) = rows.iter().copied().unzip();
                c.run(sqlx::query(ARRAYS).bind(kind.text()).bind(terms).bind(ids)).await?;
            }
            conn => sql!(conn, c => sqlx::QueryBuilder::new(ROWS)
                .push_values(rows, |mut row, (id, term)| {
                    row.push_bind(kind.text()).push_bind(*term).push_bind(*id);
                })
                .build().execute(c).await.map(drop))?,
        }
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

/// How far the terms of older records have been written.
#[derive(Debug, FromRow)]
pub struct Fill {
    /// The last record that was looked at.
    pub after_id: Uuid,
    pub is_done: bool,
}

/// The name under which a kind's progress is stored. Orders and customers have new names so that they are filled again: at first they had
/// their phone numbers in the notation of the buyer alone. So have products, since at first they lost the SKUs of many variants. Nodes of a
/// former release go by the former names.
fn fill_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Order => "order with digits of phones",
        Kind::Product => "product with all SKUs",
        Kind::Customer => "customer with digits of phone",
        Kind::Draft => kind.text(),
    }
}

pub async fn find_fill(conn: &mut Conn<'_>, kind: Kind) -> Result<Fill, DbError> {
    const SQL: &str = "SELECT after_id, is_done FROM search_term_fills WHERE kind = $1";
    let found = sql!(conn, c => sqlx::query_as::<_, Fill>(SQL).bind(fill_name(kind)).fetch_optional(c).await)?;
    Ok(found.unwrap_or(Fill { after_id: Uuid::nil(), is_done: false }))
}

pub async fn put_fill(conn: &mut Conn<'_>, kind: Kind, fill: &Fill) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO search_term_fills (kind, after_id, is_done) VALUES ($1, $2, $3)
        ON CONFLICT (kind) DO UPDATE SET after_id = excluded.after_id, is_done = excluded.is_done";
    sql!(conn, c => sqlx::query(SQL).bind(fill_name(kind)).bind(fill.after_id).bind(fill.is_done).execute(c).await
        .map(drop))?;
    Ok(())
}

/// The next records by id, each with whether it should be searchable but has no terms, or not all of them.
pub async fn list_next(conn: &mut Conn<'_>, kind: Kind, after: Uuid, limit: i64) -> Result<Vec<(Uuid, bool)>, DbError> {
    const HAS_PHONE: &str = "s.phone <> ''";
    // The JSON of an `Address`.
    const HAS_PHONES: &str =
        "s.phone <> '' OR s.address LIKE '%\"phone\":\"%' AND s.address NOT LIKE '%\"phone\":\"\"%'";
    // Whether it is to be found, and whether it has a phone number, whose digits it may lack.
    let (table, is_found, has_phone) = match kind {
        Kind::Order => ("orders", "TRUE", HAS_PHONES),
        Kind::Product => ("products", "TRUE", "FALSE"),
        Kind::Customer => ("users", "s.deleted_at IS NULL", HAS_PHONE),
        Kind::Draft => ("draft_orders", "TRUE", "FALSE"),
    };
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT s.id, {is_found} AND ({has_phone}
            OR (SELECT COUNT(*) FROM search_terms t WHERE t.subject_id = s.id AND t.kind = $2) IN (0, {FORMER_MAX_TERMS}))
            AS is_missing
         FROM {table} s WHERE s.id > $1 ORDER BY s.id LIMIT $3"
    ));
    Ok(sql!(conn, c => sqlx::query_as(sql).bind(after).bind(kind.text()).bind(limit).fetch_all(c).await)?)
}
