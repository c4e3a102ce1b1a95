//! What every list of the admin area has in common: its address says all of it (search, filters, sorting, columns, place), it is paged by
//! place, counted up to a limit, saved as a view and taken along as a CSV file.

pub mod download;
pub mod query;
pub mod spec;
pub mod view;
