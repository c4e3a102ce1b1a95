//! Tests of the search, and what they have in common.

mod lists;
mod text;

use uuid::Uuid;

use super::{SearchDocument, SearchIndex, SearchQuery};
use crate::catalog::model::Availability;

fn document(number: u128, title: &str, category: &str) -> SearchDocument {
    SearchDocument {
        id: Uuid::from_u128(number),
        title: title.to_owned(),
        subtitle: String::new(),
        description: String::new(),
        category_name: category.to_owned(),
        categories: vec![category.to_lowercase()],
        materials: Vec::new(),
        colors: Vec::new(),
        skus: vec![format!("SKU-{number}")],
        price: 1_000,
        on_sale: false,
        availability: Availability::InStock,
        released_at: 0,
        popularity: 0,
    }
}

fn index(documents: Vec<SearchDocument>) -> SearchIndex {
    SearchIndex::build(documents).unwrap()
}

fn list(text: &str) -> SearchQuery {
    SearchQuery { text: Some(text.to_owned()), limit: 100, ..SearchQuery::default() }
}
