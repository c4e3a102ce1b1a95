//! The shop. One binary answers HTTP, renders React pages in its own V8 isolates and keeps its data.
//!
//! The way of a page: [`router`] → a handler in [`http`] → a noun's service in [`domain`] → its store → typed props → [`http::page`] →
//! `ssr-runtime` → HTML.
//!
//! Floors, from the ground up; what stands on one uses those below it:
//!
//! - [`base`]: time, ids, money, errors, the database
//! - [`platform`]: what a shop of any kind needs
//! - [`domain`]: what this shop does
//! - [`integrations`]: the card provider and the mail server, behind traits of the floors below
//! - [`http`]: what browsers, crawlers and other programs are answered
//! - what puts the shop together: [`app`] (all that a running shop has), [`router`] and [`admin_routes`] (every address), [`registry`] (every
//!   job's handler), [`openapi`] (the types of calls and props), [`serve`] (start and end), [`dev`] (`make dev`)
//! - [`demo`]: catalog, pictures, history and stand-ins of providers to try the shop with
//!
//! `make check` keeps the direction, see `tests/structure`.

pub mod admin_routes;
pub mod app;
pub mod base;
pub mod demo;
pub mod dev;
pub mod domain;
pub mod http;
pub mod integrations;
pub mod openapi;
pub mod platform;
pub mod registry;
pub mod router;
pub mod serve;
