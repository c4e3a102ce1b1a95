//! Shared by all pages and calls: the page envelope, requests and files that are sent, cookies, limits, and the bundle.

pub mod client_address;
pub mod cookies;
pub mod csrf;
pub mod etag;
pub mod extract;
pub mod known_pages;
pub mod limit;
pub mod logged_path;
pub mod own_path;
pub mod page;
pub mod places;
pub mod private_pages;
pub mod reusable;
pub mod see_other;
pub mod site;
mod strict;
