//! The definition of a list.

/// Rows of a page.
pub const ROWS: usize = 50;

/// Rows are counted up to this number.
pub const COUNTED: i64 = 10_000;

/// The definition of a list.
#[derive(Debug)]
pub struct ListSpec {
    pub path: &'static str,
    /// The SQL column that breaks ties.
    pub id: &'static str,
    /// In display order.
    pub columns: &'static [Column],
    pub filters: &'static [FilterSpec],
    /// Must be a sortable column.
    pub sort: &'static str,
    pub descending: bool,
    /// Views that all users have: name and address, which may be that of another list.
    pub built_in: &'static [(&'static str, &'static str)],
}

#[derive(Debug)]
pub struct Column {
    pub name: &'static str,
    pub label: &'static str,
    /// Displayed unless the user chooses other columns.
    pub is_default: bool,
    /// Right-aligned, as numbers are.
    pub is_number: bool,
    /// The SQL column, never null, if the list can be sorted by it.
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
    /// Any of several fixed values: value and label.
    Choice(&'static [(&'static str, &'static str)]),
    /// Any of several values supplied by the handler.
    Given,
    /// A range of days; its parameters are `{name}_from` and `{name}_to`.
    Days,
}
