//! All words of the catalog, searchable by prefix or by similar spelling.

use std::ops::Bound;
use std::sync::Arc;

use imbl::OrdMap;
use strsim::osa_distance;

use super::terms::{Term, Terms};

/// An edit makes another word of a shorter one: `sale` is no misspelling of `bale`, nor `hats` of `has`. So only a name with the same first
/// letter is near it, or one that begins with as many letters.
const SHORT: usize = 6;

/// The words that products contain, by their text.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    words: OrdMap<Arc<str>, Usage>,
}

/// How products use a word, as it is spelled.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    pub stem: Term,
    /// The number of products that contain this spelling.
    pub products: u32,
    /// The number of those that have it in a name (title, category, material, color).
    names: u32,
    length: u32,
    letters: u32,
}

impl Usage {
    /// Names are worth suggesting.
    pub fn is_name(&self) -> bool {
        self.names > 0
    }
}

/// A word of the vocabulary.
#[derive(Clone, Copy, Debug)]
pub struct Word<'a> {
    pub text: &'a str,
    pub usage: &'a Usage,
}

/// A word with a spelling similar to the typed one.
#[derive(Clone, Copy, Debug)]
pub struct Near<'a> {
    pub word: Word<'a>,
    /// Letters inserted, omitted or replaced, and adjacent letters swapped.
    pub edits: usize,
    /// Whether only the beginnings are similar: the word goes on, or one of the two is a plural.
    pub is_prefix: bool,
    pub same_initial: bool,
}

impl Vocabulary {
    /// Changes the numbers of products that contain a word, and that have it in a name.
    pub fn count(&mut self, terms: &Terms, word: Term, products: i32, names: i32) {
        let text = terms.text(word);
        let Some(usage) = self.words.get_mut(text) else {
            let usage = Usage {
                // A word that products contain has a stem.
                stem: terms.known_stem(word),
                products: products.unsigned_abs(),
                names: names.unsigned_abs(),
                length: text.chars().count() as u32,
                letters: letters(text),
            };
            self.words.insert(Arc::clone(text), usage);
            return;
        };
        usage.products = usage.products.saturating_add_signed(products);
        usage.names = usage.names.saturating_add_signed(names);
        if usage.products == 0 {
            self.words.remove(text);
        }
    }

    pub fn find(&self, text: &str) -> Option<&Usage> {
        self.words.get(text)
    }

    /// The words that start with `prefix`, in alphabetical order.
    pub fn with_prefix<'a, 'p>(&'a self, prefix: &'p str) -> impl Iterator<Item = Word<'a>> + use<'a, 'p> {
        let words = self.words.range::<_, str>(from(prefix)).map(|(text, usage)| Word { text, usage });
        words.take_while(move |word| word.text.starts_with(prefix))
    }

    /// The words within the edit distance allowed for this length, also of the word as a plural or without the ending of one: `lightrs` is
    /// near `lighter`. With `unfinished` also words that start like that.
    pub fn near(&self, typed: &str, unfinished: bool) -> Vec<Near<'_>> {
        let typed = Spelling::new(typed.to_owned());
        let Spelling { length, allowed, .. } = typed;
        if allowed == 0 {
            return Vec::new();
        }
        let other_number = typed.in_other_number();
        let initial = typed.text.chars().next();
        let mut found = Vec::new();
        for (text, usage) in &self.words {
            let missing = (typed.letters & !usage.letters).count_ones() as usize;
            let may_be_whole = typed.may_be(usage);
            let may_begin_so = unfinished && missing <= allowed && usage.length as usize > length;
            let other_number = other_number.as_ref().filter(|other| other.may_be(usage));
            if !may_be_whole && !may_begin_so && other_number.is_none() {
                continue;
            }
            let same_initial = text.chars().next() == initial;
            if length < SHORT && !(same_initial && usage.is_name()) {
                continue;
            }
            let near = |edits, is_prefix| Near { word: Word { text, usage }, edits, is_prefix, same_initial };
            if may_be_whole && let Some(edits) = typed.edits(text) {
                found.push(near(edits, false));
            } else if let Some(edits) = other_number.and_then(|other| other.edits(text)) {
                found.push(near(edits, true));
            } else if may_begin_so && same_initial {
                let reach = if length < SHORT { 0 } else { allowed };
                let prefixes = prefixes(text, length - reach..=length + reach);
                let edits = prefixes.filter_map(|prefix| typed.edits(prefix)).min();
                found.extend(edits.map(|edits| near(edits, true)));
            }
        }
        found
    }
}

/// A spelling that words are compared with.
struct Spelling {
    text: String,
    length: usize,
    letters: u32,
    /// How many edits may make a word of it.
    allowed: usize,
}

impl Spelling {
    fn new(text: String) -> Self {
        let length = text.chars().count();
        Self { length, letters: letters(&text), allowed: allowed_edits(&text, length), text }
    }

    /// As a plural, or without the ending of one; none if either is short.
    fn in_other_number(&self) -> Option<Self> {
        let singular = self.text.strip_suffix('s').map(str::to_owned);
        let other = Self::new(singular.unwrap_or_else(|| format!("{}s", self.text)));
        let allowed = self.allowed.min(other.allowed);
        (self.length.min(other.length) >= SHORT).then_some(Self { allowed, ..other })
    }

    /// An edit replaces at most one letter: most words can be ruled out without comparing spellings.
    fn may_be(&self, word: &Usage) -> bool {
        let differing = (word.letters ^ self.letters).count_ones() as usize;
        differing <= 2 * self.allowed && (word.length as usize).abs_diff(self.length) <= self.allowed
    }

    /// The edits that make this word of it, if they are allowed.
    fn edits(&self, word: &str) -> Option<usize> {
        Some(osa_distance(&self.text, word)).filter(|edits| *edits <= self.allowed)
    }
}

/// This text and all after it in alphabetical order.
pub fn from(text: &str) -> (Bound<&str>, Bound<&str>) {
    (Bound::Included(text), Bound::Unbounded)
}

/// Short words have too many neighbors, and numbers are not corrected.
fn allowed_edits(word: &str, length: usize) -> usize {
    match length {
        _ if word.contains(char::is_numeric) => 0,
        ..4 => 0,
        4..8 => 1,
        _ => 2,
    }
}

/// The set of letters that occur, as a bit set.
fn letters(word: &str) -> u32 {
    word.chars().fold(0, |set, char| {
        set | match char {
            'a'..='z' => 1 << (char as u32 - 'a' as u32),
            '0'..='9' => 1 << 26,
            _ => 1 << 27,
        }
    })
}

/// The prefixes of a word with one of these lengths.
fn prefixes(word: &str, lengths: std::ops::RangeInclusive<usize>) -> impl Iterator<Item = &str> {
    let ends = word.char_indices().map(|(at, char)| at + char.len_utf8());
    let wanted = lengths.end() + 1 - lengths.start();
    ends.skip(lengths.start() - 1).take(wanted).map(|end| &word[..end])
}
