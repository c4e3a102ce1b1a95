//! In-memory search and lists over the whole catalog: words with typo tolerance, facets, sorting, pages, suggestions.
//!
//! The index is built from the database when a node starts. After a change a new one is derived from it, which shares what has not changed
//! and answers exactly as one that is built anew, so answers depend neither on the database nor on the node. Why there is no search engine:
//! `docs/decisions/002-search.md`.

mod columns;
mod labels;
mod matching;
mod model;
mod order;
mod postings;
mod terms;
#[cfg(test)]
mod tests;
mod vocabulary;
mod weighing;
pub(super) mod words;

use std::sync::{Arc, LazyLock};

use imbl::HashMap;
use tokio::task::{JoinError, spawn_blocking};
use uuid::Uuid;

use self::columns::{Columns, Filtered};
use self::matching::{Found, Matcher};
pub use self::model::{FacetCounts, SearchDocument, SearchError, SearchQuery, SearchResult, Sort, Suggestions};
use self::order::page;
pub use self::words::sort_key;

/// Lists of words are written once for so many products. All at once would need the memory of a second index.
const AT_ONCE: usize = 10_000;

/// An immutable index of a catalog. Cheap to clone.
#[derive(Clone, Debug)]
pub struct SearchIndex {
    /// A product keeps its number while it is in the index; the number of one that leaves is not used again.
    numbers: HashMap<Uuid, u32>,
    matcher: Arc<LazyLock<Matcher, Making>>,
    columns: Columns,
}

type Making = Box<dyn FnOnce() -> Matcher + Send>;

impl Default for SearchIndex {
    fn default() -> Self {
        let matcher = Arc::new(LazyLock::new(Box::new(Matcher::default) as Making));
        Self { numbers: HashMap::default(), matcher, columns: Columns::default() }
    }
}

impl SearchIndex {
    /// # Errors
    /// Fails if there are more than four billion products.
    pub fn build(mut documents: Vec<SearchDocument>) -> Result<Self, SearchError> {
        documents.sort_by_key(|document| document.id);
        Self::default().with(documents.into_iter().map(|document| (document.id, Some(document))))
    }

    /// The index after these products have changed; those without a document are not in it. Of the first products the words are not read
    /// yet, which takes most of the time: until [`Self::completed`] is called, or somebody searches, there are only lists.
    ///
    /// # Errors
    /// Fails if there have been more than four billion products.
    pub fn with(
        &self,
        products: impl IntoIterator<Item = (Uuid, Option<SearchDocument>)>,
    ) -> Result<Self, SearchError> {
        let mut index = self.clone();
        let mut changes = Vec::new();
        let mut next = self.columns.numbers();
        for (id, document) in products {
            let number = match (index.numbers.get(&id).copied(), &document) {
                (Some(number), Some(_)) => number,
                (Some(number), None) => {
                    index.numbers.remove(&id);
                    number
                }
                (None, Some(_)) => {
                    let number = u32::try_from(next).map_err(|_| SearchError::TooManyProducts(next))?;
                    next += 1;
                    index.numbers.insert(id, number);
                    number
                }
                (None, None) => continue,
            };
            changes.push((number, document));
        }
        if changes.is_empty() {
            return Ok(index);
        }
        changes.sort_unstable_by_key(|(number, _)| *number);
        index.columns.update(&changes);
        let former = Arc::clone(&self.matcher);
        let making = move || {
            let mut matcher = Matcher::clone(&former);
            for changes in changes.chunks(AT_ONCE) {
                matcher.update(changes);
            }
            matcher
        };
        index.matcher = Arc::new(LazyLock::new(Box::new(making)));
        if !self.numbers.is_empty() {
            index.complete();
        }
        Ok(index)
    }

    /// Reads the words of products, unless that is done.
    pub fn complete(&self) {
        LazyLock::force(&self.matcher);
    }

    /// Waits until the words of products are read. To be called before a text is searched for: until then that would stop the thread, and with
    /// it whatever else is done on it.
    ///
    /// # Errors
    /// Fails if they cannot be read.
    pub async fn completed(&self) -> Result<(), JoinError> {
        if LazyLock::get(&self.matcher).is_some() {
            return Ok(());
        }
        let index = self.clone();
        spawn_blocking(move || index.complete()).await
    }

    pub fn search(&self, query: &SearchQuery) -> Result<SearchResult, SearchError> {
        let words = words::of_query(query.text.as_deref().unwrap_or_default());
        if words.is_empty() {
            let all = (0..self.columns.numbers()).map(|product| (product, 0.0));
            return Ok(self.result(query, self.columns.filter(query, all), None));
        }
        let found = self.matcher.find(&words);
        let did_you_mean = found.is_corrected().then(|| self.best(&found, 1)).and_then(|best| {
            let best = best.first()?;
            found.correction(*best)
        });
        Ok(self.result(query, self.columns.filter(query, found.products()), did_you_mean))
    }

    /// Completes what has been typed so far: at most `limit` products and as many texts.
    pub fn suggest(&self, text: &str, limit: usize) -> Result<Suggestions, SearchError> {
        let words = words::of_query(text);
        if words.is_empty() {
            return Ok(Suggestions::default());
        }
        let found = self.matcher.find(&words);
        let products = self.best(&found, limit);
        let terms = products.first().map(|best| found.completions(*best, limit)).unwrap_or_default();
        Ok(Suggestions { products: self.ids(products), terms })
    }

    /// The numbers of the best matches.
    fn best(&self, found: &Found<'_>, limit: usize) -> Vec<u32> {
        let places = self.columns.by_relevance(found.products());
        let best = page(places, 0, limit, |a, b| self.columns.order(Sort::Relevance, a, b));
        best.into_iter().map(|place| place.product).collect()
    }

    fn result(&self, query: &SearchQuery, filtered: Filtered, did_you_mean: Option<String>) -> SearchResult {
        let Filtered { hits, facets, price_range } = filtered;
        let total = hits.len();
        let page = page(hits, query.offset, query.limit, |a, b| self.columns.order(query.sort, a, b));
        let ids = self.ids(page.into_iter().map(|place| place.product));
        SearchResult { ids, total, facets, price_range, did_you_mean }
    }

    fn ids(&self, products: impl IntoIterator<Item = u32>) -> Vec<Uuid> {
        products.into_iter().filter_map(|product| self.columns.id(product)).collect()
    }
}
