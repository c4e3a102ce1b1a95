//! The admin area: its pages, its calls, and who may use them.
//!
//! Every address under `/admin` and `/api/admin` is listed in a table (`server/admin_routes.rs`, `PAGES` of `server/router.rs`) with the
//! [`rights::Permission`] that it needs; one guard checks it before any handler runs. Each screen has a folder: `pages` has the page
//! handlers, `list` the list and its download, `api` the calls, `queries` the read-only SQL of lists and figures. Code that changes data
//! belongs to a noun's service, or to a flow of sales.

pub mod analytics;
pub mod audit;
pub mod debug;
pub mod exports;
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

/// Metadata of a page of the admin area, which crawlers must not index.
pub fn admin_meta(title: impl Into<String>) -> Meta {
    Meta { title: title.into(), robots: Some("noindex".to_owned()), ..Meta::default() }
}
