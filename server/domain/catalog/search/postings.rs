//! Which products contain which words, and the weight of each word according to its field.

use std::collections::HashMap;

use super::vocabulary::{Usage, Vocabulary};
use super::{SearchDocument, words};

/// The number of a word stem.
pub type Term = u32;

#[derive(Clone, Copy, Debug)]
pub struct Posting {
    pub product: u32,
    pub weight: f32,
}

#[derive(Debug, Default)]
pub struct Postings {
    terms: HashMap<String, Term>,
    /// By term, each sorted by product.
    lists: Vec<Vec<Posting>>,
    /// By product: the terms of its title, in order.
    titles: Vec<Vec<Term>>,
}

/// The weight of a word by its field.
mod weight {
    pub const TITLE: f32 = 10.0;
    pub const SKU: f32 = 10.0;
    /// For the product's own category and each one above it, divided among the words of the slug: somebody who types the full name of a
    /// category wants its products.
    pub const SLUG: f32 = 6.5;
    pub const CATEGORY: f32 = 3.0;
    pub const MATERIAL: f32 = 3.0;
    pub const COLOR: f32 = 3.0;
    pub const SUBTITLE: f32 = 1.5;
    pub const DESCRIPTION: f32 = 1.0;
}

impl Postings {
    /// A product's index in `documents` becomes its number.
    pub fn build(documents: &[SearchDocument]) -> (Self, Vocabulary) {
        let mut builder = Builder::default();
        for document in documents {
            builder.add(document);
        }
        let words = builder.words.into_iter().map(|(text, written)| (text, written.usage));
        (builder.postings, Vocabulary::build(words.collect()))
    }

    pub fn find(&self, stem: &str) -> Option<Term> {
        self.terms.get(stem).copied()
    }

    pub fn list(&self, term: Term) -> &[Posting] {
        &self.lists[term as usize]
    }

    pub fn weight(&self, term: Term, product: usize) -> Option<f32> {
        let list = self.list(term);
        list.binary_search_by_key(&product, |posting| posting.product as usize).ok().map(|at| list[at].weight)
    }

    pub fn title(&self, product: usize) -> &[Term] {
        &self.titles[product]
    }

    pub fn product_count(&self) -> usize {
        self.titles.len()
    }
}

#[derive(Default)]
struct Builder {
    postings: Postings,
    words: HashMap<String, Written>,
    /// By term: the weight from the fields of the current product so far.
    weights: Vec<f32>,
    /// The terms with a weight.
    weighed: Vec<Term>,
}

struct Written {
    usage: Usage,
    last_product: Option<u32>,
}

impl Builder {
    fn add(&mut self, document: &SearchDocument) {
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
        for sku in &document.skus {
            self.code(words::of_code(sku));
        }
        let product = self.product();
        for term in self.weighed.drain(..) {
            let weight = std::mem::take(&mut self.weights[term as usize]);
            self.postings.lists[term as usize].push(Posting { product, weight });
        }
        self.postings.titles.push(title);
    }

    /// The number of the current product.
    fn product(&self) -> u32 {
        self.postings.titles.len() as u32
    }

    /// Adds a short text that names the product or one of its properties. The fewer words it has, the more each one counts: they divide the
    /// `shared` part of the weight, and each gets the rest in full.
    fn name(&mut self, text: &str, weight: f32, shared: f32) -> Vec<Term> {
        let words: Vec<String> = words::of_document(text).collect();
        let weight = weight * (1.0 - shared + shared / words.len().max(1) as f32);
        // An "ash tray" is also found as "ashtray".
        let joined = words.windows(2).map(|pair| self.term(words::stem(&pair.concat()))).collect();
        self.weigh(joined, weight);
        let terms: Vec<Term> = words.into_iter().map(|word| self.word(word, true)).collect();
        self.weigh(terms.clone(), weight);
        terms
    }

    fn text(&mut self, text: &str, weight: f32) {
        let terms = words::of_document(text).map(|word| self.word(word, false)).collect();
        self.weigh(terms, weight);
    }

    fn code(&mut self, code: String) {
        let term = self.term(code.clone());
        self.weigh(vec![term], weight::SKU);
        let usage = Usage { term, products: 1, is_name: false, is_code: true };
        self.words.entry(code).or_insert(Written { usage, last_product: None });
    }

    fn word(&mut self, word: String, is_name: bool) -> Term {
        let product = Some(self.product());
        if let Some(Written { usage, last_product }) = self.words.get_mut(&word).filter(|known| !known.usage.is_code) {
            usage.products += u32::from(*last_product != product);
            usage.is_name |= is_name;
            *last_product = product;
            return usage.term;
        }
        let term = self.term(words::stem(&word));
        let usage = Usage { term, products: 1, is_name, is_code: false };
        self.words.insert(word, Written { usage, last_product: product });
        term
    }

    /// Adds the weight of one field: a word counts once, even if it is repeated.
    fn weigh(&mut self, mut terms: Vec<Term>, weight: f32) {
        terms.sort_unstable();
        terms.dedup();
        for term in terms {
            let known = &mut self.weights[term as usize];
            if *known == 0.0 {
                self.weighed.push(term);
            }
            *known += weight;
        }
    }

    fn term(&mut self, stem: String) -> Term {
        let next = self.postings.lists.len() as Term;
        let term = *self.postings.terms.entry(stem).or_insert(next);
        if term == next {
            self.postings.lists.push(Vec::new());
            self.weights.push(0.0);
        }
        term
    }
}
