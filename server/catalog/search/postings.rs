//! Which products have which words, and how much a word says about a product by where it stands.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::SearchDocument;
use super::vocabulary::{Usage, Vocabulary};
use super::words;

/// The number of a word's stem.
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
    /// By product: its title's terms in order.
    titles: Vec<Vec<Term>>,
}

/// What a word is worth by the field that it stands in.
mod weight {
    pub const TITLE: f32 = 10.0;
    pub const SKU: f32 = 10.0;
    pub const CATEGORY: f32 = 5.0;
    pub const MATERIAL: f32 = 3.0;
    pub const COLOUR: f32 = 3.0;
    pub const PARENT_CATEGORY: f32 = 2.0;
    pub const SUBTITLE: f32 = 1.5;
    pub const DESCRIPTION: f32 = 1.0;
}

impl Postings {
    /// The products' places in `documents` become their numbers.
    pub fn build(documents: &[SearchDocument]) -> (Self, Vocabulary) {
        let mut builder = Builder::default();
        for document in documents {
            builder.add(document);
        }
        let vocabulary = Vocabulary::build(builder.words);
        (builder.postings, vocabulary)
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
    words: BTreeMap<String, Usage>,
    product: ProductWords,
}

/// The words of the product at hand.
#[derive(Default)]
struct ProductWords {
    weights: HashMap<Term, f32>,
    written: HashSet<String>,
}

impl Builder {
    fn add(&mut self, document: &SearchDocument) {
        let title = self.name(&document.title, weight::TITLE);
        self.name(&document.category_name, weight::CATEGORY);
        for material in &document.materials {
            self.name(material, weight::MATERIAL);
        }
        for colour in &document.colours {
            self.name(colour, weight::COLOUR);
        }
        self.text(&document.categories.join(" "), weight::PARENT_CATEGORY);
        self.text(&document.subtitle, weight::SUBTITLE);
        self.text(&document.description, weight::DESCRIPTION);
        for sku in &document.skus {
            let code = words::of_code(sku);
            let term = self.term(code.clone());
            self.weigh(vec![term], weight::SKU);
            self.write(code, Usage { term, products: 0, is_name: false, is_code: true });
        }
        let product = self.postings.titles.len() as u32;
        for (term, weight) in self.product.weights.drain() {
            self.postings.lists[term as usize].push(Posting { product, weight });
        }
        self.product.written.clear();
        self.postings.titles.push(title);
    }

    /// A few words that name the product or one of its properties. A long name says less with each of its words.
    fn name(&mut self, text: &str, weight: f32) -> Vec<Term> {
        let words: Vec<String> = words::of_document(text).collect();
        let weight = weight * (0.8 + 0.2 / words.len().max(1) as f32);
        // An "ash tray" is found as "ashtray" too.
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

    fn word(&mut self, word: String, is_name: bool) -> Term {
        let term = match self.words.get(&word) {
            Some(usage) if !usage.is_code => usage.term,
            _ => self.term(words::stem(&word)),
        };
        self.write(word, Usage { term, products: 0, is_name, is_code: false });
        term
    }

    fn write(&mut self, word: String, usage: Usage) {
        let is_new = !self.product.written.contains(&word);
        let known = self.words.entry(word.clone()).or_insert(usage);
        known.products += u32::from(is_new);
        known.is_name |= usage.is_name;
        known.is_code &= usage.is_code;
        self.product.written.insert(word);
    }

    /// Adds what one field says about the product: a word counts once, however often it is repeated.
    fn weigh(&mut self, mut terms: Vec<Term>, weight: f32) {
        terms.sort_unstable();
        terms.dedup();
        for term in terms {
            *self.product.weights.entry(term).or_default() += weight;
        }
    }

    fn term(&mut self, stem: String) -> Term {
        let next = self.postings.lists.len() as Term;
        let term = *self.postings.terms.entry(stem).or_insert(next);
        if term == next {
            self.postings.lists.push(Vec::new());
        }
        term
    }
}
