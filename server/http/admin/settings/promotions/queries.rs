//! The list of promo codes.

use shop_base::clock::day_starts;
use shop_base::db::list::{Filter, Key, Place, Value, Window};
use shop_base::db::{Conn, DbError, list};
use shop_base::fetch_all;
use sqlx::FromRow;
use uuid::Uuid;

use crate::admin::list::query::ListQuery;
use crate::admin::list::spec::{COUNTED, Column, FilterKind, FilterSpec, ListSpec, ROWS, RowId, Sort};

pub static SPEC: ListSpec = ListSpec {
    path: "/admin/settings/promotions",
    id: RowId::Uuid("p.id"),
    columns: &[
        Column { name: "code", label: "Code", is_default: true, is_number: false, sort: Some(Sort::Text("p.code")) },
        Column { name: "benefit", label: "Discount", is_default: true, is_number: false, sort: None },
        Column { name: "state", label: "Status", is_default: true, is_number: false, sort: None },
        Column { name: "used", label: "Uses", is_default: true, is_number: true, sort: Some(Sort::Number("p.used")) },
        Column { name: "dates", label: "Valid", is_default: true, is_number: false, sort: None },
        Column { name: "terms", label: "Terms", is_default: true, is_number: false, sort: None },
        Column {
            name: "made",
            label: "Created",
            is_default: false,
            is_number: true,
            sort: Some(Sort::Number("p.created_at")),
        },
        Column { name: "act", label: "Change", is_default: true, is_number: false, sort: None },
    ],
    filters: &[
        FilterSpec { name: "state", label: "Status", kind: FilterKind::Choice(STATES) },
        FilterSpec { name: "kind", label: "Kind", kind: FilterKind::Choice(KINDS) },
        FilterSpec {
            name: "uses",
            label: "Uses",
            kind: FilterKind::Choice(&[("none", "Never used"), ("some", "Used"), ("up", "Used up")]),
        },
        FilterSpec { name: "valid", label: "Valid", kind: FilterKind::Days },
    ],
    sort: "made",
    descending: true,
    built_in: &[],
};

/// The words are those of the column.
const STATES: &[(&str, &str)] =
    &[("active", "Active"), ("early", "Scheduled"), ("used_up", "Used up"), ("expired", "Expired"), ("off", "Off")];
const KINDS: &[(&str, &str)] = &[("percent", "Percent"), ("amount", "Amount"), ("free_shipping", "Free shipping")];

#[derive(Clone, Debug, FromRow)]
pub struct PromoRow {
    pub id: Uuid,
    pub code: String,
    pub kind: String,
    pub value: i64,
    pub min_subtotal: i64,
    pub starts_at: Option<i64>,
    pub ends_at: Option<i64>,
    pub max_uses: Option<i64>,
    pub used: i64,
    pub once_per_customer: bool,
    pub active: bool,
    pub version: i64,
    pub created_at: i64,
}

impl PromoRow {
    pub fn place(&self, query: &ListQuery) -> Place {
        let key = match query.sort.name {
            "code" => Key::Text(self.code.clone()),
            "used" => Key::Integer(self.used),
            _ => Key::Integer(self.created_at),
        };
        Place { key, id: Value::Id(self.id) }
    }
}

/// The state of a code at a given time, twice a parameter, as in the column.
const STATE: &str = "CASE WHEN NOT p.active THEN 'off' WHEN p.ends_at <= ? THEN 'expired'
    WHEN p.used >= p.max_uses THEN 'used_up' WHEN p.starts_at > ? THEN 'early' ELSE 'active' END";

/// The conditions of a query at a given time, UTC milliseconds. A code is valid on a day if its period overlaps that day.
pub fn filter(conn: &Conn<'_>, query: &ListQuery, zone: &jiff::tz::TimeZone, now: i64) -> Filter {
    let mut filter = Filter::default();
    let states = query.texts("state");
    if !states.is_empty() {
        let marks = vec!["?"; states.len()].join(", ");
        let values = [Value::Integer(now), Value::Integer(now)].into_iter().chain(states);
        filter.and(&format!("{STATE} IN ({marks})"), values);
    }
    filter.and_any("p.kind", query.texts("kind"));
    let uses: Vec<&str> = query
        .values("uses")
        .into_iter()
        .map(|value| match value {
            "none" => "p.used = 0",
            "some" => "p.used > 0",
            _ => "p.used >= p.max_uses",
        })
        .collect();
    if !uses.is_empty() {
        filter.and(&uses.join(" OR "), []);
    }
    let (from, to) = day_starts(query.days("valid"), zone);
    if let Some(from) = from {
        filter.and("p.ends_at IS NULL OR p.ends_at > ?", [Value::Integer(from)]);
    }
    if let Some(to) = to {
        filter.and("p.starts_at IS NULL OR p.starts_at < ?", [Value::Integer(to)]);
    }
    if !query.q.is_empty() {
        filter.and_begins(conn, &["p.code"], &query.q.to_uppercase());
    }
    filter
}

const SELECT: &str = "SELECT p.id, p.code, p.kind, p.value, p.min_subtotal, p.starts_at, p.ends_at, p.max_uses, p.used,
    p.once_per_customer, p.active, p.version, p.created_at FROM promo_codes p";

/// Fetches one row more than a page holds.
pub async fn list_promos(
    conn: &mut Conn<'_>,
    query: &ListQuery,
    filter: &Filter,
    window: &Window,
) -> Result<Vec<PromoRow>, DbError> {
    Ok(fetch_all!(conn, PromoRow, list::page(SELECT, filter, &query.order(), window, ROWS))?)
}

pub async fn count_promos(conn: &mut Conn<'_>, filter: &Filter) -> Result<i64, DbError> {
    list::count(conn, "promo_codes p", filter, COUNTED).await
}
