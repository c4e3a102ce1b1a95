//! What typical input finds, corrects and suggests.

use std::sync::{Arc, LazyLock, mpsc};

use tokio::task::yield_now;
use uuid::Uuid;

use super::{document, index, list};
use crate::catalog::model::Availability;
use crate::catalog::search::matching::Matcher;
use crate::catalog::search::{Making, SearchDocument, SearchIndex, SearchQuery, SearchResult, Sort, Suggestions};

/// A small shop whose products have distinct titles.
fn shop() -> Vec<SearchDocument> {
    let mut products = vec![
        document(1, "Bent Briar Pipe", "Pipes"),
        document(2, "Walnut Pipe Rack", "Racks"),
        document(3, "Desktop Humidor", "Humidors"),
        document(4, "Glass Ashtray", "Ashtrays"),
        document(5, "Travel Ash Tray", "Ashtrays"),
        document(6, "Double-Blade Cutter", "Cutters"),
        document(7, "Brass Flip Lighter", "Lighters"),
        document(8, "Leather Cigar Case", "Cases"),
        document(9, "Case for a Cigar Cutter", "Cases"),
        document(10, "Châtaigne Meerschaum Bowl", "Pipes"),
        document(11, "Smoker's Candle", "House"),
        document(12, "Gray Felt Mat", "House"),
    ];
    products[0].materials = vec!["Briar".to_owned()];
    products[2].description = "A cedar box with a hygrometer, as good for a pipe as for cigars.".to_owned();
    products[5].categories = vec!["cutters-and-punches".to_owned()];
    products[5].skus = vec!["DBC-SIL".to_owned(), "DBC-BLA".to_owned()];
    products
}

/// The numbers of the products found, best first.
fn found(index: &SearchIndex, text: &str) -> Vec<u128> {
    index.search(&list(text)).unwrap().ids.into_iter().map(|id| id.as_u128()).collect()
}

#[test]
fn words_find_products_in_all_their_spellings() {
    let index = index(shop());
    for (typed, best) in [
        ("humidor", 3),
        ("HUMIDORS", 3),
        ("humi", 3),
        ("humdior", 3),
        ("humidr", 3),
        ("hygrometter", 3),
        ("higrometter", 3),
        ("ashtray", 4),
        ("ashtrays", 4),
        ("ash tray", 5),
        ("ash-tray", 5),
        ("ligther", 7),
        ("lightr bras", 7),
        ("mershaum", 10),
        ("meershcaum", 10),
        ("chataigne", 10),
        ("smokers candle", 11),
        ("smoker’s candle", 11),
        ("gray mat", 12),
        ("guillotine", 6),
        ("dbc-sil", 6),
        ("DBC SIL", 6),
        ("dbcbla", 6),
        ("dbc-s", 6),
        ("sku-12", 12),
        ("cigar case", 8),
        ("case for the cigar", 9),
        ("  briar\tpipe!  ", 1),
    ] {
        assert_eq!(found(&index, typed).first(), Some(&best), "{typed}");
    }
}

#[test]
fn the_edits_that_are_forgiven_depend_on_the_length() {
    let index = index(vec![
        document(1, "Cob", "A"),
        document(2, "Felt", "B"),
        document(3, "Cutters", "C"),
        document(4, "Humidors", "D"),
        document(5, "Model 5521", "E"),
    ]);
    for (typed, is_found) in [
        ("cub", false),
        ("fetl", true),
        ("flet", true),
        ("felx", true),
        ("fexx", false),
        ("cuttres", true),
        ("cuttrez", false),
        ("humidrso", true),
        ("humixxrs", true),
        ("huxxxors", false),
        ("5512", false),
    ] {
        assert_eq!(!found(&index, typed).is_empty(), is_found, "{typed}");
    }
}

#[test]
fn better_fields_and_closer_words_come_first() {
    let mut products = vec![
        document(1, "One", "Things"),
        document(2, "Two", "Things"),
        document(3, "Three", "Things"),
        document(4, "Four", "Amber"),
        document(5, "Amber", "Things"),
        document(6, "Amberjack", "Things"),
    ];
    products[0].description = "Like amber.".to_owned();
    products[1].colors = vec!["Amber".to_owned()];
    products[2].description = "Like umber.".to_owned();
    let index = index(products);
    assert_eq!(found(&index, "amber"), [5, 4, 6, 2, 1], "title, category, unfinished title, color, description");
    assert_eq!(found(&index, "amberr thing"), [5, 2, 1], "both words, best fields first");
}

#[test]
fn stock_and_popularity_decide_between_equal_matches() {
    let mut products: Vec<_> = (1..=3).map(|number| document(number, "Pipe", "Pipes")).collect();
    products[0].availability = Availability::OutOfStock;
    products[0].popularity = 100;
    products[2].popularity = 50;
    let index = index(products);
    assert_eq!(found(&index, "pipe"), [3, 2, 1]);
    let featured = SearchQuery { limit: 10, sort: Sort::Featured, ..SearchQuery::default() };
    assert_eq!(index.search(&featured).unwrap().ids, [3, 2, 1].map(Uuid::from_u128));
}

#[test]
fn what_nothing_has_as_typed_is_corrected() {
    let index = index(shop());
    let meant = |text: &str| index.search(&list(text)).unwrap().did_you_mean;
    assert_eq!(meant("humidor"), None);
    assert_eq!(meant("humido"), None, "an unfinished word is as typed");
    assert_eq!(meant("ash tray"), None);
    assert_eq!(meant("humdior"), Some("humidor".to_owned()));
    assert_eq!(meant("brair pipe"), Some("briar pipe".to_owned()));
    assert_eq!(meant("briar unicorn pipe"), Some("briar pipe".to_owned()), "what no product has is left out");
    assert_eq!(meant("xyzzy"), None, "nothing to offer");
}

#[test]
fn corrections_prefer_names_and_leave_short_words_alone() {
    let mut products = vec![
        document(1, "Hay Bale", "House"),
        document(2, "Wool Cap", "Clothes"),
        document(3, "Long Spill", "House"),
        document(4, "Winter Scarf", "Clothes"),
    ];
    products[1].description = "It has a tape that shows the size, and a wintar lining.".to_owned();
    let index = index(products);
    let meant = |text: &str| index.search(&list(text)).unwrap().did_you_mean;
    for other in ["hats", "sale", "vape", "shoes", "bong"] {
        assert_eq!((meant(other), found(&index, other)), (None, vec![]), "{other} is another word");
    }
    for (typed, name, product) in [("logn", "long", 3), ("sacrf", "scarf", 4), ("wintxr", "winter", 4)] {
        assert_eq!((meant(typed), found(&index, typed)), (Some(name.to_owned()), vec![product]), "{typed}");
    }
}

#[test]
fn a_misspelled_plural_finds_the_singular_and_the_other_way_around() {
    let index = index(vec![
        document(1, "Brass Hookah", "Smoking"),
        document(2, "Glass Beads", "Garlands"),
        document(3, "Pattern Sack", "House"),
    ]);
    let meant = |text: &str| index.search(&list(text)).unwrap().did_you_mean;
    for (typed, right, product) in [
        ("hookas", "hookah", 1),
        ("hookhas", "hookah", 1),
        ("hookhas brass", "hookah brass", 1),
        ("galrand glass", "garlands glass", 2),
    ] {
        assert_eq!((meant(typed), found(&index, typed)), (Some(right.to_owned()), vec![product]), "{typed}");
    }
    for other in ["hookups", "snacks", "lanterns"] {
        assert_eq!((meant(other), found(&index, other)), (None, vec![]), "{other} is another word");
    }
}

#[test]
fn a_correct_word_is_not_diluted_by_similar_ones() {
    let index = index(vec![document(1, "Briar Pipe", "Pipes"), document(2, "Pine Candle", "House")]);
    assert_eq!(found(&index, "pipe"), [1]);
    assert_eq!(found(&index, "pine"), [2]);
    assert_eq!(found(&index, "pipe candle"), [2], "unless it finds nothing");
}

#[test]
fn a_misspelling_in_a_description_does_not_hide_the_right_products() {
    let mut products: Vec<_> = (1..=40).map(|number| document(number, "Flip Lighter", "Fire")).collect();
    products.push(SearchDocument { description: "For your ligther.".to_owned(), ..document(99, "Spare Wick", "Fuel") });
    let index = index(products);
    let found = found(&index, "ligther");
    assert_eq!((found.len(), found[0]), (41, 99), "what is written so comes first, then what was meant");
    let both_words = index.search(&list("ligther flip")).unwrap();
    assert_eq!((both_words.total, both_words.did_you_mean), (40, Some("lighter flip".to_owned())));
}

#[test]
fn the_best_partial_matches_stand_in_for_a_full_one() {
    let index = index(shop());
    assert_eq!(found(&index, "leather cigar unicorn"), [8]);
    assert_eq!(found(&index, "unicorn rainbow"), []);
}

#[test]
fn suggestions_complete_the_last_word() {
    let index = index(shop());
    let suggest = |text: &str| index.suggest(text, 3).unwrap();
    assert_eq!(suggest("hum").terms, ["humidor"]);
    assert_eq!(suggest("leather ci").terms, ["leather cigar"]);
    assert_eq!(suggest("lether ci").terms, ["leather cigar"]);
    assert_eq!(suggest("humidr").terms, ["humidor"]);
    assert_eq!(suggest("c").products.len(), 3);
    assert_eq!(suggest("dbc").products, [Uuid::from_u128(6)]);
    assert!(suggest("dbc").terms.is_empty(), "codes are no words to offer");
    assert!(suggest("dbc-s").terms.is_empty());
    assert!(suggest("humidor").terms.is_empty(), "nothing to complete");
    assert_eq!(suggest("ash tr").terms, ["ash travel", "ash tray"]);
    assert_eq!(suggest("pun").terms, ["punches"]);
    assert!(suggest("an").terms.is_empty(), "a stop word of a slug is no name");
    assert_eq!(suggest(""), Suggestions::default());
    assert_eq!(suggest("unicorn"), Suggestions::default());
}

#[test]
fn no_text_is_an_error() {
    let index = index(shop());
    let all = shop().len();
    for nothing in ["", "   ", "!!! ---", "\0\0", "🙂🙂", "\u{301}\u{302}"] {
        assert_eq!(found(&index, nothing).len(), all, "{nothing:?} has no word, so it narrows nothing");
        assert!(index.suggest(nothing, 5).unwrap().products.is_empty());
    }
    let long = "pipe ".repeat(13_000);
    let one_word = "x".repeat(65_536);
    let ligatures = "ﷺ".repeat(20_000);
    for absurd in [
        "the",
        "a of the",
        "pi\0pe",
        "🙂 pipe",
        &long,
        &one_word,
        &ligatures,
        "' OR 1=1 --",
        "\"pipe",
        "title:*",
        "ß İ ﬁ ①",
    ] {
        index.search(&list(absurd)).unwrap();
        index.suggest(absurd, 5).unwrap();
    }
    assert_eq!(found(&index, &long), found(&index, "pipe"));
    assert_eq!(found(&index, "🙂 humidor"), [3]);
    let empty = self::index(Vec::new());
    assert_eq!(empty.search(&list("pipe")).unwrap(), SearchResult::default());
    assert_eq!(empty.search(&SearchQuery::default()).unwrap(), SearchResult::default());
    let far = SearchQuery { offset: usize::MAX, limit: usize::MAX, ..SearchQuery::default() };
    assert!(index.search(&far).unwrap().ids.is_empty());
}

#[tokio::test]
async fn who_searches_before_words_are_read_stops_nobody_else() {
    let (read, may_read) = mpsc::channel();
    let making: Making = Box::new(move || {
        let _ = may_read.recv();
        Matcher::default()
    });
    let index = SearchIndex { matcher: Arc::new(LazyLock::new(making)), ..SearchIndex::default() };
    let searching = tokio::spawn(async move { index.completed().await.is_ok() });
    // On the only thread of this runtime.
    yield_now().await;
    assert!(!searching.is_finished());
    read.send(()).unwrap();
    assert!(searching.await.unwrap());
}
