//! Tests that an updated listing is the same as one that is made anew.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use shop_platform::web::page::{Picture, Topic};
use uuid::Uuid;

use super::making::Groups;
use super::rows::Rows;
use super::{Listing, Order};
use crate::catalog::changes::Topics;
use crate::catalog::model::{Availability, Badge, Category, NEW_FOR_MS};
use crate::catalog::query::KnownValues;
use crate::catalog::search::{SearchQuery, Sort};
use crate::catalog::store::{ListedColor, ListedProduct, ListedVariant};

/// A day on which some products are no longer new.
const NOW: i64 = NEW_FOR_MS + 1_000;
const MATERIALS: [&str; 4] = ["Briar", "briar", "Olive wood", "Brass"];
const COLORS: [(&str, &str); 4] = [("Black", "#000000"), ("black", "#111111"), ("Tan", "#d2b48c"), ("Red", "#ff0000")];
const TITLES: [&str; 6] = ["Bent Pipe", "Pipe Rack", "Ash Tray", "ashtray", "Old Humidor", "Humidors"];

/// A product in the database.
#[derive(Clone, Debug)]
struct Stored {
    category: usize,
    title: usize,
    material: usize,
    colors: Vec<usize>,
    popularity: i64,
    released_at: i64,
    /// Price, reduced or not, and stock on hand.
    variants: Vec<(i64, bool, i64)>,
    has_picture: bool,
}

fn stored() -> impl Strategy<Value = Stored> {
    let variants = proptest::collection::vec((1_i64..9, any::<bool>(), 0_i64..8), 0..3);
    let colors = proptest::collection::vec(0..COLORS.len(), 0..3);
    let numbers = (0_i64..4, prop_oneof![0_i64..3, NOW - 2..NOW + 3]);
    let texts = (0..4_usize, 0..TITLES.len(), 0..MATERIALS.len());
    (texts, colors, numbers, variants, prop::bool::weighted(0.9)).prop_map(
        |((category, title, material), colors, (popularity, released_at), variants, has_picture)| Stored {
            category,
            title,
            material,
            colors,
            popularity,
            released_at,
            variants,
            has_picture,
        },
    )
}

/// A top category with two below it, and another one.
fn categories() -> Vec<Category> {
    let category = |at: u128, parent: Option<u128>| Category {
        id: Uuid::from_u128(at),
        parent_id: parent.map(Uuid::from_u128),
        slug: format!("category-{at}"),
        name: format!("Category {at}"),
        description: String::new(),
        updated_at: 0,
    };
    vec![category(0, None), category(3, None), category(1, Some(0)), category(2, Some(0))]
}

fn id(at: usize) -> Uuid {
    Uuid::from_u128(1_000 + at as u128)
}

fn rows(products: &BTreeMap<usize, Stored>, of: impl IntoIterator<Item = usize>) -> Rows {
    let mut rows = Rows::default();
    for at in of {
        let Some(stored) = products.get(&at) else { continue };
        let picture = Picture { src: format!("/images/{at}"), alt: String::new(), width: 1, height: 1 };
        rows.products.push(ListedProduct {
            id: id(at),
            handle: format!("product-{at}"),
            title: TITLES[stored.title].to_owned(),
            subtitle: String::new(),
            description: format!("Number {at}"),
            category_id: Uuid::from_u128(stored.category as u128),
            material: MATERIALS[stored.material].to_owned(),
            popularity: stored.popularity,
            released_at: stored.released_at,
            updated_at: 0,
        });
        let variants = stored.variants.iter().enumerate().map(|(number, (price, is_reduced, on_hand))| ListedVariant {
            id: Uuid::from_u128((at * 10 + number) as u128),
            product_id: id(at),
            sku: format!("SKU-{at}-{number}"),
            price: *price,
            compare_at_price: is_reduced.then_some(20),
            currency: "USD".to_owned(),
            on_hand: *on_hand,
            reserved: 0,
            low_stock_threshold: 2,
        });
        rows.variants.insert(id(at), variants.collect());
        let colors = stored.colors.iter().map(|color| COLORS[*color]).map(|(value, hex)| ListedColor {
            product_id: id(at),
            value: value.to_owned(),
            hex: hex.to_owned(),
            reduced: false,
        });
        rows.colors.insert(id(at), colors.collect());
        if stored.has_picture {
            rows.covers.insert(id(at), picture);
        }
    }
    rows
}

fn new(products: &BTreeMap<usize, Stored>, now: i64, former: Option<&Listing>) -> Listing {
    let groups = Groups { categories: categories(), collections: Vec::new() };
    Listing::new(groups, rows(products, products.keys().copied()), now, former).unwrap()
}

fn updated(former: &Listing, products: &BTreeMap<usize, Stored>, changed: &BTreeSet<usize>, now: i64) -> Listing {
    let mut listing = former.clone();
    let changed = changed.iter().map(|at| id(*at)).chain(former.aged(now)).collect::<BTreeSet<Uuid>>();
    let numbers = changed.iter().map(|id| (id.as_u128() - 1_000) as usize);
    listing.set(changed.iter().copied().collect(), rows(products, numbers), now, None).unwrap();
    listing
}

/// All that pages may read.
fn shown(listing: &Listing) -> Vec<String> {
    let ids = |order: &Order| format!("{:?}", order.iter().collect::<Vec<_>>());
    let mut all = vec![ids(&listing.newest), ids(&listing.popular), ids(&listing.on_sale)];
    for category in listing.categories() {
        all.push(format!("{:?}", listing.category_card(category)));
        let popular: Vec<Uuid> = listing.popular(Some(category)).map(|card| card.id).collect();
        all.push(format!("{popular:?}"));
    }
    for slug in ["briar", "olive-wood", "brass", "black", "tan", "red"] {
        all.push(format!(
            "{:?} {:?}",
            KnownValues::material(listing, slug).then(|| listing.material(slug)),
            listing.color(slug)
        ));
    }
    for listed in listing.listed() {
        all.push(format!("{:?} {} {} {}", **listed.card, listed.path, listed.updated_at, listed.material));
    }
    for variant in 0..200 {
        all.push(format!("{:?}", listing.product_of(Uuid::from_u128(variant))));
    }
    for text in ["", "pipe", "ash tray", "humdior", "briar", "sku-1", "blac", "category"] {
        for sort in [Sort::Relevance, Sort::Featured, Sort::Newest, Sort::PriceAsc, Sort::PriceDesc, Sort::Name] {
            let query = SearchQuery { text: Some(text.to_owned()), limit: 100, sort, ..SearchQuery::default() };
            all.push(format!("{:?}", listing.index.search(&query).unwrap()));
        }
        all.push(format!("{:?}", listing.index.suggest(text, 5).unwrap()));
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn an_updated_listing_is_the_same_as_a_new_one(
        first in proptest::collection::btree_map(0..20_usize, stored(), 0..20),
        rounds in proptest::collection::vec(
            (proptest::collection::btree_map(0..20_usize, proptest::option::weighted(0.8, stored()), 0..6), 0..3_i64),
            1..6,
        ),
    ) {
        let mut products = first;
        let mut now = NOW - 3;
        let mut listing = new(&products, now, None);
        for (changes, later) in rounds {
            now += later;
            let changed: BTreeSet<usize> = changes.keys().copied().collect();
            for (at, change) in changes {
                match change {
                    Some(stored) => drop(products.insert(at, stored)),
                    None => drop(products.remove(&at)),
                }
            }
            let former = listing;
            let was_shown = shown(&former);
            listing = updated(&former, &products, &changed, now);
            prop_assert_eq!(&was_shown, &shown(&former));
            let anew = new(&products, now, Some(&listing));
            prop_assert_eq!(shown(&listing), shown(&anew));
            // A listing that is loaded again ends no page, and one that shows something else some.
            prop_assert!(anew.all_topics_since(&listing).is_none());
            let topics = listing.all_topics_since(&former);
            prop_assert_eq!(topics.is_none(), was_shown == shown(&listing));
            prop_assert_eq!(listing.topics_since(&former, changed.iter().map(|at| id(*at)).chain(former.aged(now))), topics);
        }
    }
}

fn pipe() -> Stored {
    Stored {
        category: 1,
        title: 0,
        material: 0,
        colors: vec![0],
        popularity: 1,
        released_at: NOW - 10,
        variants: vec![(5, false, 7), (6, false, 7)],
        has_picture: true,
    }
}

#[test]
fn a_sale_that_changes_no_card_ends_no_list() {
    let mut products = BTreeMap::from([(1, pipe()), (2, Stored { category: 3, ..pipe() })]);
    let listing = new(&products, NOW, None);
    products.get_mut(&1).unwrap().variants[0].2 = 6;
    let sold = updated(&listing, &products, &BTreeSet::from([1]), NOW);
    assert!(sold.topics_since(&listing, [id(1)]).is_none());
    assert_eq!(sold.card(id(1)).unwrap().id(), listing.card(id(1)).unwrap().id(), "the card keeps its HTML");

    products.get_mut(&1).unwrap().variants = vec![(5, false, 0), (6, false, 0)];
    let sold_out = updated(&sold, &products, &BTreeSet::from([1]), NOW);
    assert_eq!(sold_out.card(id(1)).unwrap().availability, Availability::OutOfStock);
    let category = |at: u128| Topic::Category(Uuid::from_u128(at));
    let topics = [Topic::Cards, Topic::Card(id(1)), category(0), category(1)];
    assert_eq!(sold_out.topics_since(&sold, [id(1), id(2)]), Topics { everything: false, topics: topics.into() });
    assert_eq!(sold_out.card(id(2)).unwrap().id(), listing.card(id(2)).unwrap().id());
}

#[test]
fn a_product_that_moves_ends_the_lists_of_both_categories() {
    let mut products = BTreeMap::from([(1, pipe())]);
    let listing = new(&products, NOW, None);
    products.get_mut(&1).unwrap().category = 3;
    let moved = updated(&listing, &products, &BTreeSet::from([1]), NOW);
    let topics = moved.topics_since(&listing, [id(1)]).topics;
    for category in [0, 1, 3] {
        assert!(topics.contains(&Topic::Category(Uuid::from_u128(category))), "{category}");
    }
    assert_eq!(moved.category_card(moved.find_category("category-1").unwrap()).count, 0);
    assert_eq!(moved.category_card(moved.find_category("category-3").unwrap()).count, 1);
}

#[test]
fn a_product_is_new_for_a_time() {
    let released = NOW + 1;
    let products = BTreeMap::from([(1, Stored { released_at: released, ..pipe() })]);
    let mut listing = new(&products, NOW, None);
    for (now, badge) in [
        (released - 1, None),
        (released, Some(Badge::New)),
        (released + NEW_FOR_MS - 1, Some(Badge::New)),
        (released + NEW_FOR_MS, None),
        (released, Some(Badge::New)),
    ] {
        listing = updated(&listing, &products, &BTreeSet::new(), now);
        assert_eq!(listing.card(id(1)).unwrap().badge, badge, "{now}");
        assert_eq!(listing.aged(now).count(), 0);
    }
}
