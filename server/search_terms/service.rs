//! Keeping the terms of a thing, in the transaction that changes it.

use uuid::Uuid;

use super::model::{Kind, terms};
use super::store;
use crate::app::App;
use crate::db::list::{Filter, Value};
use crate::db::{Conn, DbError};
use crate::{catalog, drafts, identity, orders};

/// More words than these narrow nothing down.
const MAX_TYPED: usize = 6;
/// A word that fewer things have is rare: things with all rare words are collected, and the list is made of them. The other words are
/// looked up for each of its rows.
const RARE: i64 = 20_000;

/// Makes the words of these texts the terms of a thing.
pub async fn put(conn: &mut Conn<'_>, kind: Kind, id: Uuid, texts: &[&str]) -> Result<(), DbError> {
    store::replace_terms(conn, kind, id, &terms(texts.iter().copied())).await
}

/// Nobody finds it any more.
pub async fn remove(conn: &mut Conn<'_>, kind: Kind, id: Uuid) -> Result<(), DbError> {
    store::delete_terms(conn, kind, id).await
}

/// Adds that every word of what was typed begins a term of the row with this id.
pub async fn narrow(
    conn: &mut Conn<'_>,
    filter: &mut Filter,
    kind: Kind,
    id: &str,
    typed: &str,
) -> Result<(), DbError> {
    let (mut rare, mut values) = (Vec::new(), Vec::new());
    for word in terms([typed]).into_iter().take(MAX_TYPED) {
        let end = format!("{word}\u{10FFFF}");
        let count = store::count_subjects(conn, kind, (&word, &end), RARE).await?;
        let range = [Value::from(kind.text()), Value::from(word), Value::from(end)];
        if count < RARE {
            rare.push("SELECT subject_id FROM search_terms WHERE kind = ? AND term >= ? AND term < ?");
            values.extend(range);
        } else {
            let sql = format!(
                "EXISTS (SELECT 1 FROM search_terms t WHERE t.subject_id = {id} AND t.kind = ? AND t.term >= ? AND t.term < ?)"
            );
            filter.and(&sql, range);
        }
    }
    if !rare.is_empty() {
        filter.and(&format!("{id} IN ({})", rare.join(" INTERSECT ")), values);
    }
    Ok(())
}

/// Writes the terms of all that have none, from before there were any; some at a time, so that nobody waits for it.
pub async fn fill(app: &App, kind: Kind) -> Result<(), DbError> {
    const AT_ONCE: i64 = 100;
    let mut after = Uuid::nil();
    loop {
        let mut tx = app.db.begin().await?;
        let mut conn = tx.conn();
        let missing = store::list_without_terms(&mut conn, kind, after, AT_ONCE).await?;
        let Some(last) = missing.last() else { return Ok(()) };
        after = *last;
        for id in missing {
            match kind {
                Kind::Order => orders::service::put_terms(&mut conn, id).await?,
                Kind::Product => catalog::desk::service::put_terms(&mut conn, id).await?,
                Kind::Customer => identity::service::put_terms(&mut conn, id).await?,
                Kind::Draft => drafts::service::put_terms(&mut conn, id).await?,
            }
        }
        tx.commit().await?;
    }
}
