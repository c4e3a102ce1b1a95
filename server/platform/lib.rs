//! What any kind of shop needs. The modules in their order, which `make check` enforces (`tests/structure/src/floors.rs`): each uses only
//! earlier ones.
//!
//! - [`metrics`]: events that are counted, for monitoring
//! - [`web`]: pages, requests and cookies, and the bundle
//! - [`builds`]: files of all builds that nodes serve
//! - [`audit`]: who changed what; [`jobs`]: background work; [`statistics`]: of the database's tables; [`staff_search`]: search terms for
//!   the admin area
//! - [`webhooks`]: outgoing webhooks; [`media`]: pictures; [`settings`]: what staff configure; [`mail`]: email

pub mod audit;
pub mod builds;
pub mod jobs;
pub mod mail;
pub mod media;
pub mod metrics;
pub mod settings;
pub mod staff_search;
pub mod statistics;
pub mod web;
pub mod webhooks;
