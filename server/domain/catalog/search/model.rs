//! What is searched, for what, and what is found.

use uuid::Uuid;

use crate::catalog::model::Availability;

/// Why an index could not be made.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    #[error("{0} products are more than the index can number")]
    TooManyProducts(usize),
}

/// A product as it is found, filtered and sorted.
#[derive(Clone, Debug)]
pub struct SearchDocument {
    pub id: Uuid,
    pub title: String,
    pub subtitle: String,
    pub description: String,
    pub category_name: String,
    /// Slugs: the product's own category and all above it.
    pub categories: Vec<String>,
    pub materials: Vec<String>,
    pub colors: Vec<String>,
    pub skus: Vec<String>,
    /// The lowest of the variants', in minor units.
    pub price: i64,
    pub on_sale: bool,
    pub availability: Availability,
    /// UTC milliseconds.
    pub released_at: i64,
    /// Larger is more popular.
    pub popularity: i64,
}

/// The order of a list. Equals are ordered by id, so that pages never overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Best match first; the same as `Featured` without words.
    #[default]
    Relevance,
    /// What can be bought first, then by popularity.
    Featured,
    Newest,
    PriceAsc,
    PriceDesc,
    Name,
}

/// Words and filters. Values of one filter mean any of them; an empty filter lets everything pass.
#[derive(Clone, Debug, Default)]
pub struct SearchQuery {
    /// What a shopper typed. Text without a letter or digit counts as none.
    pub text: Option<String>,
    /// The slug of the category whose page this is; no facet, it narrows everything.
    pub within: Option<String>,
    pub categories: Vec<String>,
    pub materials: Vec<String>,
    pub colors: Vec<String>,
    pub availability: Vec<Availability>,
    pub on_sale: bool,
    /// Minor units, inclusive.
    pub min_price: Option<i64>,
    /// Minor units, inclusive.
    pub max_price: Option<i64>,
    pub sort: Sort,
    pub offset: usize,
    pub limit: usize,
}

/// One page of hits and what the whole list is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchResult {
    pub ids: Vec<Uuid>,
    /// Hits on all pages.
    pub total: usize,
    pub facets: FacetCounts,
    /// Lowest and highest price in minor units of what is found without the price filter.
    pub price_range: Option<(i64, i64)>,
    /// The words that were searched for instead, when no product has the typed ones.
    pub did_you_mean: Option<String>,
}

/// How many hits each option has. A facet's own selection does not shrink its own counts, all the others' does.
/// Options without a hit are left out unless they are selected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FacetCounts {
    /// Most hits first, as are all of these.
    pub categories: Vec<(String, u64)>,
    pub materials: Vec<(String, u64)>,
    pub colors: Vec<(String, u64)>,
    pub availability: Vec<(Availability, u64)>,
    pub on_sale: u64,
}

/// What could be meant by unfinished words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suggestions {
    pub products: Vec<Uuid>,
    /// Completed texts that find something, most hits first.
    pub terms: Vec<String>,
}
