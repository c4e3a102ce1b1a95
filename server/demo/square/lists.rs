//! Lists of payments and refunds: filtered by time, sorted, paged.

use axum::Json;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::bank::Bank;
use super::errors::ApiError;

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

/// A payment or refund in a list.
pub struct Record<'a, T> {
    pub id: &'a str,
    pub created_at: i64,
    pub updated_at: i64,
    pub of: &'a T,
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
    /// One page, with each record formatted by `show`. Records that changed more recently than the lists' lag are missing. judgment: their
    /// previous state is not listed either.
    pub fn page<T>(
        self,
        bank: &Bank,
        name: &'static str,
        mut records: Vec<Record<'_, T>>,
        show: impl Fn(&T) -> Value,
    ) -> Result<Json<Value>, ApiError> {
        let now = bank.clock.now_ms();
        let seen_until = now.saturating_sub(bank.faults.list_lag_ms());
        let created = Span { from: self.created.from.or(Some(now - YEAR_MS)), ..self.created };
        records.retain(|record| {
            created.contains(record.created_at)
                && self.updated.contains(record.updated_at)
                && record.updated_at <= seen_until
        });
        let key = |record: &Record<'_, T>| if self.by_update { record.updated_at } else { record.created_at };
        records.sort_by(|a, b| (key(a), a.id).cmp(&(key(b), b.id)));
        if !self.ascends {
            records.reverse();
        }
        // The cursor is the id of the last record shown.
        let start = match &self.cursor {
            None => 0,
            Some(id) => match records.iter().position(|record| record.id == id) {
                Some(at) => at + 1,
                None => return Err(ApiError::field("INVALID_CURSOR", "cursor", "Not a cursor of this list")),
            },
        };
        let limit = self.limit.unwrap_or(100).clamp(1, 100);
        let rest = records.get(start..).unwrap_or_default();
        let cursor = (rest.len() > limit).then(|| rest.get(limit - 1).map(|record| record.id.to_owned())).flatten();
        let shown: Vec<Value> = rest.iter().take(limit).map(|record| show(record.of)).collect();
        Ok(Json(match cursor {
            Some(cursor) => json!({ name: shown, "cursor": cursor }),
            None => json!({ name: shown }),
        }))
    }
}
