//! SQL of columns whose values are encrypted.

use shop_base::db::{Db, DbError};
use shop_base::sql;
use sqlx::{AssertSqlSafe, query, query_as};
use uuid::Uuid;

const AT_ONCE: i64 = 500;

/// Its values are bound to the `id` of their row.
pub struct Column {
    pub table: &'static str,
    pub name: &'static str,
}

/// A value that is encrypted anew.
pub struct Renewed<'a> {
    pub id: Uuid,
    pub from: &'a [u8],
    pub to: Vec<u8>,
}

/// The next values, by id.
pub async fn list(db: &Db, column: &Column, after: Uuid) -> Result<Vec<(Uuid, Vec<u8>)>, DbError> {
    let Column { table, name } = column;
    let sql = AssertSqlSafe(format!(
        "SELECT id, {name} FROM {table} WHERE id > $1 AND {name} IS NOT NULL ORDER BY id LIMIT $2"
    ));
    let mut reader = db.read().await?;
    Ok(sql!(&mut reader.conn(), c => query_as(sql).bind(after).bind(AT_ONCE).fetch_all(c).await)?)
}

/// In one transaction. A value that has changed meanwhile was encrypted by a running shop.
pub async fn replace(db: &Db, column: &Column, values: &[Renewed<'_>]) -> Result<(), DbError> {
    let Column { table, name } = column;
    let mut tx = db.begin().await?;
    for Renewed { id, from, to } in values {
        let sql = AssertSqlSafe(format!("UPDATE {table} SET {name} = $3 WHERE id = $1 AND {name} = $2"));
        sql!(&mut tx.conn(), c => query(sql).bind(*id).bind(*from).bind(to.as_slice()).execute(c).await.map(drop))?;
    }
    tx.commit().await
}
