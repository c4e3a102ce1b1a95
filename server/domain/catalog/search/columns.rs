//! The properties by which lists are filtered, counted and sorted, all in one pass over the hits.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;

use uuid::Uuid;

use super::{FacetCounts, SearchDocument, SearchQuery, Sort};
use crate::catalog::model::Availability;

/// The maximum bonus for popularity, and the factor for products that are out of stock.
const POPULARITY_BOOST: f32 = 0.1;
const OUT_OF_STOCK_FACTOR: f32 = 0.5;

#[derive(Debug, Default)]
pub struct Columns {
    rows: Vec<Row>,
    categories: Labels,
    materials: Labels,
    colors: Labels,
}

#[derive(Debug)]
struct Row {
    id: Uuid,
    categories: Vec<usize>,
    materials: Vec<usize>,
    colors: Vec<usize>,
    price: i64,
    on_sale: bool,
    availability: Availability,
    released_at: i64,
    popularity: i64,
    /// The rank of its title in alphabetical order.
    name: usize,
    boost: f32,
}

/// The result of filtering, with its counts.
#[derive(Debug, Default)]
pub struct Filtered {
    pub hits: Vec<usize>,
    pub facets: FacetCounts,
    pub price_range: Option<(i64, i64)>,
}

/// The filters, as bits in the set of filters that a product fails.
#[derive(Clone, Copy)]
enum Facet {
    Category = 1,
    Material = 2,
    Color = 4,
    Availability = 8,
    OnSale = 16,
    Price = 32,
}

impl Columns {
    pub fn build(documents: Vec<SearchDocument>) -> Self {
        let mut titles: Vec<(String, usize)> =
            documents.iter().enumerate().map(|(at, document)| (document.title.to_lowercase(), at)).collect();
        titles.sort();
        let mut names = vec![0; titles.len()];
        let mut place = 0;
        for (at, (title, product)) in titles.iter().enumerate() {
            // Equal titles share a rank: the id decides.
            if at > 0 && titles[at - 1].0 != *title {
                place += 1;
            }
            names[*product] = place;
        }
        let most_popular = documents.iter().map(|document| document.popularity).max().unwrap_or(0);
        let mut columns = Self::default();
        for (document, name) in documents.into_iter().zip(names) {
            let row = Row {
                id: document.id,
                categories: columns.categories.intern(document.categories),
                materials: columns.materials.intern(document.materials),
                colors: columns.colors.intern(document.colors),
                price: document.price,
                on_sale: document.on_sale,
                availability: document.availability,
                released_at: document.released_at,
                popularity: document.popularity,
                name,
                boost: boost(document.popularity, most_popular, document.availability),
            };
            columns.rows.push(row);
        }
        columns
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn id(&self, product: usize) -> Uuid {
        self.rows[product].id
    }

    /// The factor applied to a product's match score.
    pub fn boost(&self, product: usize) -> f32 {
        self.rows[product].boost
    }

    /// Leaves ties to the caller. `Relevance` is compared like `Featured`, since only a search knows the scores.
    pub fn compare(&self, sort: Sort, a: usize, b: usize) -> Ordering {
        let (a, b) = (&self.rows[a], &self.rows[b]);
        match sort {
            Sort::Relevance | Sort::Featured => {
                let key = |row: &Row| (row.availability == Availability::OutOfStock, Reverse(row.popularity));
                key(a).cmp(&key(b))
            }
            Sort::Newest => b.released_at.cmp(&a.released_at),
            Sort::PriceAsc => a.price.cmp(&b.price),
            Sort::PriceDesc => b.price.cmp(&a.price),
            Sort::Name => a.name.cmp(&b.name),
        }
    }

    /// Filters products and counts the options of every facet.
    pub fn filter(&self, query: &SearchQuery, products: impl Iterator<Item = usize>) -> Filtered {
        let within = query.within.as_ref().map(|slug| self.categories.find(slug));
        let categories = self.categories.select(&query.categories);
        let materials = self.materials.select(&query.materials);
        let colors = self.colors.select(&query.colors);
        let (min_price, max_price) = (query.min_price.unwrap_or(i64::MIN), query.max_price.unwrap_or(i64::MAX));

        let mut counts = Counts::new(self);
        let mut hits = Vec::new();
        for product in products {
            let row = &self.rows[product];
            if within.is_some_and(|slug| slug.is_none_or(|slug| !row.categories.contains(&slug))) {
                continue;
            }
            let mut failed = 0;
            let mut require = |facet: Facet, passes: bool| failed |= if passes { 0 } else { facet as u8 };
            require(Facet::Category, categories.passes(&row.categories));
            require(Facet::Material, materials.passes(&row.materials));
            require(Facet::Color, colors.passes(&row.colors));
            require(
                Facet::Availability,
                query.availability.is_empty() || query.availability.contains(&row.availability),
            );
            require(Facet::OnSale, row.on_sale || !query.on_sale);
            require(Facet::Price, (min_price..=max_price).contains(&row.price));
            if failed == 0 {
                hits.push(product);
            }
            counts.add(row, failed);
        }
        Filtered { hits, price_range: counts.price_range, facets: counts.into_facets(self, query) }
    }
}

fn boost(popularity: i64, most_popular: i64, availability: Availability) -> f32 {
    let share = popularity.max(0) as f32 / most_popular.max(1) as f32;
    let stock = if availability == Availability::OutOfStock { OUT_OF_STOCK_FACTOR } else { 1.0 };
    (1.0 + POPULARITY_BOOST * share) * stock
}

/// The values of a property, with numbers.
#[derive(Debug, Default)]
struct Labels {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
}

/// The selected values of a property, by number; `None` if there is no selection.
struct Selection(Option<Vec<usize>>);

impl Labels {
    fn intern(&mut self, names: Vec<String>) -> Vec<usize> {
        let mut numbers: Vec<usize> = names.into_iter().map(|name| self.number(name)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    fn number(&mut self, name: String) -> usize {
        let next = self.names.len();
        let number = *self.numbers.entry(name.clone()).or_insert(next);
        if number == next {
            self.names.push(name);
        }
        number
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// A value that no product has selects nothing, unlike an empty selection.
    fn select(&self, names: &[String]) -> Selection {
        Selection((!names.is_empty()).then(|| names.iter().filter_map(|name| self.find(name)).collect()))
    }

    /// Most hits first. Values without hits are included only if selected.
    fn counted(&self, counts: &[u64], selected: &[String]) -> Vec<(String, u64)> {
        let mut counted: Vec<(String, u64)> = self.names.iter().cloned().zip(counts.iter().copied()).collect();
        counted.retain(|(name, count)| *count > 0 || selected.contains(name));
        counted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        counted
    }
}

impl Selection {
    fn passes(&self, values: &[usize]) -> bool {
        self.0.as_ref().is_none_or(|chosen| values.iter().any(|value| chosen.contains(value)))
    }
}

struct Counts {
    categories: Vec<u64>,
    materials: Vec<u64>,
    colors: Vec<u64>,
    availability: [u64; Availability::ALL.len()],
    on_sale: u64,
    price_range: Option<(i64, i64)>,
}

impl Counts {
    fn new(columns: &Columns) -> Self {
        Self {
            categories: vec![0; columns.categories.names.len()],
            materials: vec![0; columns.materials.names.len()],
            colors: vec![0; columns.colors.names.len()],
            availability: [0; Availability::ALL.len()],
            on_sale: 0,
            price_range: None,
        }
    }

    /// A product counts in a facet if it fails no other filter than that facet's own.
    fn add(&mut self, row: &Row, failed: u8) {
        let fails_only = |facet: Facet| failed & !(facet as u8) == 0;
        let count = |counts: &mut [u64], values: &[usize]| values.iter().for_each(|value| counts[*value] += 1);
        if fails_only(Facet::Category) {
            count(&mut self.categories, &row.categories);
        }
        if fails_only(Facet::Material) {
            count(&mut self.materials, &row.materials);
        }
        if fails_only(Facet::Color) {
            count(&mut self.colors, &row.colors);
        }
        if fails_only(Facet::Availability) {
            self.availability[row.availability as usize] += 1;
        }
        if fails_only(Facet::OnSale) {
            self.on_sale += u64::from(row.on_sale);
        }
        if fails_only(Facet::Price) {
            let (min, max) = self.price_range.unwrap_or((row.price, row.price));
            self.price_range = Some((min.min(row.price), max.max(row.price)));
        }
    }

    fn into_facets(self, columns: &Columns, query: &SearchQuery) -> FacetCounts {
        let mut availability: Vec<(Availability, u64)> = Availability::ALL.into_iter().zip(self.availability).collect();
        availability.retain(|(value, count)| *count > 0 || query.availability.contains(value));
        FacetCounts {
            categories: columns.categories.counted(&self.categories, &query.categories),
            materials: columns.materials.counted(&self.materials, &query.materials),
            colors: columns.colors.counted(&self.colors, &query.colors),
            availability,
            on_sale: self.on_sale,
        }
    }
}
