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

/// Visits the words of a product's text. Anything but letters and digits separates words; an apostrophe joins them.
pub fn of_document(text: &str, mut visit: impl FnMut(&str)) {
    let mut chunk = Chunk::default();
    for text in text.split_whitespace() {
        chunk.set(text);
        if !chunk.is_stop_word() {
            chunk.words().for_each(&mut visit);
        }
    }
}

/// The words of a query: limited in number, and without stop words unless there is nothing else.
pub fn of_query(text: &str) -> Vec<String> {
    let end = text.char_indices().nth(MAX_QUERY_CHARS).map_or(text.len(), |(at, _)| at);
    let (mut words, mut stop_words) = (Vec::new(), Vec::new());
    let mut chunk = Chunk::default();
    for text in text[..end].split_whitespace() {
        chunk.set(text);
        let found = if chunk.is_stop_word() { &mut stop_words } else { &mut words };
        found.extend(chunk.words().map(str::to_owned));
    }
    let mut words = if words.is_empty() { stop_words } else { words };
    words.truncate(MAX_QUERY_WORDS);
    words
}

/// A code such as a sku, regardless of its punctuation: `DBC-SIL` is `dbcsil`.
pub fn of_code(code: &str) -> String {
    let mut chunk = Chunk::default();
    chunk.set(code);
    chunk.text
}

/// A name as lists are sorted by it: in lower case, `É` beside `E`.
pub fn sort_key(name: &str) -> String {
    if name.is_ascii() { name.to_ascii_lowercase() } else { folded(name).collect() }
}

/// Lowercase, without accents.
fn folded(text: &str) -> impl Iterator<Item = char> {
    text.nfkd().filter(|char| !is_combining_mark(*char)).flat_map(char::to_lowercase)
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

/// The words between two spaces, which are many in an import: its memory is used again for the next ones.
#[derive(Default)]
struct Chunk {
    text: String,
    /// Where in the text each word ends.
    ends: Vec<usize>,
}

impl Chunk {
    fn set(&mut self, chunk: &str) {
        self.text.clear();
        self.ends.clear();
        if chunk.is_ascii() {
            self.add(chunk.chars().map(|char| char.to_ascii_lowercase()));
        } else {
            self.add(folded(chunk));
        }
    }

    fn add(&mut self, chars: impl Iterator<Item = char>) {
        let mut length = 0;
        for char in chars {
            if char.is_alphanumeric() {
                if length < MAX_WORD_CHARS {
                    self.text.push(char);
                    length += 1;
                }
            } else if !matches!(char, '\'' | '’') {
                self.end();
                length = 0;
            }
        }
        self.end();
    }

    /// Ends the current word, if one has begun.
    fn end(&mut self) {
        if self.ends.last().copied().unwrap_or(0) < self.text.len() {
            self.ends.push(self.text.len());
        }
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(start, end)| &self.text[*start..*end])
    }

    /// The "A" of "A-100" is part of a name.
    fn is_stop_word(&self) -> bool {
        self.ends.len() == 1 && STOP_WORDS.contains(&self.text.as_str())
    }
}
