//! The HTTP interface for browsers, crawlers and other programs. A handler reads the request, lets the domain do the work and builds the
//! response. It gets its dependencies through `FromRef`, never the whole shop.
//!
//! - [`connections`]: accepts them and bounds their number and time
//! - [`page`]: renders a page with its props; [`layers`]: middleware around all handlers; [`identity`]: sign-in and sessions
//! - [`storefront`]: pages and calls of shoppers; [`admin`]: pages and calls of staff
//! - [`payment_webhooks`]: receives the events of payment providers; [`files`]: the bundle's files, and robots.txt
//! - [`health`]: for the load balancer; [`client_errors`], [`policy_reports`]: what browsers report; [`dev`]: `make dev`
//! - [`metrics`]: figures for Prometheus, on an address of their own

pub mod admin;
pub mod client_errors;
pub mod connections;
pub mod dev;
pub mod files;
pub mod health;
pub mod identity;
pub mod layers;
pub mod metrics;
pub mod page;
pub mod payment_webhooks;
pub mod policy_reports;
pub mod storefront;
