//! Shared by all lists of the admin area: the address contains the whole state (search, filters, sorting, columns, place); lists use keyset
//! pagination, are counted up to a limit, can be saved as views and exported as CSV.

pub mod query;
pub mod spec;
pub mod view;
