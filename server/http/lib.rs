//! What browsers, crawlers and other programs are answered. A handler reads the request, lets the domain do the work and shapes the answer. It
//! takes its parts through `FromRef`, never the whole shop.
//!
//! - [`page`]: from a page with its props to bytes; [`layers`]: what happens around every handler; [`identity`]: sign-in and sessions
//! - [`storefront`]: pages and calls of shoppers; [`admin`]: pages and calls of staff
//! - [`payment_webhooks`]: where card providers deliver; [`files`]: the bundle's files, and what crawlers read first
//! - [`health`]: for the load balancer; [`client_errors`]: what broke in a browser; [`dev`]: `make dev`

pub mod admin;
pub mod client_errors;
pub mod dev;
pub mod files;
pub mod health;
pub mod identity;
pub mod layers;
pub mod page;
pub mod payment_webhooks;
pub mod storefront;
