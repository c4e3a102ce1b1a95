//! Lists of payments and refunds: filtered by time, sorted, paged.

use std::ops::Bound;

use axum::Json;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::bank::Bank;
use super::errors::ApiError;
use super::records::{Place, Record, Records};

/// Documented: without a start time, the records of the last year.
const YEAR_MS: i64 = 365 * 86_400_000;

/// A period, both ends in UTC milliseconds. judgment: both are included.
pub struct Span {
    from: Option<i64>,
    to: Option<i64>,
}

impl Span {
    pub fn read(
        begin: &'static str,
        from: Option<&str>,
        end: &'static str,
        to: Option<&str>,
    ) -> Result<Self, ApiError> {
        Ok(Self { from: bound(begin, from)?, to: bound(end, to)? })
    }

    /// The first place in it, and the first after it.
    fn places(&self) -> (Place, Place) {
        let from = self.from.unwrap_or(i64::MIN);
        let to = self.to.map_or(i64::MAX, |to| to.saturating_add(1));
        ((from, String::new()), (to.max(from), String::new()))
    }

    fn contains(&self, at: i64) -> bool {
        self.from.is_none_or(|from| from <= at) && self.to.is_none_or(|to| at <= to)
    }
}

/// Parses a filter's time to milliseconds.
fn bound(field: &'static str, text: Option<&str>) -> Result<Option<i64>, ApiError> {
    match text.filter(|text| !text.is_empty()).map(str::parse::<Timestamp>) {
        None => Ok(None),
        Some(Ok(time)) => Ok(Some(time.as_millisecond())),
        Some(Err(error)) => Err(ApiError::field("INVALID_TIME", field, error.to_string())),
    }
}

pub fn by_update(field: Option<&str>) -> Result<bool, ApiError> {
    match field {
        None | Some("CREATED_AT") => Ok(false),
        Some("UPDATED_AT") => Ok(true),
        Some(_) => Err(ApiError::field("INVALID_ENUM_VALUE", "sort_field", "Not CREATED_AT or UPDATED_AT")),
    }
}

pub fn ascends(order: Option<&str>) -> Result<bool, ApiError> {
    match order {
        Some("ASC") => Ok(true),
        None | Some("DESC") => Ok(false),
        Some(_) => Err(ApiError::field("INVALID_SORT_ORDER", "sort_order", "Not ASC or DESC")),
    }
}

/// The parameters of a list request.
pub struct Wanted {
    pub created: Span,
    pub updated: Span,
    pub by_update: bool,
    pub ascends: bool,
    pub limit: Option<usize>,
    pub cursor: Option<String>,
}

impl Wanted {
    /// One page of those that are wanted, each formatted by `show`. Records that changed more recently than the lists' lag are missing.
    /// judgment: their previous state is not listed either.
    pub fn page<R: Record>(
        self,
        bank: &Bank,
        name: &'static str,
        records: &Records<R>,
        is_wanted: impl Fn(&R) -> bool,
        show: impl Fn(&R) -> Value,
    ) -> Result<Json<Value>, ApiError> {
        let now = bank.clock.now_ms();
        let seen_until = now.saturating_sub(bank.faults.list_lag_ms());
        let created = Span { from: self.created.from.or(Some(now - YEAR_MS)), ..self.created };
        let is_listed = |record: &R| {
            created.contains(record.created_at())
                && self.updated.contains(record.updated_at())
                && record.updated_at() <= seen_until
                && is_wanted(record)
        };
        let place_of = |record: &R| {
            let at = if self.by_update { record.updated_at() } else { record.created_at() };
            (at, record.id().to_owned())
        };
        // The cursor is the id of the last record shown.
        let last = match self.cursor.as_deref().map(|id| records.get(id).filter(|record| is_listed(record))) {
            None => None,
            Some(Some(record)) => Some(place_of(record)),
            Some(None) => return Err(ApiError::field("INVALID_CURSOR", "cursor", "Not a cursor of this list")),
        };
        let limit = self.limit.unwrap_or(100).clamp(1, 100);
        let span = if self.by_update { &self.updated } else { &created };
        let (first, end) = span.places();
        let (from, until) = match last {
            Some(last) if self.ascends => (Bound::Excluded(last), Bound::Excluded(end)),
            Some(last) => (Bound::Included(first), Bound::Excluded(last)),
            None => (Bound::Included(first), Bound::Excluded(end)),
        };
        let range = records.places(self.by_update).range((from, until)).filter_map(|(_, id)| records.get(id));
        let listed = range.filter(|record| is_listed(record));
        let found: Vec<&R> =
            if self.ascends { listed.take(limit + 1).collect() } else { listed.rev().take(limit + 1).collect() };
        let (shown, more) = found.split_at(found.len().min(limit));
        let cursor = shown.last().filter(|_| !more.is_empty()).map(|record| record.id());
        let shown: Vec<Value> = shown.iter().map(|record| show(record)).collect();
        Ok(Json(match cursor {
            Some(cursor) => json!({ name: shown, "cursor": cursor }),
            None => json!({ name: shown }),
        }))
    }
}
