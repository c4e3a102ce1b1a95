//! The order of products in a list. A place has all that usually decides in one number, so that sorting reads nothing else.

use std::cmp::Ordering;

use super::Sort;
use super::columns::Row;
use crate::catalog::model::Availability;

/// A product's place in a list: lower ranks come first.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub rank: u128,
    pub product: u32,
}

impl Place {
    /// `Relevance` is the same as `Featured`, since only a search knows the scores.
    pub fn new(sort: Sort, row: &Row, product: u32) -> Self {
        let then_id = row.id.as_u128();
        let rank = match sort {
            Sort::Relevance | Sort::Featured => {
                let is_out = u128::from(row.availability == Availability::OutOfStock) << 127;
                is_out | descending(row.popularity) << 63 | then_id >> 65
            }
            Sort::Newest => descending(row.released_at) << 64 | then_id >> 64,
            Sort::PriceAsc => ascending(row.price) << 64 | then_id >> 64,
            Sort::PriceDesc => descending(row.price) << 64 | then_id >> 64,
            Sort::Name => row.name_start,
        };
        Self { rank, product }
    }

    /// The highest relevance first, which is not negative.
    pub fn by_relevance(row: &Row, relevance: f32, product: u32) -> Self {
        Self { rank: u128::from(!relevance.to_bits()) << 96 | row.id.as_u128() >> 32, product }
    }
}

fn ascending(value: i64) -> u128 {
    u128::from(value.cast_unsigned() ^ (1 << 63))
}

fn descending(value: i64) -> u128 {
    u128::from(!(value.cast_unsigned() ^ (1 << 63)))
}

/// The beginning of a name as a number in the same order.
pub fn name_start(name: &str) -> u128 {
    let mut start = [0; 16];
    for (byte, letter) in start.iter_mut().zip(name.bytes()) {
        *byte = letter;
    }
    u128::from_be_bytes(start)
}

/// One page of the places in order. Only the part needed for the page is sorted.
pub fn page(
    mut places: Vec<Place>,
    offset: usize,
    limit: usize,
    order: impl Fn(&Place, &Place) -> Ordering,
) -> Vec<Place> {
    let end = offset.saturating_add(limit);
    if end < places.len() {
        places.select_nth_unstable_by(end, &order);
        places.truncate(end);
    }
    places.sort_unstable_by(&order);
    places.drain(..offset.min(places.len()));
    places
}
