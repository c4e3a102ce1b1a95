//! The candidates. Each is used as its documentation recommends for a shop, with the same words, stop words and synonyms.

#[cfg(feature = "embedded")]
mod embedded;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod sql;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(feature = "tantivy")]
mod tantivy;
#[allow(dead_code, clippy::duplicate_mod, reason = "the candidates use some of the embedded index's words")]
#[path = "../../../../server/domain/catalog/search/words.rs"]
mod words;

use crate::Failure;
use crate::search::{SearchDocument, SearchQuery, SearchResult};

pub trait Engine {
    fn search(&mut self, query: &SearchQuery) -> Result<SearchResult, Failure>;

    /// Typeahead; false if it is not implemented for this candidate.
    fn suggest(&mut self, _text: &str) -> Result<bool, Failure> {
        Ok(false)
    }

    /// The time for taking changed products into account, which are then forgotten; false if it is not implemented for this candidate.
    fn update(&mut self, _products: &[SearchDocument]) -> Result<bool, Failure> {
        Ok(false)
    }
}

pub fn build(name: &str, products: &[SearchDocument]) -> Result<Box<dyn Engine>, Failure> {
    Ok(match name {
        #[cfg(feature = "embedded")]
        "embedded" => Box::new(embedded::Embedded::build(products)?),
        #[cfg(feature = "tantivy")]
        "tantivy" => Box::new(tantivy::Tantivy::build(products)?),
        #[cfg(feature = "sqlite")]
        "sqlite" => Box::new(sqlite::Sqlite::build(products)?),
        #[cfg(feature = "postgres")]
        "postgres" => Box::new(postgres::Postgres::build(products)?),
        _ => return Err(format!("no engine {name}").into()),
    })
}
