//! All texts that products are found by, with numbers.

use std::sync::Arc;

use foldhash::fast::RandomState;
use imbl::shared_ptr::DefaultSharedPtr;
use imbl::{GenericHashMap, Vector};

use super::words;

/// The number of a text: a word as spelled, a stem, or two words joined.
pub type Term = u32;

/// Texts keep their numbers, also when no product has them any more.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    numbers: GenericHashMap<Arc<str>, Term, RandomState, DefaultSharedPtr>,
    known: Vector<Known>,
}

#[derive(Clone, Debug)]
struct Known {
    text: Arc<str>,
    /// Of a word that was spelled so.
    stem: Option<Term>,
}

impl Terms {
    pub fn find(&self, text: &str) -> Option<Term> {
        self.numbers.get(text).copied()
    }

    pub fn text(&self, term: Term) -> &Arc<str> {
        &self.known[term as usize].text
    }

    pub fn len(&self) -> usize {
        self.known.len()
    }

    pub fn number(&mut self, text: &str) -> Term {
        if let Some(term) = self.find(text) {
            return term;
        }
        let (term, text) = (self.known.len() as Term, Arc::from(text));
        self.numbers.insert(Arc::clone(&text), term);
        self.known.push_back(Known { text, stem: None });
        term
    }

    /// The stem of a word that has been looked up with [`Self::stem`].
    pub fn known_stem(&self, word: Term) -> Term {
        self.known[word as usize].stem.unwrap_or(word)
    }

    /// The stem of a word.
    pub fn stem(&mut self, word: Term) -> Term {
        let Known { text, stem } = &self.known[word as usize];
        if let Some(stem) = stem {
            return *stem;
        }
        let stem = self.number(&words::stem(&Arc::clone(text)));
        self.known[word as usize].stem = Some(stem);
        stem
    }
}
