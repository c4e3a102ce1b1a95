//! Finds and scores products for the typed words.
//!
//! Words are first matched as typed; the last one may be unfinished. Only if no product has all of them are misspellings considered, and
//! only if that finds nothing either is a subset of the words enough. So a correct search is never diluted by similar products, whatever
//! the sort order.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::postings::{Postings, Term};
use super::vocabulary::{Near, Vocabulary};
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

#[derive(Debug)]
pub struct Matcher {
    postings: Postings,
    vocabulary: Vocabulary,
}

/// A term that satisfies a typed word.
#[derive(Clone, Copy)]
struct Alternative {
    term: Term,
    weight: f32,
    /// The vocabulary word that was probably meant, if it differs from the typed one.
    word: Option<usize>,
    is_correction: bool,
}

/// The products found, and the reasons.
pub struct Found<'a> {
    matcher: &'a Matcher,
    words: &'a [String],
    /// The alternatives for each word.
    alternatives: Vec<Vec<Alternative>>,
    /// Score by product; 0 means not found.
    scores: Vec<f32>,
}

impl Matcher {
    pub fn build(documents: &[SearchDocument]) -> Self {
        let (postings, vocabulary) = Postings::build(documents);
        Self { postings, vocabulary }
    }

    pub fn find<'a>(&'a self, words: &'a [String]) -> Found<'a> {
        let alternatives = self.as_typed(words);
        let mut found = Found { matcher: self, words, alternatives, scores: Vec::new() };
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
            let near = self.vocabulary.near(word, at + 1 == words.len());
            found.alternatives[at].extend(near.into_iter().map(|near| self.correction(near)));
        }
        if !found.score(Wanted::AllWords) {
            found.alternatives = probable;
            found.score(Wanted::MostWords);
        }
        found
    }

    /// The alternatives for each word without typo correction.
    fn as_typed(&self, words: &[String]) -> Vec<Vec<Alternative>> {
        let mut alternatives: Vec<Vec<Alternative>> = words.iter().map(|word| self.same(word)).collect();
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
    fn doubts(&self, word: &str) -> Vec<Alternative> {
        let Some(rare) = self.vocabulary.find(word).filter(|usage| !usage.is_name && !usage.is_code) else {
            return Vec::new();
        };
        let near = self.vocabulary.near(word, false).into_iter().filter(|near| {
            let common = self.vocabulary.usage(near.word);
            common.is_name && common.term != rare.term && common.products / DOUBTED_BELOW >= rare.products
        });
        near.map(|near| self.correction(near))
            .map(|it| Alternative { weight: it.weight * weight::DOUBT, ..it })
            .collect()
    }

    /// The word in all its inflected forms, and its synonyms.
    fn same(&self, word: &str) -> Vec<Alternative> {
        let stem = words::stem(word);
        let alternative = |stem: &str, weight| {
            self.postings.find(stem).map(|term| Alternative { term, weight, word: None, is_correction: false })
        };
        let synonyms = words::synonyms(&stem).filter_map(|synonym| alternative(synonym, weight::SYNONYM));
        // Codes are not stemmed.
        let mut same: Vec<Alternative> = alternative(&stem, 1.0).into_iter().chain(synonyms).collect();
        if word != stem {
            same.extend(alternative(word, 1.0));
        }
        same
    }

    fn beginning_with(&self, prefix: &str) -> impl Iterator<Item = Alternative> {
        self.vocabulary.with_prefix(prefix).map(|word| Alternative {
            term: self.vocabulary.usage(word).term,
            weight: weight::PREFIX,
            word: Some(word),
            is_correction: false,
        })
    }

    fn most_similar(&self, word: &str, unfinished: bool) -> Vec<Alternative> {
        let near = self.vocabulary.near(word, unfinished);
        let closest = near.iter().map(|near| (near.is_prefix, near.edits)).min();
        let near = near.into_iter().filter(|near| Some((near.is_prefix, near.edits)) == closest);
        near.map(|near| self.correction(near)).collect()
    }

    fn correction(&self, near: Near) -> Alternative {
        let mut weight = weight::EDIT.powi(near.edits as i32);
        if near.is_prefix {
            weight *= weight::MISSPELLED_PREFIX;
        }
        if !near.same_initial {
            weight *= weight::OTHER_INITIAL;
        }
        Alternative { term: self.vocabulary.usage(near.word).term, weight, word: Some(near.word), is_correction: true }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    AllWords,
    /// As many words as the best product has.
    MostWords,
}

impl Found<'_> {
    pub fn products(&self) -> impl Iterator<Item = usize> {
        self.scores.iter().enumerate().filter(|(_, score)| **score > 0.0).map(|(product, _)| product)
    }

    /// The score of a product; only comparable within one search.
    pub fn score_of(&self, product: usize) -> f32 {
        self.scores[product]
    }

    /// The words by which a product was found, if they differ from the typed ones.
    pub fn correction(&self, product: usize) -> Option<String> {
        let meant: Vec<&str> = (0..self.words.len()).filter_map(|at| self.meant(at, product)).collect();
        Some(meant.join(" ")).filter(|meant| *meant != self.words.join(" "))
    }

    /// Texts whose last word is completed to a name, those with the most products first. The words before it are corrected as for
    /// `product`.
    pub fn completions(&self, product: usize, limit: usize) -> Vec<String> {
        let vocabulary = &self.matcher.vocabulary;
        let Some((typed, before)) = self.words.split_last() else { return Vec::new() };
        let code = self.best(before.len(), product).and_then(|best| best.word);
        if code.is_some_and(|word| vocabulary.usage(word).is_code) {
            return Vec::new();
        }
        let complete = self.matcher.postings.find(&words::stem(typed));
        // Inflected forms of a word lead to the same products: only the most common one is suggested.
        let mut forms: BTreeMap<Term, usize> = BTreeMap::new();
        for alternative in &self.alternatives[before.len()] {
            let Some(word) = alternative.word else { continue };
            let usage = vocabulary.usage(word);
            let continues = vocabulary.text(word).starts_with(typed) && Some(usage.term) != complete;
            if usage.is_name && (continues || alternative.is_correction) {
                let form = forms.entry(usage.term).or_insert(word);
                if usage.products > vocabulary.usage(*form).products {
                    *form = word;
                }
            }
        }
        let mut counted: Vec<(usize, usize)> =
            forms.into_iter().map(|(term, word)| (self.count(term), word)).filter(|(count, _)| *count > 0).collect();
        counted.sort_by_key(|(count, word)| (Reverse(*count), *word));
        let before: Vec<&str> = (0..before.len()).filter_map(|at| self.meant(at, product)).collect();
        let complete = |word| [before.as_slice(), &[vocabulary.text(word)]].concat().join(" ");
        counted.into_iter().take(limit).map(|(_, word)| complete(word)).collect()
    }

    /// The number of found products that have the term.
    fn count(&self, term: Term) -> usize {
        let list = self.matcher.postings.list(term);
        list.iter().filter(|posting| self.scores[posting.product as usize] > 0.0).count()
    }

    /// The word that a typed word was matched as in a product, if any.
    fn meant(&self, at: usize, product: usize) -> Option<&str> {
        let best = self.best(at, product)?;
        let corrected = best.word.filter(|_| best.is_correction);
        Some(corrected.map_or(self.words[at].as_str(), |word| self.matcher.vocabulary.text(word)))
    }

    /// The best alternative by which a product matches a typed word.
    fn best(&self, at: usize, product: usize) -> Option<&Alternative> {
        let weighed = self.alternatives[at].iter().filter_map(|alternative| {
            let weight = self.matcher.postings.weight(alternative.term, product)?;
            Some((weight * alternative.weight, alternative))
        });
        weighed.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, best)| best)
    }

    /// Scores the products that have the wanted words; false when there are none.
    fn score(&mut self, wanted: Wanted) -> bool {
        let postings = &self.matcher.postings;
        let mut scores = vec![0.0; postings.product_count()];
        let mut matched = vec![0; scores.len()];
        let mut best = vec![0.0_f32; scores.len()];
        for alternatives in &self.alternatives {
            best.fill(0.0);
            let mut commonest = 0;
            for alternative in alternatives {
                let list = postings.list(alternative.term);
                commonest = commonest.max(list.len());
                for posting in list {
                    let best = &mut best[posting.product as usize];
                    *best = best.max(posting.weight * alternative.weight);
                }
            }
            let rarity = (1.0 + scores.len() as f32 / commonest.max(1) as f32).ln();
            for (product, weight) in best.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
                scores[product] += weight * rarity;
                matched[product] += 1;
            }
        }
        let needed = match wanted {
            Wanted::AllWords => self.words.len(),
            Wanted::MostWords => matched.iter().copied().max().unwrap_or(0),
        };
        let phrase = Phrase::new(&self.alternatives);
        for (product, score) in scores.iter_mut().enumerate() {
            if matched[product] < needed {
                *score = 0.0;
            } else if phrase.is_in(postings.title(product)) {
                *score *= weight::PHRASE;
            }
        }
        self.scores = scores;
        self.scores.iter().any(|score| *score > 0.0)
    }
}

/// The typed words in order, each with the sorted terms that satisfy it.
struct Phrase(Vec<Vec<Term>>);

impl Phrase {
    fn new(alternatives: &[Vec<Alternative>]) -> Self {
        let terms = |alternatives: &Vec<Alternative>| {
            let mut terms: Vec<Term> = alternatives.iter().map(|alternative| alternative.term).collect();
            terms.sort_unstable();
            terms
        };
        Self(alternatives.iter().map(terms).collect())
    }

    fn is_in(&self, title: &[Term]) -> bool {
        self.0.len() > 1
            && title.windows(self.0.len()).any(|window| {
                window.iter().zip(&self.0).all(|(term, satisfying)| satisfying.binary_search(term).is_ok())
            })
    }
}
