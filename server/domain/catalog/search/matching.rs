//! Finds and scores products for the typed words.
//!
//! Words are first matched as typed; the last one may be unfinished. Only if no product has all of them are misspellings considered, and
//! only if that finds nothing either is a subset of the words enough. So a correct search is never diluted by similar products, whatever
//! the sort order.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::postings::{Posting, Postings, Term, weight_in};
use super::vocabulary::{Near, Word};
use super::{SearchDocument, words};

/// Weights of a match by its type.
mod weight {
    pub const SYNONYM: f32 = 0.8;
    pub const PREFIX: f32 = 0.6;
    pub const EDIT: f32 = 0.6;
    pub const MISSPELLED_PREFIX: f32 = 0.5;
    pub const OTHER_INITIAL: f32 = 0.8;
    /// For corrections of a word that exists in some product: products with the typed word come first.
    pub const DOUBT: f32 = 0.05;
    /// For products whose title contains the words consecutively.
    pub const PHRASE: f32 = 1.25;
}

/// How many times more common a similar name must be for a word to count as doubtful.
const DOUBTED_BELOW: u32 = 20;

#[derive(Clone, Debug, Default)]
pub struct Matcher {
    postings: Postings,
}

/// A word or a code that satisfies a typed word.
#[derive(Clone, Copy)]
struct Alternative<'a> {
    products: &'a [Posting],
    /// The term; none for a code.
    term: Option<Term>,
    weight: f32,
    /// The vocabulary word that was probably meant, if it differs from the typed one.
    word: Option<Word<'a>>,
    is_correction: bool,
}

/// The products found, and the reasons.
pub struct Found<'a> {
    matcher: &'a Matcher,
    words: &'a [String],
    /// The alternatives for each word.
    alternatives: Vec<Vec<Alternative<'a>>>,
    /// Score by product; 0 means not found.
    scores: Vec<f32>,
    /// No product has all words.
    is_partial: bool,
}

impl Matcher {
    /// Changes products, in ascending order of their numbers. Those without a document are taken out.
    pub fn update(&mut self, products: &[(u32, Option<SearchDocument>)]) {
        self.postings.update(products);
    }

    pub fn find<'a>(&'a self, words: &'a [String]) -> Found<'a> {
        let alternatives = self.as_typed(words);
        let mut found = Found { matcher: self, words, alternatives, scores: Vec::new(), is_partial: false };
        if found.score(Wanted::AllWords) {
            return found;
        }
        for (at, word) in words.iter().enumerate() {
            if found.alternatives[at].is_empty() {
                found.alternatives[at] = self.most_similar(word, at + 1 == words.len());
            }
        }
        if found.score(Wanted::AllWords) {
            return found;
        }
        // A known word may be a misspelling too: "pine" for "pipe".
        let probable = found.alternatives.clone();
        for (at, word) in words.iter().enumerate() {
            let near = self.postings.vocabulary.near(word, at + 1 == words.len());
            found.alternatives[at].extend(near.into_iter().map(|near| self.correction(near)));
        }
        if !found.score(Wanted::AllWords) {
            found.alternatives = probable;
            found.is_partial = true;
            found.score(Wanted::MostWords);
        }
        found
    }

    /// The alternatives for each word without typo correction.
    fn as_typed<'a>(&'a self, words: &'a [String]) -> Vec<Vec<Alternative<'a>>> {
        let mut alternatives: Vec<Vec<Alternative<'a>>> = words.iter().map(|word| self.same(word)).collect();
        // Typed as separate words or with hyphens, but a single word or code in the catalog: it satisfies all its parts.
        for first in 0..words.len() {
            for last in first + 1..words.len() {
                let joined = words[first..=last].concat();
                let mut same = self.same(&joined);
                if last + 1 == words.len() {
                    same.extend(self.beginning_with(&joined));
                }
                for part in &mut alternatives[first..=last] {
                    part.extend_from_slice(&same);
                }
            }
        }
        if let (Some(unfinished), Some(alternatives)) = (words.last(), alternatives.last_mut()) {
            alternatives.extend(self.beginning_with(unfinished));
        }
        for (word, alternatives) in words.iter().zip(&mut alternatives) {
            alternatives.extend(self.doubts(word));
        }
        alternatives
    }

    /// Descriptions contain misspellings too. A rare word that is not a name therefore also matches the common names that resemble it.
    fn doubts(&self, word: &str) -> Vec<Alternative<'_>> {
        let vocabulary = &self.postings.vocabulary;
        let Some(rare) = vocabulary.find(word).filter(|usage| !usage.is_name()) else { return Vec::new() };
        let near = vocabulary.near(word, false).into_iter().filter(|near| {
            let common = near.word.usage;
            common.is_name() && common.stem != rare.stem && common.products / DOUBTED_BELOW >= rare.products
        });
        near.map(|near| self.correction(near))
            .map(|it| Alternative { weight: it.weight * weight::DOUBT, ..it })
            .collect()
    }

    /// The word in all its inflected forms, its synonyms, and the code that is written so.
    fn same(&self, word: &str) -> Vec<Alternative<'_>> {
        let stem = words::stem(word);
        let alternative = |(term, products), weight| Alternative {
            products,
            term: Some(term),
            weight,
            word: None,
            is_correction: false,
        };
        let own = self.postings.find(&stem).map(|found| alternative(found, 1.0));
        let synonyms = words::synonyms(&stem).filter_map(|synonym| self.postings.find(synonym));
        let synonyms = synonyms.map(|found| alternative(found, weight::SYNONYM));
        own.into_iter().chain(synonyms).chain(self.postings.code(word).map(|code| of_code(code, 1.0))).collect()
    }

    fn beginning_with<'a>(&'a self, prefix: &str) -> Vec<Alternative<'a>> {
        let words = self.postings.vocabulary.with_prefix(prefix).map(|word| self.alternative(word, weight::PREFIX));
        let codes = self.postings.codes_with_prefix(prefix).map(|code| of_code(code, weight::PREFIX));
        words.chain(codes).collect()
    }

    fn most_similar(&self, word: &str, unfinished: bool) -> Vec<Alternative<'_>> {
        let near = self.postings.vocabulary.near(word, unfinished);
        // Of equally close words, names are what shoppers search for.
        let distance = |near: &Near<'_>| (near.is_prefix, near.edits, !near.word.usage.is_name());
        let closest = near.iter().map(distance).min();
        let near = near.into_iter().filter(|near| Some(distance(near)) == closest);
        near.map(|near| self.correction(near)).collect()
    }

    fn correction<'a>(&'a self, near: Near<'a>) -> Alternative<'a> {
        let mut weight = weight::EDIT.powi(near.edits as i32);
        if near.is_prefix {
            weight *= weight::MISSPELLED_PREFIX;
        }
        if !near.same_initial {
            weight *= weight::OTHER_INITIAL;
        }
        Alternative { is_correction: true, ..self.alternative(near.word, weight) }
    }

    fn alternative<'a>(&'a self, word: Word<'a>, weight: f32) -> Alternative<'a> {
        let stem = word.usage.stem;
        let products = self.postings.list(stem);
        Alternative { products, term: Some(stem), weight, word: Some(word), is_correction: false }
    }
}

fn of_code(products: &[Posting], weight: f32) -> Alternative<'_> {
    Alternative { products, term: None, weight, word: None, is_correction: false }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    AllWords,
    /// As many words as the best product has.
    MostWords,
}

impl<'a> Found<'a> {
    /// With their scores, which are only comparable within one search.
    pub fn products(&self) -> impl Iterator<Item = (usize, f32)> {
        self.scores.iter().copied().enumerate().filter(|(_, score)| *score > 0.0)
    }

    /// Whether products may have been found by other words than the typed ones.
    pub fn is_corrected(&self) -> bool {
        self.is_partial || self.alternatives.iter().flatten().any(|alternative| alternative.is_correction)
    }

    /// The words by which a product was found, if they differ from the typed ones.
    pub fn correction(&self, product: u32) -> Option<String> {
        let meant: Vec<&str> = (0..self.words.len()).filter_map(|at| self.meant(at, product)).collect();
        Some(meant.join(" ")).filter(|meant| *meant != self.words.join(" "))
    }

    /// Texts whose last word is completed to a name, those with the most products first. The words before it are corrected as for
    /// `product`.
    pub fn completions(&self, product: u32, limit: usize) -> Vec<String> {
        let Some((typed, before)) = self.words.split_last() else { return Vec::new() };
        if self.best(before.len(), product).is_some_and(|best| best.term.is_none()) {
            return Vec::new();
        }
        let complete = self.matcher.postings.find(&words::stem(typed)).map(|(term, _)| term);
        // Inflected forms of a word lead to the same products: only the most common one is suggested.
        let mut forms: BTreeMap<Term, (Word<'a>, &[Posting])> = BTreeMap::new();
        for alternative in &self.alternatives[before.len()] {
            let Some(word) = alternative.word else { continue };
            let continues = word.text.starts_with(typed) && Some(word.usage.stem) != complete;
            if word.usage.is_name() && (continues || alternative.is_correction) {
                let form = forms.entry(word.usage.stem).or_insert((word, alternative.products));
                if word.usage.products > form.0.usage.products {
                    form.0 = word;
                }
            }
        }
        let counted = forms.into_values().map(|(word, products)| (self.count(products), word.text));
        let mut counted: Vec<(usize, &str)> = counted.filter(|(count, _)| *count > 0).collect();
        counted.sort_by_key(|(count, text)| (Reverse(*count), *text));
        let before: Vec<&str> = (0..before.len()).filter_map(|at| self.meant(at, product)).collect();
        let complete = |text| [before.as_slice(), &[text]].concat().join(" ");
        counted.into_iter().take(limit).map(|(_, text)| complete(text)).collect()
    }

    /// The number of found products among these.
    fn count(&self, products: &[Posting]) -> usize {
        products.iter().filter(|posting| self.scores[posting.product as usize] > 0.0).count()
    }

    /// The word that a typed word was matched as in a product, if any.
    fn meant(&self, at: usize, product: u32) -> Option<&str> {
        let best = self.best(at, product)?;
        let corrected = best.word.filter(|_| best.is_correction);
        Some(corrected.map_or(self.words[at].as_str(), |word| word.text))
    }

    /// The best alternative by which a product matches a typed word.
    fn best(&self, at: usize, product: u32) -> Option<&Alternative<'a>> {
        let weighed = self.alternatives[at].iter().filter_map(|alternative| {
            let weight = weight_in(alternative.products, product)?;
            Some((weight * alternative.weight, alternative))
        });
        weighed.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, best)| best)
    }

    /// Scores the products that have the wanted words; false when there are none.
    fn score(&mut self, wanted: Wanted) -> bool {
        let postings = &self.matcher.postings;
        let all_words = wanted == Wanted::AllWords;
        self.scores = vec![0.0; postings.numbers()];
        let scores = &mut self.scores;
        let mut matched = vec![0_u8; scores.len()];
        let mut best = vec![0.0_f32; scores.len()];
        // The products that have any of the words so far.
        let mut some = Vec::new();
        for (before, alternatives) in (0_u8..).zip(&self.alternatives) {
            let lists = distinct(alternatives);
            let mut having = Vec::new();
            for (products, weight) in &lists {
                for posting in *products {
                    let product = posting.product as usize;
                    if all_words && matched[product] < before {
                        continue;
                    }
                    if best[product] == 0.0 {
                        having.push(posting.product);
                    }
                    best[product] = best[product].max(posting.weight * weight);
                }
            }
            let commonest = lists.iter().map(|(products, _)| products.len()).max().unwrap_or(0);
            let rarity = (1.0 + postings.product_count() as f32 / commonest.max(1) as f32).ln();
            for product in &having {
                let at = *product as usize;
                scores[at] += std::mem::take(&mut best[at]) * rarity;
                if matched[at] == 0 {
                    some.push(*product);
                }
                matched[at] += 1;
            }
            if all_words && having.is_empty() {
                scores.fill(0.0);
                return false;
            }
        }
        let most = some.iter().map(|product| matched[*product as usize]).max().unwrap_or(0);
        let phrase = Phrase::new(&self.alternatives);
        for product in &some {
            let at = *product as usize;
            // If all words are wanted, some product has them.
            if matched[at] < most {
                scores[at] = 0.0;
            } else if phrase.is_in(|| postings.title(at)) {
                scores[at] *= weight::PHRASE;
            }
        }
        !some.is_empty()
    }
}

/// The lists of a word's alternatives, each once with its highest weight: several forms of a word have the same stem.
fn distinct<'a>(alternatives: &[Alternative<'a>]) -> Vec<(&'a [Posting], f32)> {
    let lists = alternatives.iter().map(|alternative| (alternative.products, alternative.weight));
    let mut lists: Vec<(&[Posting], f32)> = lists.filter(|(products, _)| !products.is_empty()).collect();
    lists.sort_unstable_by(|a, b| a.0.as_ptr().cmp(&b.0.as_ptr()).then_with(|| b.1.total_cmp(&a.1)));
    lists.dedup_by_key(|(products, _)| products.as_ptr());
    lists
}

/// The typed words in order, each with the sorted terms that satisfy it.
struct Phrase(Vec<Vec<Term>>);

impl Phrase {
    fn new(alternatives: &[Vec<Alternative<'_>>]) -> Self {
        let terms = |alternatives: &Vec<Alternative<'_>>| {
            let mut terms: Vec<Term> = alternatives.iter().filter_map(|alternative| alternative.term).collect();
            terms.sort_unstable();
            terms
        };
        Self(alternatives.iter().map(terms).collect())
    }

    fn is_in<'a>(&self, title: impl FnOnce() -> &'a [Term]) -> bool {
        self.0.len() > 1
            && title().windows(self.0.len()).any(|window| {
                window.iter().zip(&self.0).all(|(term, satisfying)| satisfying.binary_search(term).is_ok())
            })
    }
}
