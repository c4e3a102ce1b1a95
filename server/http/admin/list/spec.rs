//! What a list offers.

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
