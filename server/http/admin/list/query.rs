//! The query of a list, and the addresses that encode it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use shop_base::db::list::{Key, Order, Place, Value, Window};
use shop_platform::web::extract::Asked;
use uuid::Uuid;

use super::spec::{Column, FilterKind, ListSpec, ROWS, RowId, Sort};

/// A list's query, containing only what the list offers.
#[derive(Clone, Debug)]
pub struct ListQuery {
    pub(super) spec: &'static ListSpec,
    /// The search text.
    pub q: String,
    pub sort: &'static Column,
    pub descending: bool,
    pub(super) chosen: Vec<(&'static str, String)>,
    pub(super) columns: Vec<&'static str>,
    pub window: Window,
}

/// A row's place, as encoded in an address.
#[derive(Serialize, Deserialize)]
struct Cursor {
    /// The column that the place refers to: a place is only valid in its order.
    s: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    n: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    t: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<i64>,
}

const MAX_TYPED: usize = 200;

impl ListQuery {
    pub fn of(spec: &'static ListSpec, asked: &Asked) -> Self {
        Self::parse(spec, &asked.query)
    }

    /// From a query string, without the question mark.
    pub fn parse(spec: &'static ListSpec, query: &str) -> Self {
        let given: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let first = |name: &str| given.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        let all = |name: &str| -> Vec<&str> {
            given.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str()).collect()
        };
        let sortable = |name: &str| spec.columns.iter().find(|column| column.name == name && column.sort.is_some());
        let (wanted, descending) = match first("sort") {
            Some(sort) => match sort.strip_prefix('-') {
                Some(name) => (sortable(name), true),
                None => (sortable(sort), false),
            },
            None => (None, false),
        };
        let (sort, descending) = match wanted {
            Some(column) => (column, descending),
            None => (sortable(spec.sort).unwrap_or(&spec.columns[0]), spec.descending),
        };
        let mut chosen = Vec::new();
        for filter in spec.filters {
            match filter.kind {
                FilterKind::Choice(options) => {
                    let known = options.iter().filter(|(value, _)| all(filter.name).contains(value));
                    chosen.extend(known.map(|(value, _)| (filter.name, (*value).to_owned())));
                }
                FilterKind::Given => {
                    let mut values = all(filter.name);
                    // PostgreSQL has no text with a null character.
                    values.retain(|value| value.len() <= MAX_TYPED && !value.contains('\0'));
                    values.dedup();
                    chosen.extend(values.into_iter().take(50).map(|value| (filter.name, value.to_owned())));
                }
                FilterKind::Days => {
                    for end in ["from", "to"] {
                        let day = first(&format!("{}_{end}", filter.name)).filter(|day| day.parse::<Date>().is_ok());
                        chosen.extend(day.map(|day| (filter.name, format!("{end}={day}"))));
                    }
                }
            }
        }
        let names = |is_shown: &dyn Fn(&Column) -> bool| -> Vec<&'static str> {
            spec.columns.iter().filter(|column| is_shown(column)).map(|column| column.name).collect()
        };
        let mut shown = names(&|column| all("columns").contains(&column.name));
        if shown == names(&|column| column.is_default) {
            shown.clear();
        }
        let place = |name: &str| first(name).and_then(|text| read_cursor(text, sort, spec.id));
        let window = match (place("after"), place("before")) {
            (Some(place), _) => Window::After(place),
            (None, Some(place)) => Window::Before(place),
            (None, None) => Window::Start,
        };
        // As above: PostgreSQL has no text with a null character.
        let q = first("q").unwrap_or_default().replace('\0', "").trim().chars().take(MAX_TYPED).collect();
        Self { spec, q, sort, descending, chosen, columns: shown, window }
    }

    /// The chosen values of a filter; if empty, there is no condition.
    pub fn values(&self, filter: &str) -> Vec<&str> {
        self.chosen.iter().filter(|(name, _)| *name == filter).map(|(_, value)| value.as_str()).collect()
    }

    /// The chosen values as parameters of a statement.
    pub fn texts(&self, filter: &str) -> Vec<Value> {
        self.values(filter).into_iter().map(Value::from).collect()
    }

    /// The first and last day of a date filter, both included.
    pub fn days(&self, filter: &str) -> (Option<Date>, Option<Date>) {
        let end = |name: &str| {
            let day = |value: &str| value.strip_prefix(name)?.strip_prefix('=')?.parse().ok();
            self.values(filter).into_iter().find_map(day)
        };
        (end("from"), end("to"))
    }

    pub fn order(&self) -> Order {
        let id = self.spec.id.column();
        Order { column: self.sort.sort.map_or(id, Sort::column), id, descending: self.descending }
    }

    /// Whether a column is displayed.
    pub fn shows(&self, column: &str) -> bool {
        self.spec.columns.iter().any(|each| each.name == column && self.is_shown(each))
    }

    pub(super) fn is_shown(&self, column: &Column) -> bool {
        if self.columns.is_empty() { column.is_default } else { self.columns.contains(&column.name) }
    }

    /// The query without the place, in a fixed order and without default values.
    pub fn canonical(&self) -> String {
        self.written(self.sort.name, self.descending, None)
    }

    /// The same for the audit log, which keeps it forever: with the length of the search text, which may name a buyer.
    pub fn recorded(&self) -> String {
        let q = match self.q.chars().count() {
            0 => String::new(),
            count => format!("{count} characters"),
        };
        Self { q, ..self.clone() }.canonical()
    }

    pub(super) fn written(&self, sort: &str, descending: bool, place: Option<(&str, String)>) -> String {
        let mut out = form_urlencoded::Serializer::new(String::new());
        if !self.q.is_empty() {
            out.append_pair("q", &self.q);
        }
        for (name, value) in &self.chosen {
            match value.split_once('=') {
                Some((end, day)) if self.is_days(name) => out.append_pair(&format!("{name}_{end}"), day),
                _ => out.append_pair(name, value),
            };
        }
        if (sort, descending) != (self.spec.sort, self.spec.descending) {
            out.append_pair("sort", &format!("{}{sort}", if descending { "-" } else { "" }));
        }
        for column in &self.columns {
            out.append_pair("columns", column);
        }
        if let Some((name, cursor)) = place {
            out.append_pair(name, &cursor);
        }
        out.finish()
    }

    fn is_days(&self, name: &str) -> bool {
        self.spec.filters.iter().any(|filter| filter.name == name && matches!(filter.kind, FilterKind::Days))
    }

    pub(super) fn href(&self, query: &str) -> String {
        if query.is_empty() { self.spec.path.to_owned() } else { format!("{}?{query}", self.spec.path) }
    }

    /// The list's canonical address.
    pub fn url(&self) -> String {
        let place = match &self.window {
            Window::Start => None,
            Window::After(place) => Some(("after", self.cursor(place))),
            Window::Before(place) => Some(("before", self.cursor(place))),
        };
        self.href(&self.written(self.sort.name, self.descending, place))
    }

    fn cursor(&self, place: &Place) -> String {
        let (n, t) = match &place.key {
            Key::Integer(key) => (Some(*key), None),
            Key::Text(key) => (None, Some(key.clone())),
        };
        let (id, seq) = match &place.id {
            Value::Id(id) => (Some(*id), None),
            Value::Integer(seq) => (None, Some(*seq)),
            Value::Text(_) => (None, None),
        };
        let cursor = Cursor { s: self.sort.name.to_owned(), n, t, id, seq };
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(&cursor).unwrap_or_default())
    }

    /// Splits the rows found by [`shop_base::db::list::page`] into those of this page and the links to the neighboring pages.
    pub fn paged<R>(&self, mut found: Vec<R>, place: impl Fn(&R) -> Place) -> (Vec<R>, Paging) {
        if found.is_empty() && self.window != Window::Start {
            // The rows that were here are gone or no longer match.
            let start = self.href(&self.canonical());
            return (found, Paging { previous: Some(start), next: None });
        }
        let more = found.len() > ROWS;
        found.truncate(ROWS);
        let backward = matches!(self.window, Window::Before(_));
        if backward {
            found.reverse();
        }
        let (has_previous, has_next) = match self.window {
            Window::Start => (false, more),
            Window::After(_) => (true, more),
            Window::Before(_) => (more, true),
        };
        let way = |name: &str, row: Option<&R>| {
            let cursor = self.cursor(&place(row?));
            Some(self.href(&self.written(self.sort.name, self.descending, Some((name, cursor)))))
        };
        let paging = Paging {
            previous: if has_previous { way("before", found.first()) } else { None },
            next: if has_next { way("after", found.last()) } else { None },
        };
        (found, paging)
    }
}

/// The place in an address, if it is valid in this order: anyone can write a cursor, also with values that the columns do not have.
fn read_cursor(text: &str, sort: &Column, id: RowId) -> Option<Place> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let cursor: Cursor = serde_json::from_slice(&bytes).ok().filter(|cursor: &Cursor| cursor.s == sort.name)?;
    let key = match sort.sort? {
        Sort::Number(_) => Key::Integer(cursor.n?),
        // PostgreSQL has no text with a null character.
        Sort::Text(_) => Key::Text(cursor.t.filter(|text| !text.contains('\0'))?),
    };
    let id = match id {
        RowId::Number(_) => Value::Integer(cursor.seq?),
        RowId::Uuid(_) => Value::Id(cursor.id?),
    };
    Some(Place { key, id })
}

/// Links to the neighboring pages.
#[derive(Clone, Debug, Default)]
pub struct Paging {
    pub previous: Option<String>,
    pub next: Option<String>,
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use shop_base::db::list::{Key, Place, Value, Window};
    use uuid::Uuid;

    use super::ListQuery;
    use crate::admin::list::spec::{Column, FilterKind, FilterSpec, ListSpec, ROWS, RowId, Sort};

    static SPEC: ListSpec = ListSpec {
        path: "/admin/things",
        id: RowId::Uuid("t.id"),
        columns: &[
            Column { name: "at", label: "Time", is_default: true, is_number: true, sort: Some(Sort::Number("t.at")) },
            Column {
                name: "name",
                label: "Name",
                is_default: true,
                is_number: false,
                sort: Some(Sort::Text("t.name")),
            },
            Column { name: "note", label: "Note", is_default: false, is_number: false, sort: None },
        ],
        filters: &[
            FilterSpec { name: "status", label: "Status", kind: FilterKind::Choice(&[("a", "A"), ("b", "B")]) },
            FilterSpec { name: "at", label: "Time", kind: FilterKind::Days },
        ],
        sort: "at",
        descending: true,
        built_in: &[],
    };

    #[test]
    fn what_the_list_does_not_offer_is_dropped() {
        let query = ListQuery::parse(
            &SPEC,
            "q=+pi%00pe+&status=b&status=x&sort=-note&columns=name&columns=no&at_from=2026-02-30&after=x",
        );
        assert_eq!(query.url(), "/admin/things?q=pipe&status=b&columns=name");
        assert_eq!(query.window, Window::Start);
        assert_eq!(ListQuery::parse(&SPEC, "").url(), "/admin/things");
        assert_eq!(ListQuery::parse(&SPEC, "sort=name").canonical(), "sort=name");
        assert_eq!(ListQuery::parse(&SPEC, "sort=-at&columns=at&columns=name").canonical(), "");
    }

    #[test]
    fn days_are_read_with_their_ends() {
        let query = ListQuery::parse(&SPEC, "at_to=2026-03-01&at_from=2026-02-01");
        let (from, to) = query.days("at");
        assert_eq!(
            (from.map(|d| d.to_string()), to.map(|d| d.to_string())),
            (Some("2026-02-01".into()), Some("2026-03-01".into()))
        );
        assert_eq!(query.canonical(), "at_from=2026-02-01&at_to=2026-03-01");
    }

    #[test]
    fn pages_lead_to_one_another() {
        let id = |n: i64| Value::Id(Uuid::from_u128(n.unsigned_abs().into()));
        let place = |n: &i64| Place { key: Key::Integer(*n), id: id(*n) };
        let rows: Vec<i64> = (0..=i64::try_from(ROWS).expect("few")).collect();
        let (shown, paging) = ListQuery::parse(&SPEC, "status=a").paged(rows, place);
        assert_eq!((shown.len(), paging.previous.is_none()), (ROWS, true));
        let next = paging.next.expect("there is more");
        let next = ListQuery::parse(&SPEC, next.split_once('?').expect("a query").1);
        assert_eq!(next.window, Window::After(place(&49)));
        // Backward, the rows come in reverse order.
        let (shown, paging) = ListQuery { window: Window::Before(place(&9)), ..next }.paged(vec![8, 7, 6], place);
        assert_eq!(shown, [6, 7, 8]);
        assert!(paging.previous.is_none() && paging.next.is_some());
        // A place of another order is ignored.
        let next = paging.next.expect("a way on");
        let moved = ListQuery::parse(&SPEC, &format!("sort=name&{}", next.split_once('?').expect("a query").1));
        assert_eq!(moved.window, Window::Start);
    }

    #[test]
    fn a_page_without_rows_leads_to_the_first() {
        let place = |n: &i64| Place { key: Key::Integer(*n), id: Value::Id(Uuid::from_u128(1)) };
        let start = ListQuery::parse(&SPEC, "status=a");
        for window in [Window::After(place(&9)), Window::Before(place(&9))] {
            let (_, paging) = ListQuery { window, ..start.clone() }.paged(Vec::new(), place);
            assert_eq!((paging.previous.as_deref(), paging.next), (Some("/admin/things?status=a"), None));
        }
        let (_, paging) = start.paged(Vec::new(), place);
        assert!(paging.previous.is_none() && paging.next.is_none());
    }

    #[test]
    fn a_cursor_has_the_types_of_its_columns() {
        let window = |sort: &str, cursor: &str| {
            let query = format!("sort={sort}&after={}", URL_SAFE_NO_PAD.encode(cursor));
            ListQuery::parse(&SPEC, &query).window
        };
        const ID: &str = "00000000-0000-0000-0000-000000000001";
        let id = Value::Id(Uuid::from_u128(1));
        let after = |key: Key| Window::After(Place { key, id: id.clone() });
        assert_eq!(window("name", &format!(r#"{{"s":"name","t":"a","id":"{ID}"}}"#)), after(Key::from("a")));
        assert_eq!(window("at", &format!(r#"{{"s":"at","n":5,"id":"{ID}"}}"#)), after(Key::Integer(5)));
        for (sort, fields) in [
            ("name", format!(r#""n":5,"id":"{ID}""#)),
            ("name", r#""n":5,"seq":1"#.to_owned()),
            ("name", r#""t":"a","seq":1"#.to_owned()),
            ("name", format!(r#""t":"a\u0000","id":"{ID}""#)),
            ("at", format!(r#""t":"a","id":"{ID}""#)),
        ] {
            assert_eq!(window(sort, &format!(r#"{{"s":"{sort}",{fields}}}"#)), Window::Start, "{sort} {fields}");
        }
    }
}
