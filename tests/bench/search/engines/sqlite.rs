//! SQLite FTS5: BM25 over stemmed columns; if nothing matches all words, the trigram index finds similar ones.

use rusqlite::Connection;

use super::{sql, Engine, words};
use super::sql::Row;
use crate::Failure;
use crate::search::{SearchDocument, SearchQuery, SearchResult};

/// Maximum number of similar products from the trigram index; without a limit, half of the catalog shares a trigram.
const MAX_SIMILAR: usize = 500;

pub struct Sqlite(Connection);

impl Sqlite {
    pub fn build(products: &[SearchDocument]) -> Result<Self, Failure> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch(sql::TABLES)?;
        connection.execute_batch(
            "create virtual table words using fts5(title, category, attributes, subtitle, description, sku,
                 tokenize = 'porter unicode61 remove_diacritics 2', prefix = '2 3');
             create virtual table names using fts5(name, tokenize = 'trigram remove_diacritics 1');
             begin",
        )?;
        for (number, product) in products.iter().enumerate() {
            connection.execute_batch(&sql::inserts(number, product))?;
            let rowid = i64::try_from(number)?;
            let category = format!("{} {}", product.category_name, product.categories.join(" "));
            let attributes = [product.materials.as_slice(), &product.colors].concat().join(" ");
            let codes: Vec<String> = product.skus.iter().map(|sku| words::of_code(sku)).collect();
            connection
                .prepare_cached(
                    "insert into words (rowid, title, category, attributes, subtitle, description, sku)
                values (?, ?, ?, ?, ?, ?, ?)",
                )?
                .execute((
                    rowid,
                    &product.title,
                    &category,
                    &attributes,
                    &product.subtitle,
                    &product.description,
                    codes.join(" "),
                ))?;
            let name = format!("{} {} {attributes}", product.title, product.category_name);
            connection.prepare_cached("insert into names (rowid, name) values (?, ?)")?.execute((rowid, name))?;
        }
        connection.execute_batch(
            "commit; insert into words (words) values ('optimize'); insert into names (names) values ('optimize'); analyze",
        )?;
        Ok(Self(connection))
    }

    fn run(&self, query: &SearchQuery, matching: Option<&str>) -> Result<SearchResult, Failure> {
        let mut statement = self.0.prepare(&sql::statement(query, matching))?;
        let row = |row: &rusqlite::Row<'_>| {
            Ok(Row { kind: row.get(0)?, value: row.get(1)?, count: row.get::<_, Option<i64>>(2)?.unwrap_or(0) })
        };
        Ok(sql::result(statement.query_map([], row)?.collect::<Result<_, _>>()?)?)
    }
}

impl Engine for Sqlite {
    fn search(&mut self, query: &SearchQuery) -> Result<SearchResult, Failure> {
        let words = words::of_query(query.text.as_deref().unwrap_or_default());
        if words.is_empty() {
            return self.run(query, None);
        }
        let last = words.len() - 1;
        let all: Vec<String> = words
            .iter()
            .enumerate()
            .map(|(at, word)| {
                let unfinished = if at == last { "*" } else { "" };
                let mut ways = vec![format!("\"{word}\"{unfinished}")];
                ways.extend(words::synonyms(&words::stem(word)).map(|synonym| format!("\"{synonym}\"")));
                format!("({})", ways.join(" OR "))
            })
            .collect();
        let expression = format!("({}) OR sku : \"{}\"*", all.join(" AND "), words.concat());
        let exact = format!(
            "select rowid as product, -bm25(words, 10.0, 5.0, 3.0, 1.5, 1.0, 10.0) as score from words where words match {}",
            sql::quoted(&expression)
        );
        let found = self.run(query, Some(&exact))?;
        if found.total > 0 {
            return Ok(found);
        }
        let trigrams: Vec<String> = words
            .iter()
            .flat_map(|word| {
                let chars: Vec<char> = word.chars().collect();
                chars.windows(3).map(|window| format!("\"{}\"", window.iter().collect::<String>())).collect::<Vec<_>>()
            })
            .collect();
        if trigrams.is_empty() {
            return Ok(found);
        }
        let similar = format!(
            "select rowid as product, -rank as score from names where names match {} order by rank limit {MAX_SIMILAR}",
            sql::quoted(&trigrams.join(" OR "))
        );
        self.run(query, Some(&similar))
    }
}
