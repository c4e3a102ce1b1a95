//! The parts of a list's page other than its rows.

use serde::Serialize;
use shop_domain::saved_views::model::SavedView;
use shop_platform::web::page::Link;
use utoipa::ToSchema;

use super::query::{ListQuery, Paging};
use super::spec::{COUNTED, Column, FilterKind, FilterSpec};

impl ListQuery {
    /// The page's parts other than its rows. `given` are the options of filters that the handler supplies.
    pub fn view(&self, total: i64, paging: Paging, views: Vec<SavedView>, given: &[(&str, Vec<Choice>)]) -> ListView {
        ListView {
            path: self.spec.path,
            q: self.q.clone(),
            sort: format!("{}{}", if self.descending { "-" } else { "" }, self.sort.name),
            query: self.canonical(),
            columns: self.spec.columns.iter().map(|column| self.column(column)).collect(),
            filters: self.spec.filters.iter().map(|filter| self.filter(filter, given)).collect(),
            is_filtered: !self.q.is_empty() || !self.chosen.is_empty(),
            total,
            is_counted_up: total < COUNTED,
            previous: paging.previous,
            next: paging.next,
            built_in: self.spec.built_in.iter().map(|(name, href)| Link::new(*name, *href)).collect(),
            views,
        }
    }

    fn column(&self, column: &Column) -> ColumnView {
        let is_sort = column.name == self.sort.name;
        // The first click sorts numbers and times descending, texts ascending.
        let descending = if is_sort { !self.descending } else { column.is_number };
        ColumnView {
            name: column.name,
            label: column.label,
            is_shown: self.is_shown(column),
            is_number: column.is_number,
            sorted: is_sort.then_some(if self.descending { Sorted::Descending } else { Sorted::Ascending }),
            sort_href: column.sort.map(|_| self.href(&self.written(column.name, descending, None))),
        }
    }

    fn filter(&self, filter: &FilterSpec, given: &[(&str, Vec<Choice>)]) -> FilterView {
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
                    // A chosen value without an option can still be deselected.
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
    }
}

/// An option of a filter.
#[derive(Clone, Debug)]
pub struct Choice {
    pub value: String,
    pub label: String,
}

/// A list's page without its rows.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ListView {
    pub path: &'static str,
    pub q: String,
    /// The column it is sorted by, with a leading hyphen when descending.
    pub sort: String,
    /// The query without the place: what a view saves and an export uses.
    pub query: String,
    pub columns: Vec<ColumnView>,
    pub filters: Vec<FilterView>,
    pub is_filtered: bool,
    pub total: i64,
    /// False when there are more rows than are counted.
    pub is_counted_up: bool,
    pub previous: Option<String>,
    pub next: Option<String>,
    /// Views that all users have.
    pub built_in: Vec<Link>,
    pub views: Vec<SavedView>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ColumnView {
    pub name: &'static str,
    pub label: &'static str,
    pub is_shown: bool,
    pub is_number: bool,
    /// How the list is currently sorted by this column, if it is.
    pub sorted: Option<Sorted>,
    /// Sorts by this column, or reverses the order.
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
    /// It is a range of days, with the parameters `{name}_from` and `{name}_to`.
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
