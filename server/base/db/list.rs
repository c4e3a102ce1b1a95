//! Keyset pagination of long lists: a page is found by where the previous one ended, so the thousandth page costs as much as the first.
//!
//! Rows are sorted by one column and then by id, both ascending or both descending, so that an index on `(column, id)` serves the query.

use std::fmt::Write;

use uuid::Uuid;

use super::{Conn, DbError};
use crate::fetch_all;

/// From this many matches on, the first rows are found fastest by testing rows one by one in order; with fewer, the matches are collected
/// and sorted.
const MANY: i64 = 5_000;

/// The value of a parameter `$n`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Integer(i64),
    Text(String),
    Id(Uuid),
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<Uuid> for Value {
    fn from(value: Uuid) -> Self {
        Self::Id(value)
    }
}

/// SQL with a `?` for each value; written in the code, never taken from a request.
pub type Condition = (String, Vec<Value>);

/// Conditions that must all hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    conditions: Vec<Condition>,
    found: Option<Found>,
}

/// A search as one condition, in the form that is fastest for each use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub to_count: Condition,
    /// For the first of few rows: the matches are collected.
    pub of_few: Condition,
    /// For the first of many rows: rows are tested one by one.
    pub of_many: Condition,
}

impl Filter {
    pub fn and(&mut self, sql: &str, values: impl IntoIterator<Item = Value>) {
        self.conditions.push((sql.to_owned(), values.into_iter().collect()));
    }

    pub fn and_found(&mut self, found: Found) {
        self.found = Some(found);
    }

    /// Chooses the form of the search for fetching the first rows out of `counted`.
    #[must_use]
    pub fn first_of(mut self, counted: i64) -> Self {
        if let Some(found) = self.found.take() {
            self.conditions.push(if counted < MANY { found.of_few } else { found.of_many });
        }
        self
    }

    /// The column has one of these values. An empty list adds no condition.
    pub fn and_any(&mut self, column: &str, values: impl IntoIterator<Item = Value>) {
        self.and_in(column, "IN", values.into_iter().collect());
    }

    /// The column has none of these values.
    pub fn and_none(&mut self, column: &str, values: impl IntoIterator<Item = Value>) {
        self.and_in(column, "NOT IN", values.into_iter().collect());
    }

    fn and_in(&mut self, column: &str, operator: &str, values: Vec<Value>) {
        if !values.is_empty() {
            let marks = vec!["?"; values.len()].join(", ");
            self.and(&format!("{column} {operator} ({marks})"), values);
        }
    }

    /// The column is at or after the first value, and before the second; each may be missing.
    pub fn and_between(&mut self, column: &str, (from, to): (Option<i64>, Option<i64>)) {
        if let Some(from) = from {
            self.and(&format!("{column} >= ?"), [Value::Integer(from)]);
        }
        if let Some(to) = to {
            self.and(&format!("{column} < ?"), [Value::Integer(to)]);
        }
    }

    /// One of the columns begins with this text.
    pub fn and_begins(&mut self, conn: &Conn<'_>, columns: &[&str], begin: &str) {
        let end = format!("{begin}\u{10FFFF}");
        let begins = |column: &&str| match conn {
            // A range, which an index can find.
            Conn::Sqlite(_) => {
                let range = vec![Value::from(begin), Value::from(end.as_str())];
                (format!("({column} >= ? AND {column} < ?)"), range)
            }
            // PostgreSQL sorts text by the rules of a language: a range may have other texts, or none.
            Conn::Postgres(_) => (format!("starts_with({column}, ?)"), vec![Value::from(begin)]),
        };
        let (conditions, values): (Vec<String>, Vec<Vec<Value>>) = columns.iter().map(begins).unzip();
        self.and(&conditions.join(" OR "), values.concat());
    }

    /// One of the columns contains the text beside it, in any case.
    pub fn and_contains(&mut self, conn: &Conn<'_>, texts: &[(&str, &str)]) {
        let position = match conn {
            Conn::Sqlite(_) => "instr",
            Conn::Postgres(_) => "strpos",
        };
        let contains =
            |(column, text): &(&str, &str)| (format!("{position}(LOWER({column}), LOWER(?)) > 0"), Value::from(*text));
        let (conditions, values): (Vec<String>, Vec<Value>) = texts.iter().map(contains).unzip();
        self.and(&conditions.join(" OR "), values);
    }

    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty() && self.found.is_none()
    }
}

/// The sort value of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    Integer(i64),
    Text(String),
}

impl From<i64> for Key {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<&str> for Key {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

/// A row's position in the order of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub key: Key,
    pub id: Value,
}

/// The rows of a list that a page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Window {
    Start,
    After(Place),
    /// The rows that end just before this place.
    Before(Place),
}

/// A statement with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub sql: String,
    pub values: Vec<Value>,
}

/// How a list is sorted.
#[derive(Clone, Debug)]
pub struct Order {
    /// A column that is never null.
    pub column: &'static str,
    /// The column that breaks ties.
    pub id: &'static str,
    pub descending: bool,
}

/// Fetches one row more than the page holds: if it exists, there is a next page.
pub fn page(select: &str, filter: &Filter, order: &Order, window: &Window, rows: usize) -> Statement {
    let backward = matches!(window, Window::Before(_));
    let descending = order.descending != backward;
    let (comparison, direction) = if descending { ("<", "DESC") } else { (">", "ASC") };
    let mut filter = filter.clone();
    if let Window::After(place) | Window::Before(place) = window {
        let key = match &place.key {
            Key::Integer(key) => Value::Integer(*key),
            Key::Text(key) => Value::Text(key.clone()),
        };
        filter.and(&format!("({}, {}) {comparison} (?, ?)", order.column, order.id), [key, place.id.clone()]);
    }
    let tail = format!(" ORDER BY {} {direction}, {} {direction} LIMIT {}", order.column, order.id, rows + 1);
    statement(select, &filter, &tail)
}

/// All rows in their order.
pub fn all(select: &str, filter: &Filter, order: &Order) -> Statement {
    let direction = if order.descending { "DESC" } else { "ASC" };
    statement(select, filter, &format!(" ORDER BY {} {direction}, {} {direction}", order.column, order.id))
}

/// How many rows there are, counted up to a limit: nobody needs the exact number beyond it, and counting would be the slowest part.
pub async fn count(conn: &mut Conn<'_>, from: &str, filter: &Filter, limit: i64) -> Result<i64, DbError> {
    let counted = fetch_all!(conn, (i64,), count_statement(from, filter, limit))?;
    Ok(counted.first().map_or(0, |(count,)| *count))
}

fn count_statement(from: &str, filter: &Filter, limit: i64) -> Statement {
    let inner = statement(&format!("SELECT 1 FROM {from}"), filter, &format!(" LIMIT {limit}"));
    Statement { sql: format!("SELECT COUNT(*) FROM ({}) counted", inner.sql), values: inner.values }
}

/// For the first rows of a list that is not counted anyway.
pub async fn first(conn: &mut Conn<'_>, from: &str, filter: Filter) -> Result<Filter, DbError> {
    let counted = match filter.found {
        Some(_) => count(conn, from, &filter, MANY).await?,
        None => 0,
    };
    Ok(filter.first_of(counted))
}

/// `select` under the filter's conditions.
pub fn statement(select: &str, filter: &Filter, tail: &str) -> Statement {
    let mut sql = select.to_owned();
    let mut values = Vec::new();
    let found = filter.found.iter().map(|found| &found.to_count);
    for (at, (condition, given)) in filter.conditions.iter().chain(found).enumerate() {
        sql.push_str(if at == 0 { " WHERE (" } else { " AND (" });
        let mut given = given.iter();
        for c in condition.chars() {
            if c == '?'
                && let Some(value) = given.next()
            {
                values.push(value.clone());
                // Writing to a String cannot fail.
                let _ = write!(sql, "${}", values.len());
            } else {
                sql.push(c);
            }
        }
        sql.push(')');
    }
    sql.push_str(tail);
    Statement { sql, values }
}

/// Binds a [`Statement`]'s values and fetches its rows as `$row`, on either driver.
#[macro_export]
macro_rules! fetch_all {
    ($conn:expr, $row:ty, $statement:expr) => {{
        let $crate::db::list::Statement { sql, values } = $statement;
        $crate::sql!($conn, c => {
            let mut query = sqlx::query_as::<_, $row>(sqlx::AssertSqlSafe(sql));
            for value in values {
                query = match value {
                    $crate::db::list::Value::Integer(value) => query.bind(value),
                    $crate::db::list::Value::Text(value) => query.bind(value),
                    $crate::db::list::Value::Id(value) => query.bind(value),
                };
            }
            query.fetch_all(c).await
        })
    }};
}

#[cfg(test)]
mod tests {
    use super::{Filter, Found, Key, MANY, Order, Place, Value, Window, count_statement, page, statement};

    const ORDER: Order = Order { column: "o.placed_at", id: "o.id", descending: true };

    #[test]
    fn a_page_follows_a_place_in_the_order() {
        let mut filter = Filter::default();
        filter.and_any("o.status", ["placed".into(), "canceled".into()]);
        filter.and("o.total >= ? OR o.note = '?'", [Value::Integer(5)]);
        let place = Place { key: Key::Integer(7), id: Value::Integer(3) };
        let after = page("SELECT * FROM orders o", &filter, &ORDER, &Window::After(place.clone()), 2);
        assert_eq!(
            after.sql,
            "SELECT * FROM orders o WHERE (o.status IN ($1, $2)) AND (o.total >= $3 OR o.note = '?') \
             AND ((o.placed_at, o.id) < ($4, $5)) ORDER BY o.placed_at DESC, o.id DESC LIMIT 3"
        );
        assert_eq!(after.values.len(), 5);
        let before = page("SELECT * FROM orders o", &Filter::default(), &ORDER, &Window::Before(place), 2);
        assert_eq!(
            before.sql,
            "SELECT * FROM orders o WHERE ((o.placed_at, o.id) > ($1, $2)) ORDER BY o.placed_at ASC, o.id ASC LIMIT 3"
        );
    }

    #[test]
    fn a_range_has_the_ends_that_it_is_given() {
        let narrowed = |ends| {
            let mut filter = Filter::default();
            filter.and_between("o.placed_at", ends);
            statement("", &filter, "")
        };
        let both = narrowed((Some(3), Some(7)));
        assert_eq!(both.sql, " WHERE (o.placed_at >= $1) AND (o.placed_at < $2)");
        assert_eq!(both.values, [Value::Integer(3), Value::Integer(7)]);
        assert_eq!(narrowed((None, Some(7))).sql, " WHERE (o.placed_at < $1)");
        assert_eq!(narrowed((None, None)).sql, "");
    }

    #[test]
    fn counting_stops_at_its_limit() {
        let mut filter = Filter::default();
        filter.and_any("o.status", []);
        assert!(filter.is_empty());
        let counted = count_statement("orders o", &filter, 1000);
        assert_eq!(counted.sql, "SELECT COUNT(*) FROM (SELECT 1 FROM orders o LIMIT 1000) counted");
    }

    #[test]
    fn a_search_has_a_form_for_each_use() {
        let mut filter = Filter::default();
        let form = |name: &str| (format!("{name} = ?"), vec![Value::from(name)]);
        filter.and_found(Found { to_count: form("count"), of_few: form("few"), of_many: form("many") });
        filter.and("status = ?", ["placed".into()]);
        assert_eq!(statement("", &filter, "").sql, " WHERE (status = $1) AND (count = $2)");
        assert_eq!(statement("", &filter.clone().first_of(MANY - 1), "").sql, " WHERE (status = $1) AND (few = $2)");
        let many = statement("", &filter.first_of(MANY), "");
        assert_eq!(many.sql, " WHERE (status = $1) AND (many = $2)");
        assert_eq!(many.values, ["placed".into(), "many".into()]);
    }
}
