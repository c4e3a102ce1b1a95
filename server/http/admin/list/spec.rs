//! The definition of a list.

/// Rows of a page.
pub const ROWS: usize = 50;

/// Rows are counted up to this number.
pub const COUNTED: i64 = 10_000;

/// The definition of a list.
#[derive(Debug)]
pub struct ListSpec {
    pub path: &'static str,
    /// Breaks ties.
    pub id: RowId,
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
    /// If the list can be sorted by it.
    pub sort: Option<Sort>,
}

/// A SQL column that is never null, by the type of its values: PostgreSQL compares it with no other.
#[derive(Clone, Copy, Debug)]
pub enum Sort {
    Number(&'static str),
    Text(&'static str),
}

impl Sort {
    pub fn column(self) -> &'static str {
        let (Self::Number(column) | Self::Text(column)) = self;
        column
    }
}

/// The SQL column that tells rows apart, by the type of its values.
#[derive(Clone, Copy, Debug)]
pub enum RowId {
    Number(&'static str),
    Uuid(&'static str),
}

impl RowId {
    pub fn column(self) -> &'static str {
        let (Self::Number(column) | Self::Uuid(column)) = self;
        column
    }
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
