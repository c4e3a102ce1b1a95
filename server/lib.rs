//! The shop: one binary that serves HTTP, renders React pages in its own V8 isolates and stores its data.
//!
//! How a page is served: [`router`] → a handler in [`shop_http`] → a noun's service in [`shop_domain`] → its store → typed props →
//! [`shop_http::page`] → `ssr-runtime` → HTML.
//!
//! Layers ("floors") from bottom to top; each uses only those below it:
//!
//! - [`shop_base`]: time, ids, money, errors, the database
//! - [`shop_platform`]: what any kind of shop needs
//! - [`shop_domain`]: what this shop does
//! - [`shop_integrations`]: the card provider, the identity provider and the mail server, behind traits of the floors below; purging
//!   shared caches
//! - [`shop_http`]: the HTTP interface for browsers, crawlers and other programs
//! - what puts the shop together: [`app`] (all parts of a running shop), [`router`] and [`admin_routes`] (every address, with `routing`),
//!   [`registry`] (every job's handler), [`openapi`] (the types of calls and props), [`serve`] (startup and shutdown), [`watchdog`] (the end of
//!   a process that stands still), [`bundle`] (the built app embedded in the binary), [`dev`] (`make dev`), [`demo_data`] (catalog and history
//!   of the demonstration)
//! - [`shop_demo`]: pictures and stand-ins of providers for trying out the shop
//!
//! `make check` enforces the direction, see `tests/structure`.

pub mod admin_routes;
pub mod app;
pub mod bundle;
mod call_errors;
pub mod demo_data;
pub mod dev;
pub mod openapi;
pub mod registry;
pub mod router;
mod routing;
pub mod serve;
pub mod watchdog;
