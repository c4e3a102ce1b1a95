//! The properties by which lists are filtered, counted and sorted, all in one pass over the hits.

use std::cmp::Ordering;
use std::sync::Arc;

use imbl::Vector;
use shop_base::slug::slug;
use uuid::Uuid;

use super::labels::{Label, Labels, LabelsOf, Property};
use super::order::{Place, name_start};
use super::{FacetCounts, SearchDocument, SearchQuery, Sort, words};
use crate::catalog::model::Availability;

/// The maximum bonus for popularity, and the factor for products that are out of stock.
const POPULARITY_BOOST: f32 = 0.1;
const OUT_OF_STOCK_FACTOR: f32 = 0.5;

#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// By number; none for a product that is gone.
    rows: Vector<Option<Row>>,
    labels: Labels,
    most_popular: i64,
}

#[derive(Clone, Debug)]
pub struct Row {
    pub id: Uuid,
    /// Of the categories, then of the materials, then of the colors.
    labels: LabelsOf,
    /// Where those of the materials and of the colors begin.
    begins: [u16; 2],
    pub availability: Availability,
    on_sale: bool,
    pub price: i64,
    pub released_at: i64,
    pub popularity: i64,
    /// The title as it is sorted, and its beginning as a number.
    pub name: Arc<str>,
    pub name_start: u128,
}

/// The result of filtering, with its counts.
#[derive(Debug, Default)]
pub struct Filtered {
    pub hits: Vec<Place>,
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
    /// Changes products by their numbers. Those without a document are taken out.
    pub fn update(&mut self, products: &[(u32, Option<SearchDocument>)]) {
        let mut was_most_popular = false;
        for (number, document) in products {
            let at = *number as usize;
            let row = document.as_ref().map(|document| Row::new(document, &mut self.labels));
            while self.rows.len() <= at {
                self.rows.push_back(None);
            }
            if let Some(row) = &row {
                self.labels.count(&row.labels, true);
                self.most_popular = self.most_popular.max(row.popularity);
            }
            if let Some(former) = std::mem::replace(&mut self.rows[at], row) {
                self.labels.count(&former.labels, false);
                was_most_popular |= former.popularity == self.most_popular;
            }
        }
        if was_most_popular {
            self.most_popular = self.rows.iter().flatten().map(|row| row.popularity).max().unwrap_or(0);
        }
    }

    fn row(&self, product: u32) -> Option<&Row> {
        self.rows.get(product as usize).and_then(Option::as_ref)
    }

    pub fn id(&self, product: u32) -> Option<Uuid> {
        self.row(product).map(|row| row.id)
    }

    /// The factor applied to a product's match score.
    fn boost(&self, row: &Row) -> f32 {
        let share = row.popularity.max(0) as f32 / self.most_popular.max(1) as f32;
        let stock = if row.availability == Availability::OutOfStock { OUT_OF_STOCK_FACTOR } else { 1.0 };
        (1.0 + POPULARITY_BOOST * share) * stock
    }

    /// The places of found products, best match first.
    pub fn by_relevance(&self, found: impl Iterator<Item = (usize, f32)>) -> Vec<Place> {
        let mut rows = self.rows.focus();
        let place = |(product, score): (usize, f32)| {
            let row = rows.get(product)?.as_ref()?;
            Some(Place::by_relevance(row, score * self.boost(row), product as u32))
        };
        found.filter_map(place).collect()
    }

    /// The exact order of two places that look equal.
    pub fn order(&self, sort: Sort, a: &Place, b: &Place) -> Ordering {
        a.rank.cmp(&b.rank).then_with(|| {
            let key = |place: &Place| self.row(place.product).map(|row| (by_name(sort, row), row.id));
            key(a).cmp(&key(b))
        })
    }

    /// Filters products and counts the options of every facet. A score is used only to sort by it.
    pub fn filter(&self, query: &SearchQuery, products: impl Iterator<Item = (usize, f32)>) -> Filtered {
        let within = query.within.as_ref().map(|slug| self.labels.find(Property::Category, slug));
        let categories = self.labels.select(Property::Category, &query.categories);
        let materials = self.labels.select(Property::Material, &query.materials);
        let colors = self.labels.select(Property::Color, &query.colors);
        let (min_price, max_price) = (query.min_price.unwrap_or(i64::MIN), query.max_price.unwrap_or(i64::MAX));

        let mut counts = Counts::new(self.labels.len());
        let mut hits = Vec::new();
        let mut rows = self.rows.focus();
        for (product, score) in products {
            let Some(row) = rows.get(product).and_then(Option::as_ref) else { continue };
            if within.is_some_and(|label| label.is_none_or(|label| !row.categories().contains(&label))) {
                continue;
            }
            let mut failed = 0;
            let mut require = |facet: Facet, passes: bool| failed |= if passes { 0 } else { facet as u8 };
            require(Facet::Category, categories.passes(row.categories()));
            require(Facet::Material, materials.passes(row.materials()));
            require(Facet::Color, colors.passes(row.colors()));
            require(
                Facet::Availability,
                query.availability.is_empty() || query.availability.contains(&row.availability),
            );
            require(Facet::OnSale, row.on_sale || !query.on_sale);
            require(Facet::Price, (min_price..=max_price).contains(&row.price));
            if failed == 0 {
                hits.push(match query.sort {
                    Sort::Relevance if score > 0.0 => Place::by_relevance(row, score * self.boost(row), product as u32),
                    sort => Place::new(sort, row, product as u32),
                });
            }
            counts.add(row, failed);
        }
        Filtered { hits, price_range: counts.price_range, facets: counts.into_facets(&self.labels, query) }
    }

    /// One more than the highest number of a product.
    pub fn numbers(&self) -> usize {
        self.rows.len()
    }
}

fn by_name(sort: Sort, row: &Row) -> Option<&str> {
    (sort == Sort::Name).then_some(&row.name)
}

impl Row {
    fn new(document: &SearchDocument, known: &mut Labels) -> Self {
        let mut labels = LabelsOf::new();
        let mut add = |property, names: &[String]| {
            let begin = labels.len();
            // A name without letters and digits has no address, so nothing is filtered by it.
            for slug in names.iter().map(|name| slug(name)).filter(|slug| !slug.is_empty()) {
                let label = known.number(property, &slug);
                if !labels[begin..].contains(&label) {
                    labels.push(label);
                }
            }
            labels.len() as u16
        };
        let begins = [add(Property::Category, &document.categories), add(Property::Material, &document.materials)];
        add(Property::Color, &document.colors);
        let name = words::sort_key(&document.title);
        Self {
            id: document.id,
            labels,
            begins,
            availability: document.availability,
            on_sale: document.on_sale,
            price: document.price,
            released_at: document.released_at,
            popularity: document.popularity,
            name_start: name_start(&name),
            name: name.into(),
        }
    }

    fn categories(&self) -> &[Label] {
        &self.labels[..usize::from(self.begins[0])]
    }

    fn materials(&self) -> &[Label] {
        &self.labels[usize::from(self.begins[0])..usize::from(self.begins[1])]
    }

    fn colors(&self) -> &[Label] {
        &self.labels[usize::from(self.begins[1])..]
    }
}

struct Counts {
    /// By label.
    labels: Vec<u64>,
    availability: [u64; Availability::ALL.len()],
    on_sale: u64,
    price_range: Option<(i64, i64)>,
}

impl Counts {
    fn new(labels: usize) -> Self {
        Self { labels: vec![0; labels], availability: [0; Availability::ALL.len()], on_sale: 0, price_range: None }
    }

    /// A product counts in a facet if it fails no other filter than that facet's own.
    fn add(&mut self, row: &Row, failed: u8) {
        let fails_only = |facet: Facet| failed & !(facet as u8) == 0;
        let mut count = |labels: &[Label]| labels.iter().for_each(|label| self.labels[*label as usize] += 1);
        if fails_only(Facet::Category) {
            count(row.categories());
        }
        if fails_only(Facet::Material) {
            count(row.materials());
        }
        if fails_only(Facet::Color) {
            count(row.colors());
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

    fn into_facets(self, labels: &Labels, query: &SearchQuery) -> FacetCounts {
        let mut availability: Vec<(Availability, u64)> = Availability::ALL.into_iter().zip(self.availability).collect();
        availability.retain(|(value, count)| *count > 0 || query.availability.contains(value));
        FacetCounts {
            categories: labels.counted(Property::Category, &self.labels, &query.categories),
            materials: labels.counted(Property::Material, &self.labels, &query.materials),
            colors: labels.counted(Property::Color, &self.labels, &query.colors),
            availability,
            on_sale: self.on_sale,
        }
    }
}
