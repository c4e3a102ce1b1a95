//! What a shop of any kind needs. Its nouns in their order, kept by `make check` (`tests/structure/src/floors.rs`): each uses earlier ones
//! alone.
//!
//! - [`web`]: pages, requests and cookies, and the bundle
//! - [`audit`]: who changed what; [`jobs`]: what must happen; [`staff_search`]: words by which staff find things
//! - [`webhooks`]: what other programs are told; [`media`]: pictures; [`settings`]: what staff set; [`mail`]: email

pub mod audit;
pub mod jobs;
pub mod mail;
pub mod media;
pub mod settings;
pub mod staff_search;
pub mod web;
pub mod webhooks;
