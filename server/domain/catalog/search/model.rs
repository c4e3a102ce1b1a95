//! Input and results of a search.

use std::sync::Arc;

use uuid::Uuid;

use crate::catalog::model::Availability;

/// Why an index could not be built.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    #[error("{0} products are more than the index can number")]
    TooManyProducts(usize),
}

/// A product as indexed, filtered and sorted.
#[derive(Clone, Debug, Hash)]
pub struct SearchDocument {
    pub id: Uuid,
    pub title: String,
    pub subtitle: String,
    pub description: String,
    pub category_name: String,
    /// Slugs of the product's category and all above it.
    pub categories: Vec<String>,
    /// As they are called; lists are filtered by their slugs.
    pub materials: Vec<String>,
    pub colors: Vec<String>,
    pub skus: Vec<String>,
    /// The price on its card, in minor units.
    pub price: i64,
    pub on_sale: bool,
    pub availability: Availability,
    /// UTC milliseconds.
    pub released_at: i64,
    /// Higher is more popular.
    pub popularity: i64,
}

/// The order of a list. Ties are broken by id, so that pages never overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Best match first; the same as `Featured` if there are no words.
    #[default]
    Relevance,
    /// Available products first, then by popularity.
    Featured,
    Newest,
    PriceAsc,
    PriceDesc,
    Name,
}

/// Words and filters. Values of one filter are combined with OR; an empty filter matches everything. Categories, materials and colors are
/// slugs, here as in the result.
#[derive(Clone, Debug, Default)]
pub struct SearchQuery {
    /// The search text. Text without a letter or digit counts as none.
    pub text: Option<String>,
    /// The slug of the category page; not a facet, it restricts everything.
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

/// One page of hits, and counts over the whole list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchResult {
    pub ids: Vec<Uuid>,
    /// The number of hits on all pages.
    pub total: usize,
    pub facets: FacetCounts,
    /// Lowest and highest price in minor units, without the price filter.
    pub price_range: Option<(i64, i64)>,
    /// The words that were used instead, if no product has the typed ones.
    pub did_you_mean: Option<String>,
}

/// The number of hits per option. A facet's counts ignore its own selection, but respect all others. Options without a hit are omitted
/// unless they are selected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FacetCounts {
    /// Most hits first, as in the other lists.
    pub categories: Vec<(Arc<str>, u64)>,
    pub materials: Vec<(Arc<str>, u64)>,
    pub colors: Vec<(Arc<str>, u64)>,
    pub availability: Vec<(Availability, u64)>,
    pub on_sale: u64,
}

/// Suggestions for unfinished words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suggestions {
    pub products: Vec<Uuid>,
    /// Completed texts that have results, most hits first.
    pub terms: Vec<String>,
}
