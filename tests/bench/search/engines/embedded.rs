//! The shop's own index.

use super::Engine;
use crate::Failure;
use crate::search::{SearchDocument, SearchIndex, SearchQuery, SearchResult};

pub struct Embedded(SearchIndex);

impl Embedded {
    pub fn build(products: &[SearchDocument]) -> Result<Self, Failure> {
        let index = SearchIndex::build(products.to_vec())?;
        index.complete();
        Ok(Self(index))
    }
}

impl Engine for Embedded {
    fn search(&mut self, query: &SearchQuery) -> Result<SearchResult, Failure> {
        Ok(self.0.search(query)?)
    }

    fn suggest(&mut self, text: &str) -> Result<bool, Failure> {
        self.0.suggest(text, 5)?;
        Ok(true)
    }

    fn update(&mut self, products: &[SearchDocument]) -> Result<bool, Failure> {
        self.0.with(products.iter().map(|product| (product.id, Some(product.clone()))))?;
        Ok(true)
    }
}
