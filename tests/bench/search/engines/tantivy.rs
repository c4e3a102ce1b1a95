//! tantivy in RAM: stemmed fields for words as typed, unstemmed ones for prefixes and misspellings, BM25 with a boost per field. Filters
//! and facets use the embedded index's column scan, which is faster than tantivy's own aggregations.

#[allow(clippy::duplicate_mod, reason = "the candidate shares the embedded index's columns")]
#[path = "../../../../server/domain/catalog/search/columns.rs"]
mod columns;
#[allow(clippy::duplicate_mod, dead_code, reason = "a part of them")]
#[path = "../../../../server/domain/catalog/search/labels.rs"]
mod labels;
#[allow(clippy::duplicate_mod, dead_code, reason = "a part of them")]
#[path = "../../../../server/domain/catalog/search/order.rs"]
mod order;

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::query::{BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, FuzzyTermQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::{DocId, Index, IndexSettings, Searcher, SegmentReader, TantivyDocument, Term};

use self::columns::{Columns, Filtered};
use self::order::page;
use super::{Engine, words};
use crate::Failure;
use crate::search::{FacetCounts, SearchDocument, SearchQuery, SearchResult, Sort};

pub struct Tantivy {
    searcher: Searcher,
    fields: Vec<SearchField>,
    columns: Columns,
}

struct SearchField {
    stemmed: Field,
    plain: Field,
    boost: f32,
    text: fn(&SearchDocument) -> String,
}

/// How much a term may differ from the typed word.
#[derive(Clone, Copy, PartialEq)]
enum Tolerance {
    AsTyped,
    Misspelled,
}

impl Tantivy {
    pub fn build(products: &[SearchDocument]) -> Result<Self, Failure> {
        let mut schema = Schema::builder();
        let mut field = |name: &str, boost, text| {
            let mut add = |name: &str, tokenizer: &str| {
                let indexing = TextFieldIndexing::default()
                    .set_tokenizer(tokenizer)
                    .set_index_option(IndexRecordOption::WithFreqs);
                schema.add_text_field(name, TextOptions::default().set_indexing_options(indexing))
            };
            SearchField { stemmed: add(name, "en_stem"), plain: add(&format!("{name}_plain"), "default"), boost, text }
        };
        let fields = vec![
            field("title", 10.0, |p| p.title.clone()),
            field("category", 5.0, |p| format!("{} {}", p.category_name, p.categories.join(" "))),
            field("attributes", 3.0, |p| [p.materials.as_slice(), &p.colors].concat().join(" ")),
            field("subtitle", 1.5, |p| p.subtitle.clone()),
            field("description", 1.0, |p| p.description.clone()),
            field("sku", 10.0, |p| p.skus.iter().map(|sku| words::of_code(sku)).collect::<Vec<_>>().join(" ")),
        ];
        let index = Index::builder().schema(schema.build()).settings(IndexSettings::default()).create_in_ram()?;
        let mut writer = index.writer_with_num_threads::<TantivyDocument>(1, 64_000_000)?;
        writer.set_merge_policy(Box::new(tantivy::merge_policy::NoMergePolicy));
        for product in products {
            let mut document = TantivyDocument::default();
            for field in &fields {
                let text = (field.text)(product);
                document.add_text(field.stemmed, &text);
                document.add_text(field.plain, &text);
            }
            writer.add_document(document)?;
        }
        writer.commit()?;
        let segments = index.searchable_segment_ids()?;
        if segments.len() > 1 {
            writer.merge(&segments).wait()?;
        }
        writer.wait_merging_threads()?;
        let searcher = index.reader()?.searcher();
        let mut columns = Columns::default();
        let changes: Vec<_> = (0..).zip(products.iter().cloned().map(Some)).collect();
        columns.update(&changes);
        Ok(Self { searcher, fields, columns })
    }

    /// Any field that contains the word; the best one counts.
    fn word(&self, word: &str, unfinished: bool, tolerance: Tolerance) -> Box<dyn Query> {
        let mut ways: Vec<Box<dyn Query>> = Vec::new();
        let stem = words::stem(word);
        for field in &self.fields {
            let mut way =
                |query: Box<dyn Query>, boost: f32| ways.push(Box::new(BoostQuery::new(query, field.boost * boost)));
            let exact =
                |text: &str| TermQuery::new(Term::from_field_text(field.stemmed, text), IndexRecordOption::WithFreqs);
            way(Box::new(exact(&stem)), 1.0);
            for synonym in words::synonyms(&stem) {
                way(Box::new(exact(synonym)), 0.8);
            }
            let plain = Term::from_field_text(field.plain, word);
            if unfinished {
                way(constant(FuzzyTermQuery::new_prefix(plain.clone(), 0, true)), 0.6);
            }
            let edits = match word.chars().count() {
                _ if tolerance == Tolerance::AsTyped || word.contains(char::is_numeric) => 0,
                ..4 => 0,
                4..8 => 1,
                _ => 2,
            };
            if edits > 0 {
                way(constant(FuzzyTermQuery::new(plain.clone(), edits, true)), 0.4);
                if unfinished {
                    way(constant(FuzzyTermQuery::new_prefix(plain, edits, true)), 0.2);
                }
            }
        }
        Box::new(DisjunctionMaxQuery::with_tie_breaker(ways, 0.5))
    }

    fn matching(&self, words: &[String], tolerance: Tolerance, needed: usize) -> Result<Vec<f32>, Failure> {
        let clauses = words.iter().enumerate();
        let clauses = clauses.map(|(at, word)| (Occur::Should, self.word(word, at + 1 == words.len(), tolerance)));
        let all = BooleanQuery::with_minimum_required_clauses(clauses.collect(), needed);
        let joined = self.word(&words.concat(), true, Tolerance::AsTyped);
        let query = BooleanQuery::union(vec![Box::new(all), joined]);
        Ok(self.searcher.search(&query, &Scores)?)
    }

    fn find(&self, words: &[String]) -> Result<Vec<f32>, Failure> {
        for tolerance in [Tolerance::AsTyped, Tolerance::Misspelled] {
            let scores = self.matching(words, tolerance, words.len())?;
            if scores.iter().any(|score| *score > 0.0) {
                return Ok(scores);
            }
        }
        for needed in (1..words.len()).rev() {
            let scores = self.matching(words, Tolerance::Misspelled, needed)?;
            if scores.iter().any(|score| *score > 0.0) {
                return Ok(scores);
            }
        }
        Ok(Vec::new())
    }
}

fn constant(query: FuzzyTermQuery) -> Box<dyn Query> {
    // BM25 scores a rare exact word about 6, a common one about 1.
    Box::new(ConstScoreQuery::new(Box::new(query), 3.0))
}

impl Engine for Tantivy {
    fn search(&mut self, query: &SearchQuery) -> Result<SearchResult, Failure> {
        let words = words::of_query(query.text.as_deref().unwrap_or_default());
        let filtered = if words.is_empty() {
            self.columns.filter(query, (0..self.columns.numbers()).map(|product| (product, 0.0)))
        } else {
            let scores = self.find(&words)?;
            self.columns.filter(query, scores.into_iter().enumerate().filter(|(_, score)| *score > 0.0))
        };
        let Filtered { hits, facets, price_range } = filtered;
        let total = hits.len();
        let places = page(hits, query.offset, query.limit, |a, b| self.columns.order(query.sort, a, b));
        let ids = places.into_iter().filter_map(|place| self.columns.id(place.product)).collect();
        Ok(SearchResult { ids, total, facets, price_range, did_you_mean: None })
    }
}

/// The scores of all documents in the only segment.
struct Scores;

struct SegmentScores(Vec<f32>);

impl Collector for Scores {
    type Fruit = Vec<f32>;
    type Child = SegmentScores;

    fn for_segment(&self, _: u32, segment: &SegmentReader) -> tantivy::Result<SegmentScores> {
        Ok(SegmentScores(vec![0.0; segment.max_doc() as usize]))
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, segments: Vec<Vec<f32>>) -> tantivy::Result<Vec<f32>> {
        Ok(segments.concat())
    }
}

impl SegmentCollector for SegmentScores {
    type Fruit = Vec<f32>;

    fn collect(&mut self, document: DocId, score: f32) {
        self.0[document as usize] = score;
    }

    fn harvest(self) -> Vec<f32> {
        self.0
    }
}
