//! What every list of the admin area has in common: its address says all of it (search, filters, sorting, columns, place), it is paged by
//! place, counted up to a limit, saved as a view and taken along as a CSV file.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use shop_base::csv::Rows;
use shop_base::db::list::{Key, Order, Place, Value, Window};
use shop_base::error::Error;
use shop_domain::saved_views::model::SavedView;
use shop_platform::web::extract::Asked;
use shop_platform::web::page::Link;
use utoipa::ToSchema;
use uuid::Uuid;

/// Rows of a page.
pub const ROWS: usize = 50;

/// Rows beyond these are not counted.
pub const COUNTED: i64 = 10_000;

/// What a list offers.
#[derive(Debug)]
pub struct ListSpec {
    pub path: &'static str,
    /// The column of SQL that makes the order total.
    pub id: &'static str,
    /// In the order in which they are shown.
    pub columns: &'static [Column],
    pub filters: &'static [FilterSpec],
    /// The first must be a sortable column.
    pub sort: &'static str,
    pub descending: bool,
    /// Views that everybody has: name and address, which may be one of another list.
    pub built_in: &'static [(&'static str, &'static str)],
}

#[derive(Debug)]
pub struct Column {
    pub name: &'static str,
    pub label: &'static str,
    /// Shown when nobody has chosen columns.
    pub is_default: bool,
    /// Aligned at the end, as numbers are.
    pub is_number: bool,
    /// The column of SQL, never null, for those by which the list may be sorted.
    pub sort: Option<&'static str>,
}

#[derive(Debug)]
pub struct FilterSpec {
    pub name: &'static str,
    pub label: &'static str,
    pub kind: FilterKind,
}

#[derive(Clone, Copy, Debug)]
pub enum FilterKind {
    /// Any of some values: value and label.
    Choice(&'static [(&'static str, &'static str)]),
    /// Any of some values that the handler knows.
    Given,
    /// From one day to another; its parameters are `{name}_from` and `{name}_to`.
    Days,
}

/// What was asked for, with nothing in it that the list does not offer.
#[derive(Clone, Debug)]
pub struct ListQuery {
    spec: &'static ListSpec,
    /// What was typed into the search.
    pub q: String,
    pub sort: &'static Column,
    pub descending: bool,
    chosen: Vec<(&'static str, String)>,
    columns: Vec<&'static str>,
    pub window: Window,
}

/// A row's place, as an address carries it.
#[derive(Serialize, Deserialize)]
struct Cursor {
    /// A place is one in the order of a column.
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
                    values.retain(|value| value.len() <= MAX_TYPED);
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
        let place = |name: &str| first(name).and_then(|text| read_cursor(text, sort.name));
        let window = match (place("after"), place("before")) {
            (Some(place), _) => Window::After(place),
            (None, Some(place)) => Window::Before(place),
            (None, None) => Window::Start,
        };
        let q = first("q").unwrap_or_default().trim().chars().take(MAX_TYPED).collect();
        Self { spec, q, sort, descending, chosen, columns: shown, window }
    }

    /// The chosen values of a filter; none is no condition.
    pub fn values(&self, filter: &str) -> Vec<&str> {
        self.chosen.iter().filter(|(name, _)| *name == filter).map(|(_, value)| value.as_str()).collect()
    }

    /// As parameters of a statement.
    pub fn texts(&self, filter: &str) -> Vec<Value> {
        self.values(filter).into_iter().map(Value::from).collect()
    }

    /// The ends of a filter of days, the last day included.
    pub fn days(&self, filter: &str) -> (Option<Date>, Option<Date>) {
        let end = |name: &str| {
            let day = |value: &str| value.strip_prefix(name)?.strip_prefix('=')?.parse().ok();
            self.values(filter).into_iter().find_map(day)
        };
        (end("from"), end("to"))
    }

    pub fn order(&self) -> Order {
        Order { column: self.sort.sort.unwrap_or(self.spec.id), id: self.spec.id, descending: self.descending }
    }

    /// Whether a column is shown.
    pub fn shows(&self, column: &str) -> bool {
        self.spec.columns.iter().any(|each| each.name == column && self.is_shown(each))
    }

    fn is_shown(&self, column: &Column) -> bool {
        if self.columns.is_empty() { column.is_default } else { self.columns.contains(&column.name) }
    }

    /// All of the query but the place, in one fixed order; without what is the default.
    pub fn canonical(&self) -> String {
        self.written(self.sort.name, self.descending, None)
    }

    fn written(&self, sort: &str, descending: bool, place: Option<(&str, String)>) -> String {
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

    fn href(&self, query: &str) -> String {
        if query.is_empty() { self.spec.path.to_owned() } else { format!("{}?{query}", self.spec.path) }
    }

    /// The list's one address.
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
            Value::Text(_) | Value::Flag(_) => (None, None),
        };
        let cursor = Cursor { s: self.sort.name.to_owned(), n, t, id, seq };
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(&cursor).unwrap_or_default())
    }

    /// The rows of this page, of what [`shop_base::db::list::page`] has found, and the ways to the others.
    pub fn paged<R>(&self, mut found: Vec<R>, place: impl Fn(&R) -> Place) -> (Vec<R>, Paging) {
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

    /// What the page shows around its rows. `given` are the options of filters that only the handler knows.
    pub fn view(&self, total: i64, paging: Paging, views: Vec<SavedView>, given: &[(&str, Vec<Choice>)]) -> ListView {
        let columns = self.spec.columns.iter().map(|column| {
            let is_sort = column.name == self.sort.name;
            // The first click sorts numbers and times from the top, texts from A.
            let descending = if is_sort { !self.descending } else { column.is_number };
            ColumnView {
                name: column.name,
                label: column.label,
                is_shown: self.is_shown(column),
                is_number: column.is_number,
                sorted: is_sort.then_some(if self.descending { Sorted::Descending } else { Sorted::Ascending }),
                sort_href: column.sort.map(|_| self.href(&self.written(column.name, descending, None))),
            }
        });
        let filters = self.spec.filters.iter().map(|filter| {
            let values = self.values(filter.name);
            let option = |value: &str, label: &str| FilterOption {
                value: value.to_owned(),
                label: label.to_owned(),
                is_on: values.contains(&value),
            };
            let (from, to) = self.days(filter.name);
            FilterView {
                name: filter.name,
                label: filter.label,
                options: match filter.kind {
                    FilterKind::Choice(options) => options.iter().map(|(value, label)| option(value, label)).collect(),
                    FilterKind::Given => {
                        let choices = given.iter().find(|(name, _)| *name == filter.name).map(|(_, choices)| choices);
                        let choices: Vec<&Choice> = choices.into_iter().flatten().collect();
                        let is_listed = |value: &&str| choices.iter().any(|choice| choice.value == **value);
                        // What no option stands for can still be taken away.
                        let others = values.iter().copied().filter(|value| !is_listed(value));
                        let listed = choices.iter().map(|choice| option(&choice.value, &choice.label));
                        listed.chain(others.map(|value| option(value, value))).collect()
                    }
                    FilterKind::Days => Vec::new(),
                },
                is_days: matches!(filter.kind, FilterKind::Days),
                from: from.map(|day| day.to_string()),
                to: to.map(|day| day.to_string()),
            }
        });
        ListView {
            path: self.spec.path,
            q: self.q.clone(),
            sort: format!("{}{}", if self.descending { "-" } else { "" }, self.sort.name),
            query: self.canonical(),
            columns: columns.collect(),
            filters: filters.collect(),
            is_filtered: !self.q.is_empty() || !self.chosen.is_empty(),
            has_chosen_columns: !self.columns.is_empty(),
            total,
            is_counted_up: total < COUNTED,
            previous: paging.previous,
            next: paging.next,
            built_in: self.spec.built_in.iter().map(|(name, href)| Link::new(*name, *href)).collect(),
            views,
        }
    }
}

/// Writes all rows of a list, page by page: `fetch` gives those that a window shows.
pub async fn write_rows<R, F>(
    mut out: Rows,
    mut fetch: impl FnMut(Window) -> F,
    place: impl Fn(&R) -> Place,
    cells: impl Fn(&R) -> Vec<String>,
) -> Result<Rows, Error>
where
    F: Future<Output = Result<Vec<R>, Error>>,
{
    let mut window = Window::Start;
    loop {
        let mut rows = fetch(window).await?;
        let more = rows.len() > ROWS;
        rows.truncate(ROWS);
        for row in &rows {
            if out.write(cells(row).iter().map(String::as_str)).await.is_err() {
                return Ok(out);
            }
        }
        match rows.last().filter(|_| more) {
            Some(last) => window = Window::After(place(last)),
            None => return Ok(out),
        }
    }
}

/// The place that an address names, if it is one in this order.
fn read_cursor(text: &str, sort: &str) -> Option<Place> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let cursor: Cursor = serde_json::from_slice(&bytes).ok().filter(|cursor: &Cursor| cursor.s == sort)?;
    let key = cursor.n.map(Key::Integer).or(cursor.t.map(Key::Text))?;
    let id = cursor.id.map(Value::Id).or(cursor.seq.map(Value::Integer))?;
    Some(Place { key, id })
}

/// Ways to the pages around this one.
#[derive(Clone, Debug, Default)]
pub struct Paging {
    pub previous: Option<String>,
    pub next: Option<String>,
}

/// An option of a filter.
#[derive(Clone, Debug)]
pub struct Choice {
    pub value: String,
    pub label: String,
}

/// A list without its rows.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ListView {
    pub path: &'static str,
    pub q: String,
    /// Column by which it is sorted, with a hyphen before it when descending.
    pub sort: String,
    /// All of the address but the place: what a view saves and an export takes.
    pub query: String,
    pub columns: Vec<ColumnView>,
    pub filters: Vec<FilterView>,
    pub is_filtered: bool,
    pub has_chosen_columns: bool,
    pub total: i64,
    /// False when there are more rows than are counted.
    pub is_counted_up: bool,
    pub previous: Option<String>,
    pub next: Option<String>,
    /// Views that everybody has.
    pub built_in: Vec<Link>,
    pub views: Vec<SavedView>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ColumnView {
    pub name: &'static str,
    pub label: &'static str,
    pub is_shown: bool,
    pub is_number: bool,
    /// How the list is sorted by it, if it is.
    pub sorted: Option<Sorted>,
    /// Sorts by it, or the other way round.
    pub sort_href: Option<String>,
}

#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sorted {
    Ascending,
    Descending,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FilterView {
    pub name: &'static str,
    pub label: &'static str,
    pub options: Vec<FilterOption>,
    /// It takes days, as `{name}_from` and `{name}_to`.
    pub is_days: bool,
    /// `YYYY-MM-DD`.
    pub from: Option<String>,
    pub to: Option<String>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FilterOption {
    pub value: String,
    pub label: String,
    pub is_on: bool,
}

#[cfg(test)]
mod tests {
    use super::{Column, FilterKind, FilterSpec, ListQuery, ListSpec, ROWS};
    use shop_base::db::list::{Key, Place, Value, Window};

    static SPEC: ListSpec = ListSpec {
        path: "/admin/things",
        id: "t.id",
        columns: &[
            Column { name: "at", label: "Time", is_default: true, is_number: true, sort: Some("t.at") },
            Column { name: "name", label: "Name", is_default: true, is_number: false, sort: Some("t.name") },
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
            "q=+pipe+&status=b&status=x&sort=-note&columns=name&columns=no&at_from=2026-02-30&after=x",
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
        let place = |n: &i64| Place { key: Key::Integer(*n), id: Value::Integer(*n) };
        let rows: Vec<i64> = (0..=i64::try_from(ROWS).expect("few")).collect();
        let (shown, paging) = ListQuery::parse(&SPEC, "status=a").paged(rows, place);
        assert_eq!((shown.len(), paging.previous.is_none()), (ROWS, true));
        let next = paging.next.expect("there is more");
        let next = ListQuery::parse(&SPEC, next.split_once('?').expect("a query").1);
        assert_eq!(next.window, Window::After(place(&49)));
        // Backward the rows come in the other order.
        let (shown, paging) = ListQuery { window: Window::Before(place(&9)), ..next }.paged(vec![8, 7, 6], place);
        assert_eq!(shown, [6, 7, 8]);
        assert!(paging.previous.is_none() && paging.next.is_some());
        // A place in another order is none.
        let next = paging.next.expect("a way on");
        let moved = ListQuery::parse(&SPEC, &format!("sort=name&{}", next.split_once('?').expect("a query").1));
        assert_eq!(moved.window, Window::Start);
    }
}
