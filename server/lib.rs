//! The shop. One binary answers HTTP, renders React pages in its own V8 isolates and keeps its data.
//!
//! The way of a page: [`router`] → a handler in [`shop_http`] → a noun's service in [`shop_domain`] → its store → typed props → [`shop_http::page`] →
//! `ssr-runtime` → HTML.
//!
//! Floors, from the ground up; what stands on one uses those below it:
//!
//! - [`shop_base`]: time, ids, money, errors, the database
//! - [`shop_platform`]: what a shop of any kind needs
//! - [`shop_domain`]: what this shop does
//! - [`shop_integrations`]: the card provider, the identity provider and the mail server, behind traits of the floors below
//! - [`shop_http`]: what browsers, crawlers and other programs are answered
//! - what puts the shop together: [`app`] (all that a running shop has), [`router`] and [`admin_routes`] (every address), [`registry`] (every
//!   job's handler), [`openapi`] (the types of calls and props), [`serve`] (start and end), [`bundle`] (the built app inside the binary), [`dev`] (`make dev`), [`demo_data`] (catalog and history of the demonstration)
//! - [`shop_demo`]: pictures and stand-ins of providers to try the shop with
//!
//! `make check` keeps the direction, see `tests/structure`.

pub mod admin_routes;
pub mod app;
pub mod bundle;
pub mod demo_data;
pub mod dev;
pub mod openapi;
pub mod registry;
pub mod router;
pub mod serve;
