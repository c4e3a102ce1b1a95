//! The area of the staff: its pages, its calls, and who may use which.
//!
//! Every address under `/admin` and `/api/admin` stands in a table ([`routes`], [`crate::router::PAGES`]) with the [`rights::Permission`]
//! that it needs; one guard checks it before any handler runs. A screen has a folder: `pages` and `api` are its handlers, `store` the
//! SQL of its lists and figures, which only reads. What changes something belongs to a noun's service.

pub mod guard;
pub mod rights;
pub mod routes;
