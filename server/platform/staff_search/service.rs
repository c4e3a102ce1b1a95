//! Updates the terms of a record, in the transaction that changes it.

use shop_base::context::Context;
use shop_base::db::list::{Condition, Filter, Found, Value};
use shop_base::db::{Conn, DbError};
use shop_base::fields::tidy_phone;
use shop_base::phone::ten_digits;
use uuid::Uuid;

use super::model::{Kind, terms, words};
use super::store;

/// More words do not narrow the result further.
const MAX_TYPED: usize = 6;
/// The ids of a word are collected, unless more records than this have it.
const COLLECTED: i64 = 50_000;

/// Replaces the terms of a record by the words of these texts.
pub async fn put(conn: &mut Conn<'_>, kind: Kind, id: Uuid, texts: &[&str]) -> Result<(), DbError> {
    put_all(conn, kind, &[(id, texts.to_vec())]).await
}

/// Replaces the terms of each record by the words of its texts.
pub async fn put_all(conn: &mut Conn<'_>, kind: Kind, things: &[(Uuid, Vec<&str>)]) -> Result<(), DbError> {
    let ids: Vec<Uuid> = things.iter().map(|(id, _)| *id).collect();
    store::delete_all_terms(conn, &ids).await?;
    add_all(conn, kind, things).await
}

/// Adds the words of the texts of new records, which have no terms.
pub async fn add_all(conn: &mut Conn<'_>, kind: Kind, things: &[(Uuid, Vec<&str>)]) -> Result<(), DbError> {
    let terms: Vec<_> = things.iter().map(|(id, texts)| (*id, terms(texts.iter().copied()))).collect();
    store::insert_terms(conn, kind, &terms).await
}

/// Deletes its terms: it can no longer be found.
pub async fn remove(conn: &mut Conn<'_>, kind: Kind, id: Uuid) -> Result<(), DbError> {
    store::delete_terms(conn, kind, id).await
}

/// How a list finds the rows that have a word. In both statements `?` stand for the kind of the terms, the word, and the end of those that
/// begin with it.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    pub column: &'a str,
    /// Selects the values of the column that have the word.
    pub set: &'a str,
    /// Whether a row has it.
    pub question: &'a str,
}

/// Adds the condition that each typed word begins a term of the row with this id.
pub async fn narrow(
    conn: &mut Conn<'_>,
    filter: &mut Filter,
    kind: Kind,
    id: &str,
    typed: &str,
) -> Result<(), DbError> {
    let set = "SELECT subject_id FROM search_terms WHERE kind = ? AND term >= ? AND term < ?";
    let question = format!(
        "EXISTS (SELECT 1 FROM search_terms t WHERE t.subject_id = {id} AND t.kind = ? AND t.term >= ? AND t.term < ?)"
    );
    narrow_by(conn, filter, kind, Search { column: id, set, question: &question }, typed).await
}

/// As [`narrow`], for rows that have the words in another way.
pub async fn narrow_by(
    conn: &mut Conn<'_>,
    filter: &mut Filter,
    kind: Kind,
    Search { column, set, question }: Search<'_>,
    typed: &str,
) -> Result<(), DbError> {
    let typed_words = words(typed);
    // Those that a former release has written, or that are not filled in yet, have only the words of their phone numbers.
    let digits = ten_digits(&tidy_phone(typed)).filter(|digits| !typed_words.iter().eq([digits]));
    let digits = digits.map(|digits| {
        let end = end_of(&digits);
        vec![Value::from(kind.text()), Value::from(digits), Value::from(end)]
    });
    let or_digits = |condition: &str, (words, values): Condition| match &digits {
        Some(range) => (format!("({condition} OR {words})"), [range.clone(), values].concat()),
        None => (words, values),
    };
    let (mut asked, mut sets, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for word in typed_words.into_iter().take(MAX_TYPED) {
        let end = end_of(&word);
        let count = store::count_subjects(conn, kind, (&word, &end), COLLECTED).await?;
        let range = vec![Value::from(kind.text()), Value::from(word), Value::from(end)];
        if count < COLLECTED {
            sets.push((set.to_owned(), range.clone()));
        } else {
            rest.push((question.to_owned(), range.clone()));
        }
        asked.push((question.to_owned(), range));
    }
    if asked.is_empty() {
        return Ok(());
    }
    let of_many = or_digits(question, joined(asked, " AND "));
    if sets.is_empty() {
        filter.and(&of_many.0, of_many.1);
        return Ok(());
    }
    // Beside another condition, PostgreSQL looks up by an index only what is in an array.
    let is_array = digits.is_some() && matches!(conn, Conn::Postgres(_));
    let among = |set: &str| match is_array {
        true => format!("{column} = ANY(ARRAY({set}))"),
        false => format!("{column} IN ({set})"),
    };
    let with_digits = among(set);
    let is_intersection = sets.len() > 1;
    let (set, values) = joined(sets, " INTERSECT ");
    let listed = among(&set);
    // PostgreSQL misjudges how many rows the search finds; it assumes that an array is small, and collects it.
    let collected = match conn {
        Conn::Postgres(_) if !is_array => format!("{column} IN (SELECT unnest(ARRAY({set})))"),
        _ => listed.clone(),
    };
    let with_rest = |found: String| {
        let parts = std::iter::once((found, values.clone())).chain(rest.clone());
        or_digits(&with_digits, joined(parts.collect(), " AND "))
    };
    filter.and_found(Found {
        to_count: with_rest(if is_intersection { collected.clone() } else { listed }),
        of_few: with_rest(collected),
        of_many,
    });
    Ok(())
}

/// The end of the terms that begin with a word.
fn end_of(word: &str) -> String {
    format!("{word}\u{10FFFF}")
}

fn joined(parts: Vec<Condition>, by: &str) -> Condition {
    let (texts, values): (Vec<String>, Vec<Vec<Value>>) = parts.into_iter().unzip();
    (texts.join(by), values.concat())
}

/// Writes with `put` the terms of all records that lack some because they are older than the terms, or than what these are now. Its
/// progress is stored, so it runs to completion once. Other records are skipped without a write transaction, and write transactions are
/// short.
pub async fn fill(
    cx: &Context,
    kind: Kind,
    put: impl AsyncFn(&mut Conn<'_>, Uuid) -> Result<(), DbError>,
) -> Result<(), DbError> {
    const READ_AT_ONCE: i64 = 1_000;
    const WRITTEN_AT_ONCE: usize = 20;
    loop {
        let mut reader = cx.db.read().await?;
        let mut conn = reader.conn();
        let fill = store::find_fill(&mut conn, kind).await?;
        if fill.is_done {
            return Ok(());
        }
        let next = store::list_next(&mut conn, kind, fill.after_id, READ_AT_ONCE).await?;
        drop(reader);
        let missing: Vec<Uuid> = next.iter().filter(|(_, is_missing)| *is_missing).map(|(id, _)| *id).collect();
        for ids in missing.chunks(WRITTEN_AT_ONCE) {
            let mut tx = cx.db.begin().await?;
            let mut conn = tx.conn();
            for id in ids {
                put(&mut conn, *id).await?;
            }
            tx.commit().await?;
        }
        let after_id = next.last().map_or(fill.after_id, |(id, _)| *id);
        let mut tx = cx.db.begin().await?;
        store::put_fill(&mut tx.conn(), kind, &store::Fill { after_id, is_done: next.is_empty() }).await?;
        tx.commit().await?;
    }
}
