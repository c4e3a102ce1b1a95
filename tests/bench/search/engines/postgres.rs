//! PostgreSQL: a weighted `tsvector` with a GIN index; if nothing matches all words, `pg_trgm`'s word similarity.

use postgres::{Client, NoTls};

use super::{sql, Engine, words};
use super::sql::Row;
use crate::Failure;
use crate::search::{SearchDocument, SearchQuery, SearchResult};

/// The minimum similarity between a part of a name and a typed word.
const SIMILARITY: f32 = 0.45;

pub struct Postgres(Client);

impl Postgres {
    pub fn build(products: &[SearchDocument]) -> Result<Self, Failure> {
        let mut client = Client::connect(&std::env::var("DATABASE_URL")?, NoTls)?;
        client.batch_execute("drop schema public cascade; create schema public; create extension pg_trgm")?;
        client.batch_execute(sql::TABLES)?;
        client.batch_execute(
            "create table words (product integer primary key, document tsvector not null, name text not null)",
        )?;
        let insert = client.prepare(
            "insert into words values ($1,
                 setweight(to_tsvector('english', $2), 'A') || setweight(to_tsvector('simple', $3), 'A')
                 || setweight(to_tsvector('english', $4), 'B') || setweight(to_tsvector('english', $5), 'C')
                 || setweight(to_tsvector('english', $6), 'D'), $7)",
        )?;
        let mut transaction = client.transaction()?;
        for (number, product) in products.iter().enumerate() {
            transaction.batch_execute(&sql::inserts(number, product))?;
            let codes: Vec<String> = product.skus.iter().map(|sku| words::of_code(sku)).collect();
            let category = format!("{} {}", product.category_name, product.categories.join(" "));
            let attributes = [product.materials.as_slice(), &product.colors].concat().join(" ");
            let text = format!("{} {}", product.subtitle, product.description);
            let name = format!("{} {} {attributes}", product.title, product.category_name).to_lowercase();
            let number = i32::try_from(number)?;
            transaction
                .execute(&insert, &[&number, &product.title, &codes.join(" "), &category, &attributes, &text, &name])?;
        }
        transaction.commit()?;
        client.batch_execute(
            "create index words_document on words using gin (document);
             create index words_name on words using gin (name gin_trgm_ops); analyze",
        )?;
        client.batch_execute(&format!("set pg_trgm.word_similarity_threshold = {SIMILARITY}; set jit = off"))?;
        Ok(Self(client))
    }

    fn run(&mut self, query: &SearchQuery, matching: Option<&str>) -> Result<SearchResult, Failure> {
        let rows = self.0.query(&sql::statement(query, matching), &[])?;
        let rows = rows.into_iter().map(|row| Row {
            kind: row.get(0),
            value: row.get(1),
            count: row.get::<_, Option<i64>>(2).unwrap_or(0),
        });
        Ok(sql::result(rows.collect())?)
    }
}

impl Engine for Postgres {
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
                let unfinished = if at == last { ":*" } else { "" };
                let mut ways = vec![format!("{word}{unfinished}")];
                ways.extend(words::synonyms(&words::stem(word)).map(str::to_owned));
                format!("({})", ways.join(" | "))
            })
            .collect();
        let expression = sql::quoted(&format!("({}) | {}:*", all.join(" & "), words.concat()));
        let exact = format!(
            "select product, ts_rank('{{0.1, 0.3, 0.5, 1.0}}', document, to_tsquery('english', {expression}), 1) as score
             from words where document @@ to_tsquery('english', {expression})"
        );
        let found = self.run(query, Some(&exact))?;
        if found.total > 0 {
            return Ok(found);
        }
        let words: Vec<String> = words.iter().map(|word| sql::quoted(word)).collect();
        let similarity: Vec<String> = words.iter().map(|word| format!("word_similarity({word}, name)")).collect();
        let similar = |glue: &str| {
            let each: Vec<String> = words.iter().map(|word| format!("{word} <% name")).collect();
            format!("select product, {} as score from words where {}", similarity.join(" + "), each.join(glue))
        };
        let found = self.run(query, Some(&similar(" and ")))?;
        if found.total > 0 {
            return Ok(found);
        }
        self.run(query, Some(&similar(" or ")))
    }
}
