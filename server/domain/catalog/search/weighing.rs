//! The words of a product, each with a weight according to its fields.

use std::collections::HashMap;

use super::terms::{Term, Terms};
use super::{SearchDocument, words};

/// The weight of a word by its field.
mod weight {
    pub const TITLE: f32 = 10.0;
    /// For the product's own category and each one above it, divided among the words of the slug: somebody who types the full name of a
    /// category wants its products.
    pub const SLUG: f32 = 6.5;
    pub const CATEGORY: f32 = 3.0;
    pub const MATERIAL: f32 = 3.0;
    pub const COLOR: f32 = 3.0;
    pub const SUBTITLE: f32 = 1.5;
    pub const DESCRIPTION: f32 = 1.0;
}

/// A product's words.
#[derive(Debug, Default)]
pub struct Weighed {
    /// The stems of its title, in order.
    pub title: Vec<Term>,
    /// As spelled, sorted, and whether each is part of a name.
    pub words: Vec<(Term, bool)>,
    /// The stems, and those of joined words, sorted.
    pub weights: Vec<(Term, f32)>,
}

/// Weighs the words of products.
#[derive(Debug)]
pub struct Scales<'a> {
    terms: &'a mut Terms,
    /// The stems of two words that were joined before.
    joined: HashMap<(Term, Term), Term>,
    product: Weighed,
}

impl<'a> Scales<'a> {
    pub fn new(terms: &'a mut Terms) -> Self {
        Self { terms, joined: HashMap::new(), product: Weighed::default() }
    }

    pub fn weigh(&mut self, document: &SearchDocument) -> Weighed {
        let title = self.name(&document.title, weight::TITLE, 0.5);
        self.name(&document.category_name, weight::CATEGORY, 0.5);
        for slug in &document.categories {
            self.name(&slug.replace('-', " "), weight::SLUG, 1.0);
        }
        for material in &document.materials {
            self.name(material, weight::MATERIAL, 0.5);
        }
        for color in &document.colors {
            self.name(color, weight::COLOR, 0.5);
        }
        self.text(&document.subtitle, weight::SUBTITLE);
        self.text(&document.description, weight::DESCRIPTION);
        let Weighed { mut words, mut weights, .. } = std::mem::take(&mut self.product);
        words.sort_unstable_by_key(|(word, is_name)| (*word, !is_name));
        words.dedup_by_key(|(word, _)| *word);
        // In the order of the fields, so that equal texts have equal sums.
        weights.sort_by_key(|(term, _)| *term);
        weights.dedup_by(|(term, weight), (kept, sum)| {
            let is_same = term == kept;
            *sum += if is_same { *weight } else { 0.0 };
            is_same
        });
        Weighed { title, words, weights }
    }

    pub fn stem(&mut self, word: Term) -> Term {
        self.terms.stem(word)
    }

    /// Adds a short text that names the product or one of its properties. The fewer words it has, the more each one counts: they divide the
    /// `shared` part of the weight, and each gets the rest in full.
    fn name(&mut self, text: &str, weight: f32, shared: f32) -> Vec<Term> {
        let words = self.words(text, true);
        let weight = weight * (1.0 - shared + shared / words.len().max(1) as f32);
        // An "ash tray" is also found as "ashtray".
        let joined = words.windows(2).map(|pair| self.joined(pair[0], pair[1])).collect();
        self.add(joined, weight);
        let stems: Vec<Term> = words.into_iter().map(|word| self.terms.stem(word)).collect();
        self.add(stems.clone(), weight);
        stems
    }

    fn text(&mut self, text: &str, weight: f32) {
        let words = self.words(text, false);
        let stems = words.into_iter().map(|word| self.terms.stem(word)).collect();
        self.add(stems, weight);
    }

    fn words(&mut self, text: &str, is_name: bool) -> Vec<Term> {
        let mut words = Vec::new();
        words::of_document(text, |word| words.push(self.terms.number(word)));
        self.product.words.extend(words.iter().map(|word| (*word, is_name)));
        words
    }

    fn joined(&mut self, one: Term, other: Term) -> Term {
        let terms = &mut *self.terms;
        *self.joined.entry((one, other)).or_insert_with(|| {
            let text = [terms.text(one).as_ref(), terms.text(other)].concat();
            terms.number(&words::stem(&text))
        })
    }

    /// Adds the weight of one field: a word counts once, even if it is repeated.
    fn add(&mut self, mut terms: Vec<Term>, weight: f32) {
        terms.sort_unstable();
        terms.dedup();
        self.product.weights.extend(terms.into_iter().map(|term| (term, weight)));
    }
}
