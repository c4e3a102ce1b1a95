//! The shop. One binary answers HTTP, renders React pages in its own V8 isolates and keeps its data.
//!
//! The way of a page: [`router`] → a noun's `pages` → its `service` → its `store` → typed props → [`web::serve`] →
//! `ssr-runtime` → HTML.
//!
//! - [`router`], [`admin_routes`]: every address; [`app`]: all that handlers reach; [`context`]: what use cases work with; [`config`]; [`error`]: what can go wrong
//! - [`db`]: SQLite and PostgreSQL; [`clock`], [`ids`], [`money`], [`recent_errors`], [`weight`]
//! - [`web`]: page envelope, rendering, cache, assets, headers
//! - nouns: [`home`], [`catalog`], [`stock`], [`cart`], [`checkout`], [`promotions`], [`shipping`], [`tax`], [`compliance`],
//!   [`orders`], [`payments`], [`fulfillment`], [`returns`], [`identity`], [`customers`], [`age`], [`mail`], [`activity`], [`legal`], [`media`]
//! - [`reports`]: how the shop does, by day
//! - [`jobs`], which must happen, and [`registry`], where each finds its handler; [`integrations`]: the outside world, behind traits of the nouns
//! - [`admin`]: the area of the staff, and who may do what there; [`audit`]: who did; [`search_terms`]: by which staff find things
//! - [`settings`]: what staff set, and how every node learns of it
//! - [`privacy`]: what is handed out and erased of a person; [`retention`]: how long each table is kept
//! - [`dev`]: `make dev`
//! - [`demo`]: a catalog and pictures to try the shop with

pub mod activity;
pub mod admin;
pub mod admin_routes;
pub mod age;
pub mod app;
pub mod audit;
pub mod cart;
pub mod catalog;
pub mod checkout;
pub mod clock;
pub mod compliance;
pub mod config;
pub mod context;
pub mod customers;
pub mod db;
pub mod demo;
pub mod dev;
pub mod drafts;
pub mod error;
pub mod fulfillment;
pub mod home;
pub mod identity;
pub mod ids;
pub mod integrations;
pub mod jobs;
pub mod legal;
pub mod mail;
pub mod media;
pub mod money;
pub mod notifications;
pub mod openapi;
pub mod orders;
pub mod payments;
pub mod pickups;
pub mod privacy;
pub mod promotions;
pub mod recent_errors;
pub mod registry;
pub mod reports;
pub mod retention;
pub mod returns;
pub mod router;
pub mod search_terms;
pub mod serve;
pub mod settings;
pub mod shipping;
pub mod stock;
pub mod tax;
pub mod validity;
pub mod web;
pub mod weight;
