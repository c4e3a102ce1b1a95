//! In-memory search and lists over the whole catalog: words with typo tolerance, facets, sorting, pages, suggestions.
//!
//! The index is built from the database in one pass and never changed: every node builds its own at start and a new one when the catalog
//! changes, so answers do not depend on the database. Why there is no search engine: `docs/decisions/002-search.md`.

mod columns;
mod matching;
mod model;
mod postings;
#[cfg(test)]
mod tests;
mod vocabulary;
mod words;

use std::cmp::Ordering;

use self::columns::{Columns, Filtered};
use self::matching::{Found, Matcher};
pub use self::model::{FacetCounts, SearchDocument, SearchError, SearchQuery, SearchResult, Sort, Suggestions};

/// An immutable index of a catalog.
#[derive(Debug)]
pub struct SearchIndex {
    matcher: Matcher,
    columns: Columns,
}

impl SearchIndex {
    /// # Errors
    /// Fails if there are more than four billion products.
    pub fn build(mut documents: Vec<SearchDocument>) -> Result<Self, SearchError> {
        if u32::try_from(documents.len()).is_err() {
            return Err(SearchError::TooManyProducts(documents.len()));
        }
        // A product's number is its position by id, so that numbers break ties in a stable order.
        documents.sort_by_key(|document| document.id);
        Ok(Self { matcher: Matcher::build(&documents), columns: Columns::build(documents) })
    }

    pub fn search(&self, query: &SearchQuery) -> Result<SearchResult, SearchError> {
        let words = words::of_query(query.text.as_deref().unwrap_or_default());
        if words.is_empty() {
            let filtered = self.columns.filter(query, 0..self.columns.len());
            return Ok(self.result(query, filtered, None, |a, b| self.columns.compare(query.sort, a, b)));
        }
        let found = self.matcher.find(&words);
        let best = found.products().min_by(|a, b| self.by_relevance(&found, *a, *b));
        let did_you_mean = best.and_then(|best| found.correction(best));
        let filtered = self.columns.filter(query, found.products());
        Ok(match query.sort {
            Sort::Relevance => self.result(query, filtered, did_you_mean, |a, b| self.by_relevance(&found, a, b)),
            sort => self.result(query, filtered, did_you_mean, |a, b| self.columns.compare(sort, a, b)),
        })
    }

    /// Completes what has been typed so far: at most `limit` products and as many texts.
    pub fn suggest(&self, text: &str, limit: usize) -> Result<Suggestions, SearchError> {
        let words = words::of_query(text);
        if words.is_empty() {
            return Ok(Suggestions::default());
        }
        let found = self.matcher.find(&words);
        let products = page(found.products().collect(), 0, limit, |a, b| self.by_relevance(&found, a, b));
        let terms = products.first().map(|best| found.completions(*best, limit)).unwrap_or_default();
        Ok(Suggestions { products: products.into_iter().map(|product| self.columns.id(product)).collect(), terms })
    }

    fn result(
        &self,
        query: &SearchQuery,
        filtered: Filtered,
        did_you_mean: Option<String>,
        compare: impl Fn(usize, usize) -> Ordering,
    ) -> SearchResult {
        let Filtered { hits, facets, price_range } = filtered;
        let total = hits.len();
        let page = page(hits, query.offset, query.limit, compare);
        let ids = page.into_iter().map(|product| self.columns.id(product)).collect();
        SearchResult { ids, total, facets, price_range, did_you_mean }
    }

    fn by_relevance(&self, found: &Found<'_>, a: usize, b: usize) -> Ordering {
        let relevance = |product| found.score_of(product) * self.columns.boost(product);
        relevance(b).total_cmp(&relevance(a))
    }
}

/// One page of the products in order. Only the part needed for the page is sorted.
fn page(
    mut products: Vec<usize>,
    offset: usize,
    limit: usize,
    compare: impl Fn(usize, usize) -> Ordering,
) -> Vec<usize> {
    let order = |a: &usize, b: &usize| compare(*a, *b).then(a.cmp(b));
    let end = offset.saturating_add(limit);
    if end < products.len() {
        products.select_nth_unstable_by(end, order);
        products.truncate(end);
    }
    products.sort_unstable_by(order);
    products.drain(..offset.min(products.len()));
    products
}
