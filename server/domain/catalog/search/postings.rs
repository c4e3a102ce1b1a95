//! Which products contain which words, with weights. A product that changes touches only the lists of words that it gains or loses; all
//! other lists are shared with the former index.

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::{OrdMap, Vector};

pub use super::terms::Term;
use super::terms::Terms;
use super::vocabulary::{Vocabulary, from};
use super::weighing::{Scales, Weighed};
use super::{SearchDocument, words};

const SKU_WEIGHT: f32 = 10.0;
/// Marks a word that is part of a name.
const IS_NAME: u32 = 1 << 31;
/// Shorter beginnings of codes say nothing.
const SHORTEST_CODE: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Posting {
    pub product: u32,
    pub weight: f32,
}

#[derive(Clone, Debug, Default)]
pub struct Postings {
    terms: Terms,
    /// By term, each sorted by product.
    lists: Vector<Arc<[Posting]>>,
    codes: OrdMap<Arc<str>, Arc<[Posting]>>,
    pub vocabulary: Vocabulary,
    /// By number.
    products: Vector<Option<Indexed>>,
    /// Without those that are gone.
    count: usize,
}

/// What a product is found by, so that it can be taken out again.
#[derive(Clone, Debug)]
struct Indexed {
    /// The terms of its title, then those of joined words, then its words as spelled.
    terms: Arc<[Term]>,
    title: usize,
    /// Where its words begin.
    words: usize,
    codes: Arc<[Arc<str>]>,
}

/// A product's new weight in a list; without one it leaves the list.
type Edit = (u32, Option<f32>);

/// Changes that are made together, so that each list is written once. They are noted in the order of products, and sorted by term at the end:
/// there is one for each word of each product.
#[derive(Debug, Default)]
struct Edits {
    lists: Vec<(Term, Edit)>,
    codes: BTreeMap<Arc<str>, Vec<Edit>>,
    /// By how much the numbers of products change that contain a word, and that have it in a name.
    usage: Vec<(Term, i32, i32)>,
}

impl Postings {
    pub fn find(&self, stem: &str) -> Option<(Term, &[Posting])> {
        let term = self.terms.find(stem)?;
        let list = self.list(term);
        (!list.is_empty()).then_some((term, list))
    }

    pub fn list(&self, term: Term) -> &[Posting] {
        self.lists.get(term as usize).map_or(&[], |list| list)
    }

    pub fn code(&self, code: &str) -> Option<&[Posting]> {
        self.codes.get(code).map(AsRef::as_ref)
    }

    pub fn codes_with_prefix<'a, 'p>(&'a self, prefix: &'p str) -> impl Iterator<Item = &'a [Posting]> + use<'a, 'p> {
        let codes = (prefix.len() >= SHORTEST_CODE).then(|| self.codes.range::<_, str>(from(prefix)));
        codes.into_iter().flatten().take_while(move |(code, _)| code.starts_with(prefix)).map(|(_, list)| list.as_ref())
    }

    pub fn title(&self, product: usize) -> &[Term] {
        self.products.get(product).and_then(Option::as_ref).map_or(&[], |known| &known.terms[..known.title])
    }

    pub fn product_count(&self) -> usize {
        self.count
    }

    /// One more than the highest number of a product.
    pub fn numbers(&self) -> usize {
        self.products.len()
    }

    /// Changes products, in ascending order of their numbers. Those without a document are taken out.
    pub fn update(&mut self, products: &[(u32, Option<SearchDocument>)]) {
        let mut terms = std::mem::take(&mut self.terms);
        let mut scales = Scales::new(&mut terms);
        let mut edits = Edits::default();
        for (number, document) in products {
            let at = *number as usize;
            while self.products.len() <= at {
                self.products.push_back(None);
            }
            let new = document.as_ref().map(|document| (scales.weigh(document), codes(document)));
            let former = self.products[at].take();
            self.count = self.count + usize::from(new.is_some()) - usize::from(former.is_some());
            let weighed = new.as_ref().map(|(weighed, _)| weighed);
            let new_codes = new.as_ref().map_or(&[][..], |(_, codes)| codes);
            if let Some(former) = &former {
                edits.take_out(*number, former, &mut scales, weighed, new_codes);
            }
            let had_codes = former.as_ref().map_or(&[][..], |former| &former.codes);
            for code in new_codes.iter().filter(|code| !had_codes.contains(code)) {
                edits.codes.entry(Arc::clone(code)).or_default().push((*number, Some(SKU_WEIGHT)));
            }
            if let Some(weighed) = weighed {
                for (term, weight) in &weighed.weights {
                    if weight_in(self.list(*term), *number) != Some(*weight) {
                        edits.lists.push((*term, (*number, Some(*weight))));
                    }
                }
                edits.count(&weighed.words, 1);
            }
            self.products[at] = new.map(|(weighed, codes)| Indexed::new(&weighed, codes.into(), &mut scales));
        }
        drop(scales);
        self.apply(&terms, edits);
        self.terms = terms;
    }

    fn apply(&mut self, terms: &Terms, edits: Edits) {
        while self.lists.len() < terms.len() {
            self.lists.push_back(Arc::default());
        }
        let Edits { mut lists, codes, mut usage } = edits;
        // Not the faster unstable sort: the edits of a list stay in the order of products.
        lists.sort_by_key(|(term, _)| *term);
        for edits in lists.chunk_by(|(one, _), (other, _)| one == other) {
            let list = &mut self.lists[edits[0].0 as usize];
            *list = edited(list, edits.iter().map(|(_, edit)| *edit));
        }
        for (code, edits) in codes {
            match edited(self.codes.get(&code).map_or(&[], AsRef::as_ref), edits.into_iter()) {
                empty if empty.is_empty() => drop(self.codes.remove(&code)),
                list => drop(self.codes.insert(code, list)),
            }
        }
        usage.sort_unstable_by_key(|(word, ..)| *word);
        for changes in usage.chunk_by(|(one, ..), (other, ..)| one == other) {
            let (products, names) = changes.iter().fold((0, 0), |(all, named), (_, p, n)| (all + p, named + n));
            if (products, names) != (0, 0) {
                self.vocabulary.count(terms, changes[0].0, products, names);
            }
        }
    }
}

impl Indexed {
    fn new(Weighed { title, words, weights }: &Weighed, codes: Arc<[Arc<str>]>, scales: &mut Scales<'_>) -> Self {
        let mut stems: Vec<Term> = words.iter().map(|(word, _)| scales.stem(*word)).collect();
        stems.sort_unstable();
        let joined = weights.iter().map(|(term, _)| *term).filter(|term| stems.binary_search(term).is_err());
        let mut terms: Vec<Term> = title.iter().copied().chain(joined).collect();
        let words_at = terms.len();
        terms.extend(words.iter().map(|(word, is_name)| if *is_name { word | IS_NAME } else { *word }));
        Self { terms: terms.into(), title: title.len(), words: words_at, codes }
    }

    fn words(&self) -> impl Iterator<Item = (Term, bool)> {
        self.terms[self.words..].iter().map(|word| (word & !IS_NAME, word & IS_NAME != 0))
    }
}

impl Edits {
    /// Takes a product out of what it is no longer found by.
    fn take_out(
        &mut self,
        number: u32,
        former: &Indexed,
        scales: &mut Scales<'_>,
        new: Option<&Weighed>,
        codes: &[Arc<str>],
    ) {
        let words: Vec<(Term, bool)> = former.words().collect();
        let stems = words.iter().map(|(word, _)| scales.stem(*word));
        let mut terms: Vec<Term> = former.terms[former.title..former.words].iter().copied().chain(stems).collect();
        terms.sort_unstable();
        terms.dedup();
        let weights = new.map_or(&[][..], |new| &new.weights);
        for term in terms {
            if weights.binary_search_by_key(&term, |(term, _)| *term).is_err() {
                self.lists.push((term, (number, None)));
            }
        }
        for code in former.codes.iter().filter(|code| !codes.contains(code)) {
            self.codes.entry(Arc::clone(code)).or_default().push((number, None));
        }
        self.count(&words, -1);
    }

    fn count(&mut self, words: &[(Term, bool)], by: i32) {
        for (word, is_name) in words {
            self.usage.push((*word, by, if *is_name { by } else { 0 }));
        }
    }
}

/// A product's weight in a list.
pub fn weight_in(list: &[Posting], product: u32) -> Option<f32> {
    list.binary_search_by_key(&product, |posting| posting.product).ok().map(|at| list[at].weight)
}

/// The list after these edits, which are sorted by product, too.
fn edited(list: &[Posting], edits: impl ExactSizeIterator<Item = Edit>) -> Arc<[Posting]> {
    let mut out = Vec::with_capacity(list.len() + edits.len());
    let mut rest = list;
    for (product, weight) in edits {
        let (before, after) = rest.split_at(rest.partition_point(|posting| posting.product < product));
        out.extend_from_slice(before);
        rest = if after.first().is_some_and(|posting| posting.product == product) { &after[1..] } else { after };
        out.extend(weight.map(|weight| Posting { product, weight }));
    }
    out.extend_from_slice(rest);
    out.into()
}

fn codes(document: &SearchDocument) -> Vec<Arc<str>> {
    let mut codes: Vec<Arc<str>> = document.skus.iter().map(|sku| words::of_code(sku).into()).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}
