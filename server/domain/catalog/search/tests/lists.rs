//! Filters, facets, sorting, pages and updates against a plain scan of the same products.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use uuid::Uuid;

use super::{document, index, list};
use crate::catalog::model::Availability;
use crate::catalog::search::{SearchDocument, SearchIndex, SearchQuery, SearchResult, Sort, Suggestions};

/// Small reproducible pseudo-random numbers; the tests need variety, not randomness.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len() as u64) as usize]
    }

    /// Up to two of these.
    fn some(&mut self, from: &[&str]) -> Vec<String> {
        (0..self.roll(3)).map(|_| self.pick(from).to_owned()).collect()
    }
}

const CATEGORIES: &[&str] = &["smoking", "storage", "fire", "house", "unknown"];
const MATERIALS: &[&str] = &["briar", "brass", "leather", "unknown"];
const COLORS: &[&str] = &["black", "brown", "tan", "unknown"];
const LEVELS: [Availability; 3] = [Availability::InStock, Availability::LowStock, Availability::OutOfStock];

fn random_products(dice: &mut Dice) -> Vec<SearchDocument> {
    (0..300)
        .map(|number| {
            let title = format!("{} {}", dice.pick(&["Bent", "Small", "Old"]), dice.pick(&["pipe", "Pipe", "humidor"]));
            SearchDocument {
                categories: dice.some(&CATEGORIES[..4]),
                materials: dice.some(&MATERIALS[..3]),
                colors: dice.some(&COLORS[..3]),
                price: dice.roll(20) as i64,
                on_sale: dice.roll(3) == 0,
                availability: LEVELS[dice.roll(3) as usize],
                released_at: dice.roll(9) as i64,
                popularity: dice.roll(5) as i64,
                ..document(number * 7_919 % 311, &title, "Things")
            }
        })
        .collect()
}

fn random_query(dice: &mut Dice) -> SearchQuery {
    let availability = (0..dice.roll(3)).map(|_| LEVELS[dice.roll(3) as usize]).collect();
    SearchQuery {
        text: [None, Some("pipe"), Some("old humdior")][dice.roll(3) as usize].map(str::to_owned),
        within: (dice.roll(3) == 0).then(|| dice.pick(CATEGORIES).to_owned()),
        categories: dice.some(CATEGORIES),
        materials: dice.some(MATERIALS),
        colors: dice.some(COLORS),
        availability,
        on_sale: dice.roll(4) == 0,
        min_price: (dice.roll(3) == 0).then(|| dice.roll(12) as i64),
        max_price: (dice.roll(3) == 0).then(|| dice.roll(20) as i64),
        sort: [Sort::Relevance, Sort::Featured, Sort::Newest, Sort::PriceAsc, Sort::PriceDesc, Sort::Name]
            [dice.roll(6) as usize],
        offset: 0,
        limit: 1_000,
    }
}

fn has_words(product: &SearchDocument, query: &SearchQuery) -> bool {
    let title = product.title.to_lowercase();
    query.text.as_deref().is_none_or(|text| match text {
        "old humdior" => title == "old humidor",
        text => title.contains(text),
    })
}

fn any(values: &[String], chosen: &[String]) -> bool {
    chosen.is_empty() || values.iter().any(|value| chosen.contains(value))
}

/// The definition of a hit, as separate conditions.
fn is_hit(product: &SearchDocument, query: &SearchQuery) -> bool {
    has_words(product, query)
        && query.within.as_ref().is_none_or(|slug| product.categories.contains(slug))
        && any(&product.categories, &query.categories)
        && any(&product.materials, &query.materials)
        && any(&product.colors, &query.colors)
        && (query.availability.is_empty() || query.availability.contains(&product.availability))
        && (!query.on_sale || product.on_sale)
        && query.min_price.is_none_or(|min| product.price >= min)
        && query.max_price.is_none_or(|max| product.price <= max)
}

/// Counts a facet with one query per value, without the facet's own selection.
fn counted(
    products: &[SearchDocument],
    unselected: &SearchQuery,
    selected: &[String],
    values: fn(&SearchDocument) -> &[String],
) -> BTreeMap<String, u64> {
    let known: HashSet<&String> = products.iter().flat_map(values).collect();
    known
        .into_iter()
        .map(|value| {
            let hits = products.iter().filter(|product| is_hit(product, unselected) && values(product).contains(value));
            (value.clone(), hits.count() as u64)
        })
        .filter(|(value, count)| *count > 0 || selected.contains(value))
        .collect()
}

#[test]
fn filters_and_facets_equal_a_plain_scan() {
    let mut dice = Dice(1);
    let products = random_products(&mut dice);
    let index = index(products.clone());
    let mut narrowed = 0;
    for _ in 0..500 {
        let query = random_query(&mut dice);
        let result = index.search(&query).unwrap();

        let hits: HashSet<Uuid> = products.iter().filter(|p| is_hit(p, &query)).map(|p| p.id).collect();
        narrowed += usize::from(!hits.is_empty() && hits.len() < products.len());
        assert_eq!(result.ids.iter().copied().collect::<HashSet<_>>(), hits, "{query:?}");
        assert_eq!(result.total, hits.len());

        let map = |counts: &[(Arc<str>, u64)]| {
            counts.iter().map(|(name, count)| (name.to_string(), *count)).collect::<BTreeMap<_, _>>()
        };
        let q = SearchQuery { categories: Vec::new(), ..query.clone() };
        assert_eq!(
            map(&result.facets.categories),
            counted(&products, &q, &query.categories, |p| &p.categories),
            "{query:?}"
        );
        let q = SearchQuery { materials: Vec::new(), ..query.clone() };
        assert_eq!(
            map(&result.facets.materials),
            counted(&products, &q, &query.materials, |p| &p.materials),
            "{query:?}"
        );
        let q = SearchQuery { colors: Vec::new(), ..query.clone() };
        assert_eq!(map(&result.facets.colors), counted(&products, &q, &query.colors, |p| &p.colors), "{query:?}");
        let q = SearchQuery { availability: Vec::new(), ..query.clone() };
        for level in LEVELS {
            let count = products.iter().filter(|p| is_hit(p, &q) && p.availability == level).count() as u64;
            let counted = result.facets.availability.iter().find(|(value, _)| *value == level);
            assert_eq!(counted.map_or(0, |(_, count)| *count), count, "{query:?}");
        }
        let q = SearchQuery { on_sale: true, ..query.clone() };
        assert_eq!(result.facets.on_sale, products.iter().filter(|p| is_hit(p, &q)).count() as u64, "{query:?}");
        let q = SearchQuery { min_price: None, max_price: None, ..query.clone() };
        let prices = || products.iter().filter(|p| is_hit(p, &q)).map(|p| p.price);
        assert_eq!(result.price_range, prices().min().zip(prices().max()), "{query:?}");
    }
    assert!(narrowed > 100, "most queries must say something: {narrowed}");
}

#[test]
fn pages_show_every_hit_once_and_in_order() {
    let mut dice = Dice(2);
    let products = random_products(&mut dice);
    let by_id: BTreeMap<Uuid, &SearchDocument> = products.iter().map(|product| (product.id, product)).collect();
    let index = index(products.clone());
    for _ in 0..500 {
        let query = random_query(&mut dice);
        let whole = index.search(&query).unwrap();
        let size = 1 + dice.roll(40) as usize;
        let pages: Vec<Uuid> = (0..=whole.total / size)
            .flat_map(|page| {
                let page = SearchQuery { offset: page * size, limit: size, ..query.clone() };
                index.search(&page).unwrap().ids
            })
            .collect();
        assert_eq!(pages, whole.ids, "{query:?}");
        assert_eq!(pages.iter().collect::<HashSet<_>>().len(), whole.total);

        let listed: Vec<&SearchDocument> = whole.ids.iter().map(|id| by_id[id]).collect();
        for pair in listed.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let in_order = match query.sort {
                Sort::Relevance => true,
                Sort::Featured => {
                    let key = |p: &SearchDocument| (p.availability == Availability::OutOfStock, -p.popularity, p.id);
                    key(a) < key(b)
                }
                Sort::Newest => (-a.released_at, a.id) < (-b.released_at, b.id),
                Sort::PriceAsc => (a.price, a.id) < (b.price, b.id),
                Sort::PriceDesc => (-a.price, a.id) < (-b.price, b.id),
                Sort::Name => (a.title.to_lowercase(), a.id) < (b.title.to_lowercase(), b.id),
            };
            assert!(in_order, "{query:?}");
        }
    }
}

#[test]
fn letters_with_accents_are_sorted_beside_those_without() {
    let titles = ["Zebrano box", "ÉTUI for one", "etui", "Étui", "Fumed oak", "e\u{301}tui", "Ärmel", "Apple"];
    let products = (1..).zip(titles).map(|(number, title)| document(number, title, "Things")).collect();
    let by_name = SearchQuery { sort: Sort::Name, limit: 100, ..SearchQuery::default() };
    let found = index(products).search(&by_name).unwrap().ids;
    // Those that are the same but for their accents are in the order of their ids.
    assert_eq!(found, [8, 7, 3, 4, 6, 2, 5, 1].map(Uuid::from_u128));
}

#[test]
fn the_order_of_the_database_does_not_matter() {
    let mut dice = Dice(3);
    let products = random_products(&mut dice);
    let reversed = products.iter().rev().cloned().collect();
    let (one, other) = (index(products), index(reversed));
    for _ in 0..200 {
        let query = random_query(&mut dice);
        assert_eq!(one.search(&query).unwrap(), other.search(&query).unwrap(), "{query:?}");
    }
}

/// Everything that an index answers to many questions.
fn answers(index: &SearchIndex) -> Vec<(SearchResult, Suggestions)> {
    const TEXTS: &[&str] = &[
        "pipe",
        "pipes",
        "pip",
        "p",
        "old humdior",
        "ash tray",
        "ashtray",
        "briar pipe",
        "brair pipee",
        "small unicorn",
        "sku-7",
        "sku7",
        "brass smal",
        "tray for the pipe",
        "humidor pipe",
        "storage",
        "hinge",
        "hnige",
    ];
    let mut dice = Dice(9);
    let typed = TEXTS.iter().map(|text| list(text));
    let filtered: Vec<SearchQuery> = (0..40).map(|_| random_query(&mut dice)).collect();
    let queries = typed.chain(filtered);
    queries
        .map(|query| {
            let typed = query.text.clone().unwrap_or_default();
            (index.search(&query).unwrap(), index.suggest(&typed, 4).unwrap())
        })
        .collect()
}

fn random_product(dice: &mut Dice, number: u128) -> SearchDocument {
    let word =
        |dice: &mut Dice| dice.pick(&["Bent", "Small", "Old", "Pipe", "pipes", "Ash", "Tray", "humidor", "SKU-7"]);
    let title = (0..1 + dice.roll(3)).map(|_| word(dice)).collect::<Vec<_>>().join(" ");
    let text =
        |dice: &mut Dice| dice.pick(&["", "A hinge.", "Hinges for the old pipe.", "A hnige of brass"]).to_owned();
    SearchDocument {
        subtitle: text(dice),
        description: text(dice),
        categories: dice.some(&CATEGORIES[..4]),
        materials: dice.some(&MATERIALS[..3]),
        colors: dice.some(&COLORS[..3]),
        skus: (0..dice.roll(3)).map(|at| format!("SKU-{}-{at}", number % 9)).collect(),
        price: dice.roll(20) as i64,
        on_sale: dice.roll(3) == 0,
        availability: LEVELS[dice.roll(3) as usize],
        released_at: dice.roll(9) as i64,
        popularity: dice.roll(5) as i64 * dice.roll(4) as i64,
        ..document(number, &title, "Things")
    }
}

#[test]
fn an_updated_index_answers_as_a_new_one() {
    let mut dice = Dice(4);
    let mut products: BTreeMap<Uuid, SearchDocument> = BTreeMap::new();
    let mut updated = SearchIndex::default();
    for round in 0..60 {
        let mut changes = BTreeMap::new();
        for _ in 0..1 + dice.roll(if round == 0 { 80 } else { 12 }) {
            // The ids are in no order, so that those of new products fall between others.
            let number = u128::from(dice.roll(50)) * 7_919 % 101;
            let id = Uuid::from_u128(number);
            let document = match (products.get(&id), dice.roll(4)) {
                (Some(_), 0) => None,
                // As after a sale: no word changes.
                (Some(known), 1) => Some(SearchDocument {
                    availability: LEVELS[dice.roll(3) as usize],
                    price: dice.roll(20) as i64,
                    ..known.clone()
                }),
                _ => Some(random_product(&mut dice, number)),
            };
            changes.insert(id, document);
        }
        let former = updated.clone();
        let before = answers(&former);
        updated = updated.with(changes.clone()).unwrap();
        assert!(answers(&former) == before, "round {round}: the former index is as it was");
        for (id, document) in changes {
            match document {
                Some(document) => drop(products.insert(id, document)),
                None => drop(products.remove(&id)),
            }
        }
        let new = index(products.values().cloned().collect());
        for (at, (updated, new)) in answers(&updated).into_iter().zip(answers(&new)).enumerate() {
            assert_eq!(updated, new, "round {round}, query {at}");
        }
    }
    let emptied = updated.with(products.keys().map(|id| (*id, None))).unwrap();
    assert!(answers(&emptied) == answers(&SearchIndex::default()));
}
