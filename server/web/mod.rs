//! What every page and call shares: the page envelope, rendering and its cache, assets, headers, errors on the wire.

pub mod assets;
pub mod builds;
pub mod cache;
pub mod client_address;
pub mod client_errors;
pub mod compression;
pub mod cookies;
pub mod cors;
pub mod csrf;
pub mod csv;
pub mod dev;
pub mod document;
pub mod drain;
pub mod extract;
pub mod headers;
pub mod health;
pub mod known_pages;
pub mod limit;
pub mod middleware;
pub mod own_path;
pub mod page;
pub mod render;
pub mod robots;
pub mod serve;
pub mod site;
pub mod visit;
