//! All words of the catalog, searchable by prefix or by similar spelling.

use std::ops::Range;

use strsim::osa_distance;

use super::postings::Term;

/// A word as spelled in products.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    pub term: Term,
    /// The number of products that contain this spelling.
    pub products: u32,
    /// Whether it is part of a name (title, category, material, color), and therefore worth suggesting.
    pub is_name: bool,
    /// Codes are matched by prefix only, since a mistyped code is a different code.
    pub is_code: bool,
}

/// A word with a spelling similar to the typed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Near {
    pub word: usize,
    /// Letters inserted, omitted or replaced, and adjacent letters swapped.
    pub edits: usize,
    /// Whether only the beginning of the word is similar.
    pub is_prefix: bool,
    pub same_initial: bool,
}

#[derive(Debug, Default)]
pub struct Vocabulary {
    /// Sorted by text.
    words: Vec<Word>,
}

#[derive(Debug)]
struct Word {
    text: String,
    length: usize,
    letters: u32,
    usage: Usage,
}

impl Vocabulary {
    pub fn build(words: Vec<(String, Usage)>) -> Self {
        let word =
            |(text, usage): (String, _)| Word { length: text.chars().count(), letters: letters(&text), text, usage };
        let mut words: Vec<Word> = words.into_iter().map(word).collect();
        words.sort_unstable_by(|a, b| a.text.cmp(&b.text));
        Self { words }
    }

    pub fn find(&self, text: &str) -> Option<Usage> {
        let at = self.words.binary_search_by(|word| word.text.as_str().cmp(text)).ok()?;
        Some(self.words[at].usage)
    }

    pub fn text(&self, word: usize) -> &str {
        &self.words[word].text
    }

    pub fn usage(&self, word: usize) -> Usage {
        self.words[word].usage
    }

    /// The words that start with `prefix`.
    pub fn with_prefix(&self, prefix: &str) -> Range<usize> {
        let start = self.words.partition_point(|word| word.text.as_str() < prefix);
        let count = self.words[start..].partition_point(|word| word.text.starts_with(prefix));
        start..start + count
    }

    /// The words within the edit distance allowed for this length; with `unfinished` also words that start like that.
    pub fn near(&self, typed: &str, unfinished: bool) -> Vec<Near> {
        let length = typed.chars().count();
        let allowed = allowed_edits(typed, length);
        if allowed == 0 {
            return Vec::new();
        }
        let typed_letters = letters(typed);
        let initial = typed.chars().next();
        let mut found = Vec::new();
        for (at, word) in self.words.iter().enumerate().filter(|(_, word)| !word.usage.is_code) {
            // An edit replaces at most one letter: most words can be ruled out without comparing spellings.
            let differing = (word.letters ^ typed_letters).count_ones() as usize;
            let missing = (typed_letters & !word.letters).count_ones() as usize;
            let same_initial = word.text.chars().next() == initial;
            let near = |edits, is_prefix| Near { word: at, edits, is_prefix, same_initial };
            if differing <= 2 * allowed && word.length.abs_diff(length) <= allowed {
                let edits = osa_distance(typed, &word.text);
                if edits <= allowed {
                    found.push(near(edits, false));
                    continue;
                }
            }
            if unfinished && same_initial && missing <= allowed && word.length > length {
                let edits = prefixes(&word.text, length - allowed..=length + allowed)
                    .map(|prefix| osa_distance(typed, prefix))
                    .min()
                    .filter(|edits| *edits <= allowed);
                found.extend(edits.map(|edits| near(edits, true)));
            }
        }
        found
    }
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
