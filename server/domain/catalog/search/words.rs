//! Splits text into words, the same way for products and queries: lowercase, no accents, English stems.

use std::sync::LazyLock;

use frostem::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

const MAX_QUERY_WORDS: usize = 8;
const MAX_QUERY_CHARS: usize = 1_024;
const MAX_WORD_CHARS: usize = 64;

const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "at", "by", "for", "from", "i", "in", "is", "it", "its", "my", "of", "on", "or", "that", "the",
    "this", "to", "with", "your",
];

/// Words that shoppers use interchangeably.
const SYNONYMS: &[&[&str]] = &[
    &["aluminium", "aluminum"],
    &["bag", "pouch"],
    &["butane", "gas"],
    &["case", "etui"],
    &["cigar", "stogie"],
    &["color", "colour"],
    &["cutter", "guillotine", "clipper"],
    &["gift", "present"],
    &["gray", "grey"],
    &["hookah", "shisha", "waterpipe"],
    &["jet", "torch"],
    &["knife", "knives"],
    &["match", "matchstick"],
    &["rack", "rest", "stand"],
    &["scissors", "shears", "snips"],
    &["wood", "wooden"],
];

static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::new(Algorithm::English));

static SYNONYM_STEMS: LazyLock<Vec<Vec<String>>> =
    LazyLock::new(|| SYNONYMS.iter().map(|group| group.iter().map(|word| stem(word)).collect()).collect());

/// The words of a product's text. Anything but letters and digits separates words; an apostrophe joins them.
pub fn of_document(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace().flat_map(split).filter(|word| !word.is_stop_word).map(|word| word.text)
}

/// The words of a query: limited in number, and without stop words unless there is nothing else.
pub fn of_query(text: &str) -> Vec<String> {
    let end = text.char_indices().nth(MAX_QUERY_CHARS).map_or(text.len(), |(at, _)| at);
    let mut words: Vec<Word> = text[..end].split_whitespace().flat_map(split).collect();
    if !words.iter().all(|word| word.is_stop_word) {
        words.retain(|word| !word.is_stop_word);
    }
    words.into_iter().map(|word| word.text).take(MAX_QUERY_WORDS).collect()
}

/// A code such as a sku, regardless of its punctuation: `DBC-SIL` is `dbcsil`.
pub fn of_code(code: &str) -> String {
    split(code).into_iter().map(|word| word.text).collect()
}

/// The common stem of a word's forms: `pipes` and `pipe` are `pipe`.
pub fn stem(word: &str) -> String {
    STEMMER.stem(word).into_owned()
}

/// Stems of the synonyms of the word with this stem.
pub fn synonyms(stem: &str) -> impl Iterator<Item = &'static str> {
    let group = SYNONYM_STEMS.iter().find(|group| group.iter().any(|other| other == stem));
    group.into_iter().flatten().map(String::as_str).filter(move |other| *other != stem)
}

struct Word {
    text: String,
    is_stop_word: bool,
}

fn split(chunk: &str) -> Vec<Word> {
    let words = if chunk.is_ascii() {
        runs_of_letters(chunk.chars().map(|char| char.to_ascii_lowercase()))
    } else {
        runs_of_letters(chunk.nfkd().filter(|char| !is_combining_mark(*char)).flat_map(char::to_lowercase))
    };
    // The "A" of "A-100" is part of a name.
    let stands_alone = words.len() == 1;
    let is_stop_word = |word: &str| stands_alone && STOP_WORDS.contains(&word);
    words.into_iter().map(|text| Word { is_stop_word: is_stop_word(&text), text }).collect()
}

fn runs_of_letters(chars: impl Iterator<Item = char>) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut length = 0;
    for char in chars {
        match words.last_mut() {
            Some(word) if char.is_alphanumeric() => {
                if length < MAX_WORD_CHARS {
                    word.push(char);
                    length += 1;
                }
            }
            _ if matches!(char, '\'' | '’') => {}
            _ => {
                words.push(String::new());
                length = 0;
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
