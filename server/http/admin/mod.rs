//! The area of the staff: its pages, its calls, and who may use which.
//!
//! Every address under `/admin` and `/api/admin` stands in a table (`server/admin_routes.rs`, `PAGES` of `server/router.rs`) with the [`rights::Permission`]
//! that it needs; one guard checks it before any handler runs. A screen has a folder: `pages` answers with pages, `list` is its list with the
//! download, `api` has the calls, `queries` the SQL of lists and figures, which only reads. What changes something belongs to a noun's
//! service, or to a flow of sales.

pub mod analytics;
pub mod audit;
pub mod debug;
pub mod guard;
pub mod list;
pub mod orders;
pub mod overview;
pub mod palette;
pub mod products;
pub mod rights;
pub mod settings;
pub mod test_email;
pub mod testing;
pub mod users;
pub mod views;

use shop_platform::web::page::Meta;

/// Meta of a page of the admin area, which no crawler is to know.
pub fn admin_meta(title: impl Into<String>) -> Meta {
    Meta { title: title.into(), robots: Some("noindex".to_owned()), ..Meta::default() }
}
